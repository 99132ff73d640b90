//! Who else binds names here: what a module says about names and attributes that are put in place by other means than assignment.
//!
//! A name is certain to be undefined only in a module that no other code writes to. This pass looks for the ways in which Python
//! programs write into namespaces of others: the module's own object, name or frame given away, `setattr`, `mock.patch`, the
//! builtins, and files that a host executes among names of its own (docs/check/open-namespaces.md).

use std::collections::BTreeSet;

use super::{ScopeId, ScopeKind, Scopes};
use crate::source_file::SourceFile;
use crate::tree::{Arguments, Context, ExprId, ExprKind, Parent, StmtKind, Tree};

/// What a module does to namespaces that are not its own.
#[derive(Clone, Debug, Default)]
pub struct Injections {
    /// Names that are stored as attributes through a string: `setattr(x, "name", …)`, `patch("module.name")`.
    pub stored: BTreeSet<String>,
    /// Those of them that tests replace for a while.
    pub patched: BTreeSet<String>,
    /// Names that are put among the builtins.
    pub builtins: BTreeSet<String>,
    /// Classes that are given attributes whose names are computed.
    pub open_classes: BTreeSet<String>,
    /// Classes whose methods, apart from the constructor, store attributes by computed names.
    pub rewritten_classes: BTreeSet<String>,
    /// Modules are put in the places of others, or given names that are computed: `sys.modules[name] = …`, `setattr(module, name, …)`.
    pub rewrites_modules: bool,
    /// Names are stored through frames, or among the builtins by computed names, so that modules find names that they did not bind.
    pub stores_through_frames: bool,
    /// Functions whose defaults are stored after their definition: `area.__defaults__ = …`.
    pub given_defaults: BTreeSet<String>,
    /// Defaults are stored for functions that the text does not name: `for f in made: f.__defaults__ = …`.
    pub gives_any_defaults: bool,
}

/// Looks at a module and opens those of its scopes that others may write to.
pub(super) fn note(tree: &Tree, file: &SourceFile, scopes: &mut Scopes) {
    if is_executed_by_host(file.path(), file.text()) {
        scopes[ScopeId::MODULE].is_open = true;
    }
    let mut pass = InjectionPass { tree, scopes, path: file.path(), builtins_aliases: builtins_aliases(tree) };
    for at in 0..tree.expr_count() as u32 {
        pass.look_at(ExprId(at));
    }
}

struct InjectionPass<'a> {
    tree: &'a Tree,
    scopes: &'a mut Scopes,
    path: &'a str,
    /// Names that stand for the module of the builtins by an import.
    builtins_aliases: Vec<String>,
}

impl InjectionPass<'_> {
    fn look_at(&mut self, id: ExprId) {
        match self.tree[id].kind {
            ExprKind::Call { function, arguments } => self.call(function, arguments),
            ExprKind::Name { name, context: Context::Load } => match self.tree.text(name) {
                // The members of an enumeration become names of its module.
                "global_enum" => self.open_module(),
                // Magics run code among the names of the notebook that the module was exported from.
                "get_ipython" => {
                    self.open_module();
                    self.scopes.rebinds_names = true;
                }
                _ => {}
            },
            ExprKind::Attribute { value, attribute, context } => match self.tree.text(attribute.name) {
                "f_locals" | "f_globals" => {
                    self.open_module();
                    self.open_scope_of(id);
                    self.scopes.injections.stores_through_frames |= self.is_changed(id);
                }
                // `P.__new__.__defaults__ = …` changes how a class is called.
                "__defaults__" | "__kwdefaults__" if context == Context::Store => {
                    let class = ["__new__", "__init__"].iter().find_map(|method| self.attribute_of(value, method));
                    match class {
                        Some(class) => self.scopes.injections.open_classes.extend(self.name(class)),
                        None => self.defaults_are_stored(value),
                    }
                }
                name if context == Context::Store && self.is_builtins(value) => {
                    let name = name.to_owned();
                    self.scopes.injections.builtins.insert(name);
                }
                _ => {}
            },
            ExprKind::Subscript { value, index, context: Context::Store }
                if self.is_builtins(value)
                    || self.attribute_of(value, "__dict__").is_some_and(|of| self.is_builtins(of)) =>
            {
                match self.string(index) {
                    Some(name) => {
                        self.scopes.injections.builtins.insert(name);
                    }
                    None => self.scopes.injections.stores_through_frames = true,
                }
            }
            ExprKind::Subscript { value, index, context: Context::Store } if self.is_module_table(value) => {
                let is_own = self.string(index).is_some() || self.name(index).is_some_and(|name| name == "__name__");
                self.scopes.injections.rewrites_modules |= !is_own;
            }
            _ => {}
        }
    }

    fn call(&mut self, function: ExprId, arguments: Arguments) {
        let tree = self.tree;
        let Some(path) = tree.dotted(function) else { return };
        let last = path.last().copied().unwrap_or_default();
        let given = &tree[arguments.positional];
        let by_name = || tree[arguments.keywords].iter().map(|keyword| keyword.value);
        let is_own_name = |argument: ExprId| match tree[argument].kind {
            ExprKind::Name { name, .. } => matches!(tree.text(name), "__name__" | "__spec__"),
            ExprKind::Str(text) => is_module_at(tree.text(text), self.path),
            _ => false,
        };
        if given.iter().copied().chain(by_name()).any(is_own_name) && !only_reads_name(last) {
            self.open_module();
        }
        if matches!(last, "setattr" | "__setattr__" | "delattr") && !is_patching(&path) {
            self.attribute_is_set(given, path.len() == 1);
        } else if is_patching(&path) {
            let texts = given.iter().copied().chain(by_name()).take(3).filter_map(|argument| self.text(argument));
            let tails: Vec<String> = texts.map(|text| text.rsplit('.').next().unwrap_or_default().to_owned()).collect();
            self.scopes.injections.stored.extend(tails.iter().cloned());
            self.scopes.injections.patched.extend(tails);
            let keywords = self.tree[arguments.keywords].iter().filter_map(|keyword| keyword.name);
            let names: Vec<String> = keywords.map(|keyword| self.tree.text(keyword.name).to_owned()).collect();
            self.scopes.injections.stored.extend(names);
        } else if matches!(last, "store_attr" | "store_attrs" | "save_hyperparameters" | "auto_assign") {
            // These find the instance in the frame of their caller.
            let class = self.class_around(function);
            self.scopes.injections.open_classes.extend(class);
        } else if matches!(last, "mapper" | "map_imperatively" | "map_to_table") {
            let classes: Vec<String> = given.iter().take(1).filter_map(|&class| self.name(class)).collect();
            self.scopes.injections.open_classes.extend(classes);
        }
    }

    /// `setattr(target, name, value)`.
    fn attribute_is_set(&mut self, given: &[ExprId], is_builtin: bool) {
        let (Some(&target), Some(&name)) = (given.first(), given.get(1).or(given.first())) else { return };
        let name =
            if is_builtin { name } else { *given.iter().find(|&&given| self.text(given).is_some()).unwrap_or(&name) };
        match self.string(name) {
            Some(name) if self.is_builtins(target) => {
                self.scopes.injections.builtins.insert(name);
            }
            Some(name) => {
                if matches!(name.as_str(), "__defaults__" | "__kwdefaults__") {
                    self.defaults_are_stored(target);
                }
                self.scopes.injections.stored.insert(name);
            }
            None if self.is_builtins(target) => self.scopes.injections.stores_through_frames = true,
            None if self.is_module(target) => self.scopes.injections.rewrites_modules = true,
            None => {
                let class = match self.name(target) {
                    Some(own) if matches!(own.as_str(), "cls" | "self" | "klass") => {
                        let class = self.class_around(target);
                        if self.function_around(target).is_some_and(|name| name != "__init__") {
                            self.scopes.injections.rewritten_classes.extend(class.clone());
                        }
                        class
                    }
                    // Whatever is passed to the function: `def add_option(name, root=config)`.
                    Some(name) if self.is_parameter(target, &name) => {
                        let tree = self.tree;
                        let classes = self.scopes.classes.iter().map(|(class, _)| tree.text(*class).to_owned());
                        let classes: Vec<String> = classes.collect();
                        self.scopes.injections.open_classes.extend(classes);
                        None
                    }
                    Some(name) => Some(name),
                    None => self.class_around(target).filter(|_| self.is_own_class(target)),
                };
                self.scopes.injections.open_classes.extend(class);
            }
        }
    }

    /// `target.__defaults__ = …`: parameters of the function have defaults that its definition does not show.
    fn defaults_are_stored(&mut self, target: ExprId) {
        match self.tree[target].kind {
            // A name that nothing but a definition or an import binds stands for the function of that name.
            ExprKind::Name { name, .. } => match self.function_named(self.tree.text(name)) {
                Some(function) => drop(self.scopes.injections.given_defaults.insert(function)),
                None => self.scopes.injections.gives_any_defaults = true,
            },
            // The function below a method or a wrapper.
            ExprKind::Attribute { value, attribute, .. } if self.tree.text(attribute.name) == "__func__" => {
                self.defaults_are_stored(value);
            }
            ExprKind::Attribute { attribute, .. } if !attribute_is_wrapped(self.tree.text(attribute.name)) => {
                let name = self.tree.text(attribute.name).to_owned();
                self.scopes.injections.given_defaults.insert(name);
                // What an object keeps in an attribute may be any function.
                self.scopes.injections.gives_any_defaults |= !self.is_imported_or_class(target);
            }
            _ => self.scopes.injections.gives_any_defaults = true,
        }
    }

    /// Whether the object of an attribute is a name that an import or a class definition binds.
    fn is_imported_or_class(&self, attribute: ExprId) -> bool {
        let ExprKind::Attribute { value, .. } = self.tree[attribute].kind else { return false };
        let Some(owner) = self.tree.dotted(value).and_then(|path| path.first().copied()) else { return false };
        self.tree.stmt_ids().any(|id| match self.tree[id].kind {
            StmtKind::ClassDef(class) => self.tree.text(class.name.name) == owner,
            StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => {
                self.tree[names].iter().any(|alias| self.tree.text(alias.asname.unwrap_or(alias.name).name) == owner)
            }
            _ => false,
        })
    }

    /// The function that a name stands for, by its own name, if the module binds it by undecorated definitions, lambdas and
    /// imports alone.
    fn function_named(&self, wanted: &str) -> Option<String> {
        let mut found = None;
        for id in self.tree.stmt_ids() {
            match self.tree[id].kind {
                StmtKind::FunctionDef(function) if self.tree.text(function.name.name) == wanted => {
                    if !self.tree[function.decorators].is_empty() {
                        return None;
                    }
                    found = Some(wanted.to_owned());
                }
                StmtKind::ImportFrom { names, .. } => {
                    let alias = self.tree[names]
                        .iter()
                        .find(|alias| self.tree.text(alias.asname.unwrap_or(alias.name).name) == wanted);
                    found = alias.map(|alias| self.tree.text(alias.name.name).to_owned()).or(found);
                }
                _ => {}
            }
        }
        let stored = self.tree.expr_ids().filter(|&id| {
            matches!(self.tree[id].kind, ExprKind::Name { name, context: Context::Store } if self.tree.text(name) == wanted)
        });
        for id in stored {
            let statement = self.tree.stmt_of(id)?;
            let StmtKind::Assign { value, .. } = self.tree[statement].kind else { return None };
            if !matches!(self.tree[value].kind, ExprKind::Lambda { .. }) {
                return None;
            }
            found = Some(wanted.to_owned());
        }
        found
    }

    /// `sys.modules`
    fn is_module_table(&self, expr: ExprId) -> bool {
        self.attribute_of(expr, "modules").is_some_and(|of| self.name(of).is_some_and(|name| name == "sys"))
    }

    /// Whether an expression is a module, as far as its text shows: `module`, `sys.modules[name]`, `import_module(name)`.
    fn is_module(&self, expr: ExprId) -> bool {
        match self.tree[expr].kind {
            ExprKind::Name { name, .. } => self.tree.text(name).ends_with("module"),
            ExprKind::Subscript { value, .. } => self.is_module_table(value),
            ExprKind::Call { function, .. } => {
                self.tree.dotted(function).is_some_and(|path| path.last().is_some_and(|last| *last == "import_module"))
            }
            _ => false,
        }
    }

    /// `type(self)`, `self.__class__`.
    fn is_own_class(&self, target: ExprId) -> bool {
        match self.tree[target].kind {
            ExprKind::Call { function, .. } => self.name(function).is_some_and(|name| name == "type"),
            ExprKind::Attribute { attribute, .. } => self.tree.text(attribute.name) == "__class__",
            _ => false,
        }
    }

    /// The name of the class whose body an expression stands in.
    fn class_around(&self, expr: ExprId) -> Option<String> {
        let mut stmt = self.tree.stmt_of(expr);
        while let Some(at) = stmt {
            if let StmtKind::ClassDef(class) = self.tree[at].kind {
                return Some(self.tree.text(class.name.name).to_owned());
            }
            stmt = self.tree.enclosing(at);
        }
        None
    }

    /// The name of the function whose body an expression stands in.
    fn function_around(&self, expr: ExprId) -> Option<&str> {
        let mut around = std::iter::successors(self.tree.stmt_of(expr), |at| self.tree.enclosing(*at));
        around.find_map(|at| match self.tree[at].kind {
            StmtKind::FunctionDef(function) => Some(self.tree.text(function.name.name)),
            _ => None,
        })
    }

    /// Whether a name is a parameter of the function that an expression stands in.
    fn is_parameter(&self, expr: ExprId, name: &str) -> bool {
        let mut around = std::iter::successors(self.tree.stmt_of(expr), |at| self.tree.enclosing(*at));
        around.any(|at| match self.tree[at].kind {
            StmtKind::FunctionDef(function) => {
                let parameters = function.parameters;
                let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
                let mut named = lists.into_iter().flat_map(|list| self.tree[list].iter());
                named.any(|parameter| self.tree.text(parameter.name.name) == name)
            }
            _ => false,
        })
    }

    fn open_module(&mut self) {
        self.scopes[ScopeId::MODULE].is_open = true;
    }

    /// Opens the function that an expression stands in.
    fn open_scope_of(&mut self, expr: ExprId) {
        let mut stmt = self.tree.stmt_of(expr);
        while let Some(at) = stmt {
            if let Some(&scope) = self.scopes.of_stmt.get(&at)
                && self.scopes[scope].kind == ScopeKind::Function
            {
                self.scopes[scope].is_open = true;
                return;
            }
            stmt = self.tree.enclosing(at);
        }
    }

    /// Whether a namespace is written to: `ns[x] = …`, `ns.update(…)`.
    fn is_changed(&self, namespace: ExprId) -> bool {
        let Parent::Expr(user) = self.tree[namespace].parent else { return false };
        match self.tree[user].kind {
            ExprKind::Subscript { context, .. } => context != Context::Load,
            ExprKind::Attribute { attribute, .. } => {
                matches!(self.tree.text(attribute.name), "update" | "setdefault" | "__setitem__" | "pop")
            }
            _ => false,
        }
    }

    fn is_builtins(&self, expr: ExprId) -> bool {
        self.tree.as_name(expr).is_some_and(|name| {
            let name = self.tree.text(name);
            is_builtins_name(name) || self.builtins_aliases.iter().any(|alias| alias == name)
        })
    }

    fn attribute_of(&self, expr: ExprId, wanted: &str) -> Option<ExprId> {
        match self.tree[expr].kind {
            ExprKind::Attribute { value, attribute, .. } if self.tree.text(attribute.name) == wanted => Some(value),
            _ => None,
        }
    }

    fn name(&self, expr: ExprId) -> Option<String> {
        self.tree.as_name(expr).map(|name| self.tree.text(name).to_owned())
    }

    fn string(&self, expr: ExprId) -> Option<String> {
        match self.tree[expr].kind {
            ExprKind::Str(text) => Some(self.tree.text(text).to_owned()),
            _ => None,
        }
    }

    /// A string, or what follows the last placeholder of an f-string.
    fn text(&self, expr: ExprId) -> Option<String> {
        match self.tree[expr].kind {
            ExprKind::FString { parts } => match self.tree[parts].last() {
                Some(crate::tree::StringPart::Literal(text)) => Some(self.tree.text(*text).to_owned()),
                _ => None,
            },
            ExprKind::BinOp { right, .. } => self.string(right),
            _ => self.string(expr),
        }
    }
}

/// `import builtins as b`, `from pkg.compat import builtins as b`.
fn builtins_aliases(tree: &Tree) -> Vec<String> {
    let mut aliases = Vec::new();
    for id in tree.stmt_ids() {
        if let StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } = tree[id].kind {
            let bound = tree[names].iter().filter(|alias| is_builtins_name(tree.text(alias.name.name)));
            aliases.extend(bound.filter_map(|alias| Some(tree.text(alias.asname?.name).to_owned())));
        }
    }
    aliases
}

/// Whether an attribute leads from a wrapper to a function of another name.
fn attribute_is_wrapped(name: &str) -> bool {
    matches!(name, "__wrapped__" | "func")
}

fn is_builtins_name(name: &str) -> bool {
    matches!(name, "builtins" | "__builtin__" | "__builtins__")
}

/// Whether a call replaces attributes for a test: `patch(…)`, `mock.patch.object(…)`, `monkeypatch.setattr(…)`, `self.stubs.Set(…)`.
fn is_patching(path: &[&str]) -> bool {
    let speaks = |part: &str| {
        let starts = |word: &str| part.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        starts("patch")
            || ["mocker", "stubs", "swap_attr"].iter().any(|word| part.eq_ignore_ascii_case(word))
            || part.len() >= "monkeypatch".len() && part.to_ascii_lowercase().contains("monkeypatch")
    };
    path.iter().any(|part| speaks(part))
}

/// Whether a text is the dotted name of the module in a file: `generate("package.parser")` in `package/parser.py`.
fn is_module_at(text: &str, path: &str) -> bool {
    let Some(stem) = path.strip_suffix(".py") else { return false };
    let mut parts = text.rsplit('.').zip(stem.rsplit(['/', '\\']));
    text.contains('.') && stem.matches(['/', '\\']).count() >= text.matches('.').count() && parts.all(|(a, b)| a == b)
}

/// Whether a function that is given `__name__` only uses it as a name. Anything else may find the module by it and write to it.
fn only_reads_name(function: &str) -> bool {
    const READING: [&str; 36] = [
        "path",
        "contents",
        "deprecated",
        "endswith",
        "exists",
        "files",
        "filterwarnings",
        "find_spec",
        "format",
        "get_config",
        "get_data",
        "get_distribution",
        "get_version",
        "getattr",
        "hasattr",
        "import_module",
        "is_resource",
        "isinstance",
        "iter_modules",
        "join",
        "len",
        "main",
        "open_binary",
        "open_text",
        "print",
        "read_binary",
        "read_text",
        "reload",
        "repr",
        "resource_exists",
        "resource_filename",
        "resource_listdir",
        "resource_stream",
        "resource_string",
        "split",
        "str",
    ];
    let is_class = function.starts_with(|c: char| c.is_ascii_uppercase());
    let lower = function.to_ascii_lowercase();
    is_class
        || lower.contains("log")
        || lower.contains("warn")
        || READING.contains(&function)
        || lower.contains("split")
}

/// Whether a file is not imported but executed by a program that puts names of its own beside the file's.
fn is_executed_by_host(path: &str, text: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let known = ["conf.py", "SConstruct", "SConscript", "wscript", ".pythonrc.py", "gunicorn.conf.py"].contains(&name);
    let shaped = [".gpr.py", "_config.py", ".conf.py", ".config.py"].iter().any(|end| name.ends_with(end));
    // Scripts of Ghidra name their category in a comment.
    let headed = text.lines().take(12).any(|line| line.starts_with("#@category") || line.starts_with("# @category"));
    known || shaped || headed || has_foreign_interpreter(text)
}

/// Whether the first line names an interpreter that is neither Python nor a shell that starts it.
fn has_foreign_interpreter(text: &str) -> bool {
    let Some(line) = text.lines().next().and_then(|line| line.strip_prefix("#!")) else { return false };
    let mut words = line.split_whitespace().filter(|word| !word.starts_with('-') && !word.contains('='));
    let base = |word: &str| word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    let first = words.next().map(base).unwrap_or_default();
    let program = if first == "env" { words.next().map(base).unwrap_or_default() } else { first };
    let stem =
        program.trim_end_matches(".exe").trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | 'w' | 't'));
    let ours = [
        "python",
        "pypy",
        "ipython",
        "jython",
        "pyston",
        "uv",
        "uvx",
        "pipx",
        "sh",
        "bash",
        "dash",
        "zsh",
        "ksh",
        "nix-shell",
        "",
    ];
    !ours.contains(&stem) && !program.contains("python")
}

#[cfg(test)]
mod tests {
    use crate::{ScopedTree, SourceFile, parse};

    fn scoped(path: &str, text: &str) -> ScopedTree {
        let file = SourceFile::from_text(path, text);
        ScopedTree::of(parse(&file).tree, &file)
    }

    fn is_open(path: &str, text: &str) -> bool {
        scoped(path, text).scopes[super::ScopeId::MODULE].is_open
    }

    #[test]
    fn a_module_whose_name_is_given_away_is_open() {
        assert!(is_open("m.py", "from api import init\ninit(__name__)\n"));
        assert!(is_open("m.py", "import frame\ndef f():\n    frame.attach(module=__name__)\n"));
        assert!(!is_open(
            "m.py",
            "import logging\nlog = logging.getLogger(__name__)\nif __name__ == '__main__':\n    pass\n"
        ));
        assert!(!is_open("m.py", "from flask import Flask\napp = Flask(__name__)\n"));
    }

    #[test]
    fn a_file_that_a_host_executes_is_open() {
        assert!(is_open("docs/conf.py", "x = 1\n"));
        assert!(is_open("ipython_config.py", "c = get_config()\n"));
        assert!(is_open("a.py", "#!/usr/bin/env snimpy\nload('IF-MIB')\n"));
        for line in [
            "#!/usr/bin/env python3",
            "#!/usr/bin/python3.11 -u",
            "#!/bin/sh",
            "#!/usr/bin/env -S uv run --script",
            "#! /opt/bin/pypy3",
        ] {
            assert!(!is_open("a.py", &format!("{line}\nx = 1\n")), "{line}");
        }
    }

    #[test]
    fn patches_and_setattr_are_stores() {
        let text = "setattr(a, 'x', 1)\nmock.patch('m.n.run', 2)\npatch.object(m, 'stop')\nmonkeypatch.setattr(m, 'go', f)\npatch(f'{__name__}.helper')\n";
        let stored = scoped("t.py", text).scopes.injections.stored;
        assert_eq!(stored.iter().map(String::as_str).collect::<Vec<_>>(), ["go", "helper", "run", "stop", "x"]);
    }

    #[test]
    fn computed_names_open_classes() {
        let text = "class C:\n    def m(self, **kw):\n        for k in kw:\n            setattr(self, k, 1)\nsetattr(Dataset, title, 1)\n";
        let open = scoped("t.py", text).scopes.injections.open_classes;
        assert_eq!(open.iter().map(String::as_str).collect::<Vec<_>>(), ["C", "Dataset"]);
    }

    #[test]
    fn defaults_are_given_to_functions() {
        let known = |text: &str| {
            let injections = scoped("t.py", text).scopes.injections;
            (injections.given_defaults.into_iter().collect::<Vec<_>>().join(" "), injections.gives_any_defaults)
        };
        assert_eq!(known("def f(a): pass\nf.__defaults__ = (1,)\n"), ("f".to_owned(), false));
        assert_eq!(known("g = lambda a: a\nsetattr(g, '__kwdefaults__', {})\n"), ("g".to_owned(), false));
        assert_eq!(known("from m import f as g\ng.__defaults__ = (1,)\n"), ("f".to_owned(), false));
        assert_eq!(known("import m\nm.f.__defaults__ = (1,)\n"), ("f".to_owned(), false));
        assert_eq!(known("class P: pass\nP.__new__.__defaults__ = (1,)\n"), (String::new(), false));
        assert_eq!(known("for f in made:\n    f.__defaults__ = (1,)\n"), (String::new(), true));
        assert_eq!(known("def put(f):\n    f.__defaults__ = (1,)\n"), (String::new(), true));
        assert_eq!(known("table['f'].__defaults__ = (1,)\n"), (String::new(), true));
        assert_eq!(known("@wrap\ndef f(a): pass\nf.__defaults__ = (1,)\n"), (String::new(), true));
    }

    #[test]
    fn builtins_and_frames() {
        let text = "import builtins, sys\nbuiltins.profile = 1\nsetattr(builtins, 'trace', 2)\ndef f():\n    sys._getframe(1).f_globals['x'] = 1\n";
        let injections = scoped("t.py", text).scopes.injections;
        assert_eq!(injections.builtins.iter().map(String::as_str).collect::<Vec<_>>(), ["profile", "trace"]);
        assert!(injections.stores_through_frames);
        for text in [
            "from pkg.compat import builtins as names\nfor name in NAMES:\n    setattr(names, name, 1)\n",
            "import builtins as b\nb.__dict__[name] = 1\n",
            "def install(name):\n    __builtins__[name] = 1\n",
        ] {
            assert!(scoped("t.py", text).scopes.injections.stores_through_frames, "{text}");
        }
        let one = "import builtins as b\nb.profile = 1\n";
        assert!(!scoped("t.py", one).scopes.injections.stores_through_frames);
    }
}
