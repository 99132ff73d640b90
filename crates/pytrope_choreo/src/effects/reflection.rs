//! State that is reached without its name: attributes of libraries, modules as objects, frames, `exec`.
//!
//! ```python
//! math.tau = 3                       # changes a library: state of the name `math.tau`, in all files
//! setattr(config, "rate", 2)         # may change any name of the module `config`
//! sys.modules[__name__].RATE = 2     # looks a name up
//! ```

use pytrope_semantic::ScopeId;
use pytrope_source::tree::{Context, ExprId, ExprKind, Parent};

use super::body::{EffectCollector, Share};
use super::imports::Imported;
use super::{Callee, Effects, ModuleVariable, ParameterSet, tables};
use crate::declaration::{Unit, UnitId, World};

/// What code that runs text or looks names up may change, as an attribute of a library.
const ANY_NAME: &str = "*";

/// What stands before the path of a library where it is a variable.
const LIBRARY: &str = "library ";

/// Builtins that run text or hand out the names of a module.
const REFLECTIVE_BUILTINS: &[&str] = &["__import__", "eval", "exec", "globals"];

/// Attributes that lead from an object to the names that code uses.
const REFLECTIVE_ATTRIBUTES: &[&str] = &[
    "__builtins__",
    "__closure__",
    "__code__",
    "__defaults__",
    "__globals__",
    "__kwdefaults__",
    "__subclasses__",
    "cell_contents",
    "f_back",
    "f_globals",
    "f_locals",
    "gi_frame",
];

/// Names of libraries by which modules, frames or all objects are reached.
const REFLECTIVE_PATHS: &[&str] = &[
    "ctypes",
    "gc",
    "importlib",
    "inspect.currentframe",
    "inspect.getmodule",
    "inspect.stack",
    "sys._getframe",
    "sys.modules",
    "sys.setprofile",
    "sys.settrace",
];

/// Attributes with two underscores that equal values have alike in every process.
const PLAIN_SPECIAL: &[&str] = &["__class__", "__dict__", "__doc__", "__name__", "__qualname__"];

/// Whether an attribute says more about an object than its value: `__module__` is another one in the program of each role.
pub(crate) fn is_hidden_attribute(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__") && !PLAIN_SPECIAL.contains(&name)
}

/// The variable that an attribute of a library is.
fn library_variable(path: &str) -> ModuleVariable {
    (UnitId(0), format!("{LIBRARY}{path}"))
}

/// What a program changes whose code looks names up.
pub(crate) fn any_name() -> String {
    library_variable(ANY_NAME).1
}

/// The path of a library that a variable stands for.
pub(crate) fn library_path(name: &str) -> Option<&str> {
    name.strip_prefix(LIBRARY)
}

/// Whether an expression reaches names that its text does not say.
fn is_reflective(effects: &Effects, world: &World, unit: &Unit, expr: ExprId) -> bool {
    let tree = &unit.tree;
    match tree[expr].kind {
        ExprKind::Name { name, context: Context::Load } => {
            let name = tree.text(name);
            let is_builtin = effects.resolve_callee(world, unit, expr) == Callee::Builtin(name.to_owned());
            is_builtin && REFLECTIVE_BUILTINS.contains(&name) && !is_confined(unit, expr)
                || is_reflective_path(effects, world, unit, expr)
        }
        ExprKind::Attribute { attribute, .. } => {
            REFLECTIVE_ATTRIBUTES.contains(&tree.text(attribute.name)) || is_reflective_path(effects, world, unit, expr)
        }
        _ => false,
    }
}

fn is_reflective_path(effects: &Effects, world: &World, unit: &Unit, expr: ExprId) -> bool {
    matches!(effects.resolve_callee(world, unit, expr), Callee::Library(path)
    if REFLECTIVE_PATHS.iter().any(|&known| {
        path.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }))
}

/// `eval(text, {"x": x})` is given all that it can reach but builtins.
fn is_confined(unit: &Unit, builtin: ExprId) -> bool {
    let tree = &unit.tree;
    let Parent::Expr(call) = tree[builtin].parent else { return false };
    let ExprKind::Call { arguments, .. } = tree[call].kind else { return false };
    tree.as_name(builtin).is_some_and(|name| matches!(tree.text(name), "eval" | "exec"))
        && tree[arguments.positional].get(1).is_some_and(|&names| matches!(tree[names].kind, ExprKind::Dict { .. }))
}

/// The file that a name stands for where it is used as an object, and not to say one of its names.
fn module_object(effects: &Effects, world: &World, unit: &Unit, expr: ExprId) -> Option<UnitId> {
    let tree = &unit.tree;
    let name = tree.text(tree.as_name(expr)?);
    let says_name = matches!(tree[expr].parent, Parent::Expr(parent)
        if matches!(tree[parent].kind, ExprKind::Attribute { attribute, .. } if tree.text(attribute.name) != "__dict__"));
    match effects.imports.find_import(world, unit, name)? {
        Imported::Project(source, None) if !says_name => Some(source),
        _ => None,
    }
}

impl Effects {
    /// Attributes of libraries, and names of a file that is used as an object, which an expression may read.
    pub(super) fn reflected_variables(&self, world: &World, unit: &Unit, expr: ExprId) -> Vec<ModuleVariable> {
        let names_of = |unit: &Unit| -> Vec<ModuleVariable> {
            unit.names.names_of(ScopeId::MODULE).into_iter().map(|(name, _)| (unit.id, name.to_owned())).collect()
        };
        if let Some(source) = module_object(self, world, unit, expr) {
            return names_of(world.unit(source));
        }
        if let Callee::Library(path) = self.resolve_callee(world, unit, expr) {
            return path_prefixes(&path).map(library_variable).collect();
        }
        Vec::new()
    }

    /// The state of an attribute of a library.
    pub(super) fn library_state(&self, path: &str) -> ParameterSet {
        self.state_of(library_variable(path))
    }
}

/// `a`, `a.b` and `a.b.c` of `a.b.c`.
fn path_prefixes(path: &str) -> impl Iterator<Item = &str> {
    path.char_indices().filter(|(_, letter)| *letter == '.').map(|(at, _)| &path[..at]).chain([path])
}

impl EffectCollector<'_> {
    /// Code that reaches names which its text does not say may change all of them.
    pub(super) fn record_reflection(&mut self, expr: ExprId) {
        let unit = self.unit;
        let tree = &unit.tree;
        let range = tree[expr].range;
        let reached = if is_reflective(self.effects, self.world, unit, expr) {
            self.add_variation(range, format!("reaches names of modules by {}", unit.expr_text(expr)));
            vec![library_variable(ANY_NAME)]
        } else if let Some(source) = module_object(self.effects, self.world, unit, expr)
            && !self.only_reads_module(expr)
        {
            self.add_variation(range, format!("uses the module {} as an object", unit.expr_text(expr)));
            let source = self.world.unit(source);
            source.names.names_of(ScopeId::MODULE).into_iter().map(|(name, _)| (source.id, name.to_owned())).collect()
        } else {
            return;
        };
        let state =
            reached.into_iter().fold(ParameterSet::NONE, |found, name| found.union(self.effects.state_of(name)));
        self.record_change(Share::of_parts(state), range);
    }

    /// `getattr(module, name)` looks at a module.
    fn only_reads_module(&self, module: ExprId) -> bool {
        let tree = &self.unit.tree;
        let Parent::Expr(parent) = tree[module].parent else { return false };
        match tree[parent].kind {
            ExprKind::Call { function, .. } => tree
                .as_name(function)
                .is_some_and(|name| matches!(tree.text(name), "dir" | "getattr" | "hasattr" | "isinstance" | "type")),
            _ => false,
        }
    }

    /// What `math.tau = 3` and `sys.path[0] = …` change; an object that a library gives, `getcontext().prec = 3`, is state of all of it.
    pub(super) fn changed_library(&self, owner: ExprId, attribute: Option<&str>) -> ParameterSet {
        let is_result = matches!(self.unit.tree[owner].parent, Parent::Expr(parent)
            if matches!(self.unit.tree[parent].kind, ExprKind::Call { function, .. } if function == owner));
        match self.effects.resolve_callee(self.world, self.unit, owner) {
            Callee::Library(path) if is_result => self.effects.library_state(path.split('.').next().unwrap_or(&path)),
            Callee::Library(path) => {
                let full = attribute.map_or_else(|| path.clone(), |attribute| format!("{path}.{attribute}"));
                self.effects.library_state(&full)
            }
            _ => ParameterSet::OUTSIDE,
        }
    }

    /// `os.environ.update(…)`: a call by the path of a library that changes what stands before its last name.
    pub(super) fn changed_by_library_call(&self, path: &str) -> ParameterSet {
        if let Some((module, _)) = path.split_once('.').filter(|_| tables::sets_process(path)) {
            return self.effects.library_state(module);
        }
        match path.rsplit_once('.') {
            Some((owner, method)) if owner.contains('.') && tables::is_changing_method(method) => {
                self.effects.library_state(owner)
            }
            _ => ParameterSet::NONE,
        }
    }
}
