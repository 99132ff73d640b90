//! Imports: project modules are interpreted, libraries come from models, the rest is Unknown.

use std::sync::Arc;

use pytrope_source::tree::{Alias, StmtKind};

use crate::code::Code;
use crate::expr::names::NameLookup;
use crate::interp::{Flow, Interp, Raised, Unreachable};
use crate::modules::shown_name;
use crate::names::Name;
use crate::object::{Object, Slots};
use crate::program::{EvaluatedModule, ModuleRequest, module_scope};
use crate::value::{Reason, Value};

/// Modules of the standard library of Python 2 that have another name today, in order.
const ONLY_IN_PYTHON_2: [&str; 28] = [
    "BaseHTTPServer",
    "CGIHTTPServer",
    "ConfigParser",
    "HTMLParser",
    "Queue",
    "ScrolledText",
    "SimpleHTTPServer",
    "SimpleXMLRPCServer",
    "SocketServer",
    "StringIO",
    "Tkinter",
    "UserDict",
    "UserList",
    "UserString",
    "__builtin__",
    "cPickle",
    "cStringIO",
    "cookielib",
    "copy_reg",
    "htmlentitydefs",
    "httplib",
    "robotparser",
    "tkColorChooser",
    "tkFileDialog",
    "tkMessageBox",
    "urllib2",
    "urlparse",
    "xmlrpclib",
];

/// An import from a module that only type checkers run.
struct CheckerImport {
    module: Option<String>,
    /// The names as they are there and here.
    names: Vec<(String, String)>,
    level: u32,
}

fn imports_for_checkers(code: &Code) -> Vec<CheckerImport> {
    let mut found = Vec::new();
    for &stmt in &code.tree[code.tree.body()] {
        let StmtKind::If { test, body, .. } = code.tree[stmt].kind else { continue };
        let is_for_checkers = code.tree.dotted(test).is_some_and(|parts| parts.last() == Some(&"TYPE_CHECKING"));
        for &stmt in code.tree[body].iter().filter(|_| is_for_checkers) {
            let StmtKind::ImportFrom { module, names, level } = code.tree[stmt].kind else { continue };
            let text = |name| code.tree.text(name).to_owned();
            let names = code.tree[names]
                .iter()
                .map(|alias| (text(alias.name.name), text(alias.asname.unwrap_or(alias.name).name)))
                .collect();
            found.push(CheckerImport { module: module.map(|module| text(module.name)), names, level });
        }
    }
    found
}

impl Interp<'_> {
    pub(super) fn import_modules(&mut self, names: &[Alias]) -> Flow<()> {
        let code = self.current_code();
        for alias in names {
            let dotted = code.tree.text(alias.name.name).to_owned();
            self.refuse_old_module(&dotted)?;
            let dotted = self.analysis.program.resolve(&code, &dotted);
            if let Some((package, part)) = dotted.rsplit_once('.') {
                self.heed_compiled_part(Some(package), part);
            }
            let module = self.module_value(&dotted);
            self.fail_with_import(&dotted)?;
            match alias.asname {
                Some(asname) => self.bind_name(asname.name, module),
                None => match dotted.split_once('.') {
                    None => self.bind_name(alias.name.name, module),
                    Some((first, _)) => {
                        let top = self.module_value(first);
                        // The name is bound even if the tree has no string for it: no expression reads it then.
                        if let Some(id) = code.str_of(shown_name(first)) {
                            self.bind_name(id, top);
                        }
                    }
                },
            }
        }
        Ok(())
    }

    /// An import raises what the body of the module raises.
    ///
    /// ```python
    /// # weights.py                        # train.py
    /// W = np.ones(3) @ np.ones(4)         import weights    # ValueError
    /// ```
    fn fail_with_import(&mut self, dotted: &str) -> Flow<()> {
        let ModuleRequest::EvaluatedModule(frozen) = self.import_module(dotted) else { return Ok(()) };
        let Some(mut finding) = frozen.import_failure.clone().filter(|_| !self.in_model()) else { return Ok(()) };
        let class = finding.raises.as_deref().and_then(|class| self.analysis.program.exception_class(class));
        finding.calls.push(self.user_span());
        let state = self.run.state.clone();
        let raised = Raised { class, value: Value::Unknown(Reason::Call), finding: Some(Box::new(finding)), state };
        self.raise_exception(raised).map(|_| ())
    }

    /// What only Python 2 had cannot be imported: the branch that tries it is not for us.
    fn refuse_old_module(&mut self, dotted: &str) -> Flow<()> {
        let top = dotted.split('.').next().unwrap_or(dotted);
        if ONLY_IN_PYTHON_2.binary_search(&top).is_err() || self.analysis.program.exists(top) {
            return Ok(());
        }
        let class = self.analysis.program.exception_class("ModuleNotFoundError");
        let state = self.run.state.clone();
        let _ = self.raise_exception(Raised { class, value: Value::Unknown(Reason::Call), finding: None, state });
        Err(Unreachable)
    }

    pub(super) fn import_from(&mut self, module: Option<&str>, names: &[Alias], level: u32) -> Flow<()> {
        let code = self.current_code();
        if let Some(dotted) = module.filter(|_| level == 0) {
            self.refuse_old_module(dotted)?;
        }
        let dotted = self.analysis.program.resolve_import(&code, module, level);
        if let Some(dotted) = dotted.as_deref().filter(|dotted| *dotted != "_pytrope") {
            self.fail_with_import(dotted)?;
        }
        for alias in names {
            let text = code.tree.text(alias.name.name).to_owned();
            if text == "*" {
                self.import_star(dotted.as_deref());
                continue;
            }
            self.heed_compiled_part(dotted.as_deref(), &text);
            let value = match &dotted {
                Some(dotted) => self.import_name(dotted, &text)?,
                None => Value::Unknown(Reason::Import(Name::new(&text))),
            };
            self.bind_name(alias.asname.unwrap_or(alias.name).name, value);
        }
        Ok(())
    }

    /// A package that imports a part of itself which is compiled, and not names from it, has it store names into the package.
    ///
    /// ```python
    /// from . import _core          # `_core.abi3.so`: from here on `all` and `max` may be its own
    ///
    /// def close(a, b):
    ///     return all(a == b, axis=None)
    /// ```
    fn heed_compiled_part(&mut self, dotted: Option<&str>, name: &str) {
        let code = self.current_code();
        let scope = self.current_frame().chain[0];
        let is_part = code.is_package
            && !code.is_model
            && dotted == Some(&*code.name)
            && matches!(self.find_slot(scope, Name::new(name)), NameLookup::Missing);
        let program = self.analysis.program;
        if is_part
            && !program.exists(&format!("{}.{name}", code.name))
            && !program.provider.has_submodule(code.file.path(), name)
        {
            self.open_scope(scope);
        }
    }

    fn import_name(&mut self, dotted: &str, name: &str) -> Flow {
        let unknown = Value::Unknown(crate::attributes::standard_or(dotted, Reason::Import(Name::new(name))));
        if dotted == "_pytrope" {
            return Ok(match self.analysis.program.provider.primitive(name) {
                Some(native) => Value::Native(native),
                None => {
                    self.model_bug(&format!("there is no primitive `{name}`"));
                    unknown
                }
            });
        }
        let request = self.import_module(dotted);
        if let ModuleRequest::EvaluatedModule(frozen) = request
            && let Some(Object::Scope(slots)) =
                self.run.state.get(frozen.scope).or_else(|| frozen.heap.get(frozen.scope))
        {
            if let Some(slot) = slots.get(Name::new(name)) {
                let settled =
                    slot.definite && self.analysis.program.is_settled(&frozen.code, Name::new(name), &slot.value);
                return Ok(if settled { slot.value.clone() } else { unknown });
            }
            let submodule = format!("{dotted}.{name}");
            if !slots.open && !makes_name(&frozen.code, name) && self.analysis.program.exists(&submodule) {
                let module = self.module_value(&submodule);
                self.fail_with_import(&submodule)?;
                return Ok(module);
            }
            if self.analysis.program.closed_world
                && let Some(value) = self.import_lazily(&Arc::clone(&frozen.code), name)
            {
                return Ok(value);
            }
            if self.in_model() {
                self.model_bug(&format!("module `{dotted}` has no `{name}`"));
            } else if self.current_frame().handlers == 0
                && (self.lacks_global(frozen, dotted, name)
                    || self.lacks_standard_name(dotted, Name::new(name))
                    || self.lacks_listed_global(dotted, Name::new(name)))
            {
                // What a handler imports is there for another release of the library than the one that is read.
                let message = format!("cannot import name '{name}' from '{}'", shown_name(dotted));
                return self.raise_error("missing-attribute", "ImportError", message);
            }
            return Ok(unknown);
        }
        // The name as far as the import of its module has come.
        if let ModuleRequest::InProgress(number) = request
            && self.analysis.program.closed_world
            && let Some(Object::Scope(slots)) = self.run.state.get(module_scope(number))
            && let Some(slot) = slots.get(Name::new(name)).filter(|slot| slot.definite)
        {
            return Ok(slot.value.clone());
        }
        // A package in the middle of its own import may still bind the name to something else.
        let submodule = format!("{dotted}.{name}");
        let is_unread = matches!(request, ModuleRequest::Missing) && self.is_unmodelled_part(dotted);
        let is_made = self.analysis.program.parse_module(dotted).is_some_and(|code| makes_name(&code, name));
        if !is_unread
            && !is_made
            && !self.analysis.program.binds_global(dotted, name)
            && self.analysis.program.exists(&submodule)
        {
            return Ok(self.module_value(&submodule));
        }
        if self.current_frame().handlers == 0 && self.lacks_standard_name(dotted, Name::new(name)) {
            let message = format!("cannot import name '{name}' from '{}'", shown_name(dotted));
            return self.raise_error("missing-attribute", "ImportError", message);
        }
        Ok(unknown)
    }

    /// Whether a package inside a modelled library has no model of its own: what it binds is not known, though some of its modules are
    /// modelled. `transformers.utils` binds `auto_docstring` to a function of the module of that name.
    fn is_unmodelled_part(&self, dotted: &str) -> bool {
        let top = dotted.split('.').next().unwrap_or(dotted);
        top != dotted && self.analysis.program.exists(top) && self.analysis.program.provider.is_model(top)
    }

    /// A name of a package that makes its names when they are asked for, from the imports that it shows to type checkers:
    ///
    /// ```python
    /// if TYPE_CHECKING:
    ///     from .layers import Layer
    /// else:
    ///     sys.modules[__name__] = LazyModule(__name__, structure)
    /// ```
    fn import_lazily(&mut self, code: &Arc<Code>, name: &str) -> Option<Value> {
        let is_lazy = code.str_of("__getattr__").is_some() || code.file.text().contains("sys.modules[__name__]");
        if code.is_model || !is_lazy {
            return None;
        }
        for CheckerImport { module, names, level } in imports_for_checkers(code) {
            let Some(dotted) = self.analysis.program.resolve_import(code, module.as_deref(), level) else { continue };
            for (imported, bound) in names {
                if bound == name {
                    return self.import_name(&dotted, &imported).ok();
                }
                let listed = |interp: &mut Self| match interp.import_module(&dotted) {
                    ModuleRequest::EvaluatedModule(frozen) => frozen.globals.contains_key(&Name::new(name)),
                    ModuleRequest::InProgress(_) | ModuleRequest::Missing => false,
                };
                if imported == "*" && listed(self) {
                    return self.import_name(&dotted, name).ok();
                }
            }
        }
        None
    }

    /// Whether a module certainly has no name of its own: nothing in it binds the name, it makes no names on demand, and no other
    /// code of the program stores to it.
    fn lacks_global(&self, frozen: &EvaluatedModule, dotted: &str, name: &str) -> bool {
        let program = self.analysis.program;
        let (code, id) = (&frozen.code, Name::new(name));
        // A package may have modules that are compiled when it is built: `from firedrake.cython import dmcommon`.
        if !code.is_model && code.file.path().ends_with("__init__.py") {
            return false;
        }
        if id.is_dunder() || program.is_stored_attribute(id) || program.is_patched(id) {
            return false;
        }
        if code.is_model {
            return frozen.complete;
        }
        frozen.complete
            && !frozen.exhausted
            && !frozen.globals.contains_key(&Name::new("__getattr__"))
            && !program.is_put_into_namespaces(id)
            && !program.binds_global(dotted, name)
            && !program.provider.has_submodule(code.file.path(), name)
            && !imports_itself(code)
            && !program.rewrites_modules()
    }

    fn import_star(&mut self, dotted: Option<&str>) {
        let scope = self.current_frame().chain[0];
        if let Some(dotted) = dotted
            && let ModuleRequest::EvaluatedModule(frozen) = self.import_module(dotted)
            && let Some(Object::Scope(slots)) =
                self.run.state.get(frozen.scope).or_else(|| frozen.heap.get(frozen.scope))
        {
            let slots = slots.clone();
            let listed = slots.get(Name::ALL).map(|slot| match self.iterate_quietly(&slot.value) {
                Some(crate::value::Seq::Exact(items)) => {
                    items.iter().map(|item| item.as_str().map(Name::new)).collect::<Option<Vec<Name>>>()
                }
                _ => None,
            });
            for (name, slot) in slots.iter() {
                let (exported, is_sure) = match &listed {
                    Some(Some(listed)) => (listed.contains(&name), true),
                    // What it lists is not known: each name may stay what it is.
                    Some(None) => (!name.is_dunder(), false),
                    None => (!name.text().starts_with('_'), true),
                };
                if exported {
                    let is_sure = is_sure && (listed.is_some() || !self.hides_value(scope, name, &slot.value));
                    let value = if slot.definite && is_sure {
                        slot.value.clone()
                    } else {
                        Value::Unknown(Reason::Import(name))
                    };
                    self.bind_in(scope, name, value);
                }
            }
            if slots.open || !frozen.complete {
                self.open_scope(scope);
            }
            return;
        }
        self.rebind_by_unknown_star(scope);
        self.open_scope(scope);
    }

    /// Whether a star-import would put an imported module in the place of a value. Without `__all__` it would, but a library may have
    /// made that list while the module was imported: `@public` in a module that imports `decimal`, beside one that makes
    /// a value `decimal`.
    fn hides_value(&self, scope: crate::value::Addr, name: Name, imported: &Value) -> bool {
        let is_module =
            |value: &Value| value.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Module(_)));
        let bound = self.scope_slots(scope).and_then(|slots| slots.get(name));
        is_module(imported) && bound.is_some_and(|slot| !is_module(&slot.value))
    }

    /// A star-import from a module that is not read may bind every name anew. Modules keep theirs: what is imported by name beside
    /// a star-import is meant to stay.
    fn rebind_by_unknown_star(&mut self, scope: crate::value::Addr) {
        let Object::Scope(slots) = self.object_at(scope) else { return };
        let is_module = |value: &Value| {
            value.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Module(_) | Object::Array(_)))
        };
        let bound = slots.iter().filter(|(name, slot)| !name.text().starts_with('_') && !is_module(&slot.value));
        let bound: Vec<Name> = bound.map(|(name, _)| name).collect();
        for name in bound {
            self.bind_in(scope, name, Value::Unknown(Reason::Import(name)));
        }
    }

    /// From now on unknown names may be bound.
    pub(crate) fn open_scope(&mut self, scope: crate::value::Addr) {
        if let Object::Scope(slots) = self.object_at(scope) {
            let slots = Slots { open: true, ..slots.clone() };
            self.write_object(scope, Object::Scope(slots));
        }
    }
}

/// Whether a module makes a name on demand, which comes before a submodule of that name:
///
/// ```python
/// def __getattr__(name):
///     if name == "resample":
///         from .resample import resample
///         return resample
/// ```
fn makes_name(code: &Code, name: &str) -> bool {
    code.is_package
        && !code.is_model
        && code.str_of("__getattr__").is_some_and(|getattr| code.scopes.global_bindings.contains(getattr))
        && code.tree.strings().any(|text| text == name)
}

/// Whether a module imports the name that it has itself: the file means a library, and so do the files beside it.
///
/// ```python
/// import drawsvg                     # in `drawsvg.py`, an example of how to use the library
/// ```
fn imports_itself(code: &Code) -> bool {
    let own = shown_name(&code.name);
    !own.contains('.')
        && code.tree.stmt_ids().any(|id| match code.tree[id].kind {
            StmtKind::Import { names } => {
                code.tree[names].iter().any(|alias| code.tree.text(alias.name.name).split('.').next() == Some(own))
            }
            StmtKind::ImportFrom { module: Some(module), level: 0, .. } => {
                code.tree.text(module.name).split('.').next() == Some(own)
            }
            _ => false,
        })
}
