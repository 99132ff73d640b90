//! What names mean: owners, uses, attributes, imports and aliases, definitions of other modules.

use pytrope_semantic::{DefinitionKind, ModuleNames, ModuleTable, ScopeId, resolve_member, scope_of_expr};
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use pytrope_source::{ScopedTree, SourceFile, parse};

struct Module {
    name: &'static str,
    file: std::sync::Arc<SourceFile>,
    scoped: ScopedTree,
    names: ModuleNames,
}

impl Module {
    fn read(name: &'static str, text: &str) -> Self {
        let file = SourceFile::from_text("a.py", text);
        let scoped = ScopedTree::of(parse(&file).tree, &file);
        let names = ModuleNames::of(&scoped.tree, &scoped.scopes, name, false);
        Self { name, file, scoped, names }
    }

    /// The last expression of a text.
    fn expr(&self, text: &str) -> ExprId {
        let tree = &self.scoped.tree;
        tree.expr_ids().filter(|&expr| self.file.slice(tree[expr].range) == text).last().unwrap()
    }

    fn qualified(&self, text: &str) -> Option<String> {
        self.names.qualified_name(&self.scoped.tree, self.expr(text))
    }

    fn kinds(&self, scope: ScopeId, name: &str) -> Vec<&DefinitionKind> {
        self.names.definitions_of(scope, name).iter().map(|&id| &self.names.definition(id).kind).collect()
    }
}

struct Table(Vec<Module>);

impl ModuleTable for Table {
    fn names_of_module(&self, module: &str) -> Option<&ModuleNames> {
        self.0.iter().find(|known| known.name == module).map(|known| &known.names)
    }
}

#[test]
fn imports_and_aliases_have_qualified_names() {
    let module = Module::read(
        "pkg.mod",
        "import numpy as np\nimport os.path\nfrom torch import nn as layers\nfrom .other import thing\nfrom . import near\n\
         norm = np.linalg.norm\nprint(np.dot, os.path.join, layers.Linear, thing.part, near.x, norm)\nlen\n",
    );
    assert_eq!(module.qualified("np.dot").as_deref(), Some("numpy.dot"));
    assert_eq!(module.qualified("os.path.join").as_deref(), Some("os.path.join"));
    assert_eq!(module.qualified("layers.Linear").as_deref(), Some("torch.nn.Linear"));
    assert_eq!(module.qualified("thing.part").as_deref(), Some("pkg.other.thing.part"));
    assert_eq!(module.qualified("near.x").as_deref(), Some("pkg.near.x"));
    assert_eq!(module.qualified("norm").as_deref(), Some("numpy.linalg.norm"));
    assert_eq!(module.qualified("len").as_deref(), Some("builtins.len"));
}

#[test]
fn a_local_hides_an_import() {
    let module = Module::read("m", "import numpy as np\ndef f(np):\n    return np.dot\n");
    assert_eq!(module.qualified("np.dot"), None);
}

#[test]
fn a_name_of_a_lambda_is_no_name_of_the_function() {
    let module = Module::read("m", "import torch as t\ndef f(xs):\n    g = lambda t: t.size\n    return t.ones\n");
    assert_eq!(module.qualified("t.ones").as_deref(), Some("torch.ones"));
    assert_eq!(module.qualified("t.size"), None);
}

#[test]
fn star_imports_bring_what_nothing_else_binds() {
    let module = Module::read("m", "from tensorflow import *\nprint(constant)\n");
    assert_eq!(module.qualified("constant").as_deref(), Some("tensorflow.constant"));
    assert_eq!(module.qualified("print").as_deref(), Some("builtins.print"));
}

#[test]
fn uses_are_those_of_the_owner() {
    let module = Module::read(
        "m",
        "x = 1\ndef f():\n    return x\ndef g(x):\n    return x\ndef h():\n    global x\n    x += 1\nclass C:\n    x = 2\n    y = x\n",
    );
    // In `f`, and the augmented assignment of `h`.
    assert_eq!(module.names.uses_of(ScopeId::MODULE, "x").len(), 2);
    assert_eq!(module.kinds(ScopeId::MODULE, "x").len(), 2);
}

#[test]
fn defaults_and_first_iterables_belong_to_the_scope_around() {
    let module = Module::read("m", "def f(a):\n    return [b for b in a if (lambda c=a: c)]\n");
    let (tree, scopes) = (&module.scoped.tree, &module.scoped.scopes);
    let reads: Vec<ScopeId> = tree
        .expr_ids()
        .filter(|&e| module.file.slice(tree[e].range) == "a")
        .map(|e| scope_of_expr(tree, scopes, e))
        .collect();
    let function = *scopes.of_stmt.values().next().unwrap();
    let comprehension = scopes.iter().find(|(_, s)| s.kind == pytrope_semantic::ScopeKind::Comprehension).unwrap().0;
    assert!(reads.contains(&function) && reads.contains(&comprehension));
}

#[test]
fn unpacking_says_which_part() {
    let module = Module::read("m", "a, b = 1, 2\nc, d = load()\nfor i, (j, k) in pairs:\n    pass\np, *q = load()\n");
    assert!(matches!(module.kinds(ScopeId::MODULE, "b")[..], [DefinitionKind::Value(_)]));
    assert!(matches!(module.kinds(ScopeId::MODULE, "d")[..], [DefinitionKind::Element(_, 1)]));
    assert!(matches!(module.kinds(ScopeId::MODULE, "k")[..], [DefinitionKind::Iteration(_, Some(1))]));
    assert!(matches!(module.kinds(ScopeId::MODULE, "p")[..], [DefinitionKind::Unpacked]));
    assert!(matches!(module.kinds(ScopeId::MODULE, "q")[..], [DefinitionKind::Starred]));
}

#[test]
fn attributes_are_bound_in_the_body_and_through_self() {
    let module = Module::read(
        "m",
        "class C:\n    rate = 1\n    def __init__(self, m):\n        self.model = m\n        m.other = 2\n    def f(this):\n        this.model = None\n",
    );
    let tree = &module.scoped.tree;
    let class = tree.stmt_ids().find(|&s| matches!(tree[s].kind, StmtKind::ClassDef(_))).unwrap();
    assert_eq!(module.names.attribute_definitions(class, "rate").len(), 1);
    assert_eq!(module.names.attribute_definitions(class, "model").len(), 2);
    assert!(module.names.attribute_definitions(class, "other").is_empty());
}

#[test]
fn members_are_found_through_re_exports() {
    let table = Table(vec![
        Module::read("pkg", "from pkg.impl import step as run\nfrom pkg.more import *\n"),
        Module::read("pkg.impl", "def step():\n    pass\nfrom numpy import dot\n"),
        Module::read("pkg.more", "class Net:\n    pass\nfrom pkg import loop\n"),
    ]);
    let kinds = |member: &str| -> Vec<(String, DefinitionKind)> {
        resolve_member(&table, member)
            .into_iter()
            .map(|(home, id)| {
                let kind = table.names_of_module(&home).unwrap().definition(id).kind.clone();
                (home, kind)
            })
            .collect()
    };
    assert_eq!(kinds("pkg.run"), [("pkg.impl".to_owned(), DefinitionKind::Function)]);
    assert_eq!(kinds("pkg.Net"), [("pkg.more".to_owned(), DefinitionKind::Class)]);
    assert_eq!(kinds("pkg.impl.dot"), [("pkg.impl".to_owned(), DefinitionKind::Import("numpy.dot".to_owned()))]);
    // `pkg` and `pkg.more` import `loop` from each other: the search ends.
    assert_eq!(kinds("pkg.loop"), []);
    assert_eq!(kinds("numpy.dot"), []);
}

#[test]
fn every_load_of_a_bound_name_has_an_owner() {
    let module = Module::read(
        "m",
        "import a\ndef f(x, *rest, **more):\n    try:\n        pass\n    except E as e:\n        return e, rest, more, a\n",
    );
    let tree = &module.scoped.tree;
    for expr in tree.expr_ids() {
        if let ExprKind::Name { name, .. } = tree[expr].kind
            && tree.text(name) != "E"
        {
            assert!(module.names.owner_of_use(expr).is_some(), "{}", tree.text(name));
        }
    }
}
