//! Plain code that gives equal results for equal arguments: what several roles may compute each for themselves.

use pytrope_source::tree::{Context, ExprId, ExprKind, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use super::expression::parameter_names;
use crate::declaration::{Binding, Unit};

/// Builtins that depend on nothing but their arguments and change none of them.
const FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "any",
    "ascii",
    "bin",
    "bool",
    "bytes",
    "chr",
    "complex",
    "dict",
    "divmod",
    "enumerate",
    "float",
    "hex",
    "int",
    "isinstance",
    "len",
    "list",
    "max",
    "min",
    "oct",
    "ord",
    "pow",
    "range",
    "repr",
    "reversed",
    "round",
    "slice",
    "sorted",
    "str",
    "sum",
    "tuple",
    "zip",
];

/// Builtins whose results cannot change in place.
const FROZEN: &[&str] = &[
    "abs",
    "all",
    "any",
    "ascii",
    "bin",
    "bool",
    "bytes",
    "chr",
    "complex",
    "divmod",
    "float",
    "hex",
    "int",
    "isinstance",
    "len",
    "oct",
    "ord",
    "pow",
    "range",
    "repr",
    "round",
    "str",
];

/// Methods of builtin values that only read.
const METHODS: &[&str] = &[
    "capitalize",
    "casefold",
    "count",
    "decode",
    "encode",
    "endswith",
    "find",
    "format",
    "get",
    "hex",
    "index",
    "isalnum",
    "isalpha",
    "isdigit",
    "islower",
    "isspace",
    "isupper",
    "items",
    "join",
    "keys",
    "ljust",
    "lower",
    "lstrip",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "upper",
    "values",
    "zfill",
    "bit_length",
    "is_integer",
    "as_integer_ratio",
];

/// Methods that change their receiver, fine on a container made in the function itself.
const CHANGES: &[&str] =
    &["append", "add", "extend", "insert", "pop", "remove", "reverse", "sort", "update", "setdefault", "discard"];

pub(super) fn is_pure_builtin(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

pub(super) fn gives_frozen(name: &str) -> bool {
    FROZEN.contains(&name)
}

pub(super) fn is_pure_method(name: &str) -> bool {
    METHODS.contains(&name)
}

/// Whether a callee, in plain code of the module, is known to be deterministic.
pub(super) fn is_pure_callee(unit: &Unit, function: ExprId) -> bool {
    is_pure(unit, function, &mut FxHashSet::default())
}

fn is_pure(unit: &Unit, function: ExprId, open: &mut FxHashSet<StmtId>) -> bool {
    let tree = &unit.tree;
    match tree[function].kind {
        ExprKind::Name { name, .. } => {
            let name = tree.text(name);
            match unit.scope.get(name) {
                None => is_pure_builtin(name),
                Some(Binding::Function(stmt)) => is_pure_function(unit, *stmt, open),
                Some(Binding::Module(module)) => module.starts_with("math."),
                _ => false,
            }
        }
        ExprKind::Attribute { value, .. } => tree
            .as_name(value)
            .and_then(|name| unit.scope.get(tree.text(name)))
            .is_some_and(|binding| *binding == Binding::Module("math".to_owned())),
        _ => false,
    }
}

fn is_pure_function(unit: &Unit, stmt: StmtId, open: &mut FxHashSet<StmtId>) -> bool {
    let tree = &unit.tree;
    let StmtKind::FunctionDef(function) = tree[stmt].kind else {
        return false;
    };
    if function.is_async || !function.decorators.is_empty() {
        return false;
    }
    // A recursive call is as pure as the rest of the function.
    if !open.insert(stmt) {
        return true;
    }
    let parameters: FxHashSet<&str> = parameter_names(tree, function.parameters).into_iter().collect();
    let mut locals: FxHashSet<&str> = FxHashSet::default();
    for inner in tree.suite_nodes(function.body) {
        match inner {
            pytrope_source::Node::Expr(expr) => {
                if let ExprKind::Name { name, context: Context::Store } = tree[expr].kind {
                    locals.insert(tree.text(name));
                }
            }
            pytrope_source::Node::Stmt(inner) => {
                let plain = matches!(
                    tree[inner].kind,
                    StmtKind::Return { .. }
                        | StmtKind::Assign { .. }
                        | StmtKind::AugAssign { .. }
                        | StmtKind::AnnAssign { .. }
                        | StmtKind::If { .. }
                        | StmtKind::For { .. }
                        | StmtKind::While { .. }
                        | StmtKind::Expr { .. }
                        | StmtKind::Pass
                        | StmtKind::Break
                        | StmtKind::Continue
                        | StmtKind::Assert { .. }
                        | StmtKind::Raise { .. }
                );
                if !plain {
                    return false;
                }
            }
        }
    }
    for inner in tree.suite_nodes(function.body) {
        let pytrope_source::Node::Expr(expr) = inner else { continue };
        match tree[expr].kind {
            ExprKind::Name { name, context: Context::Load } => {
                let name = tree.text(name);
                if parameters.contains(name) || locals.contains(name) {
                    continue;
                }
                match unit.scope.get(name) {
                    Some(Binding::Other | Binding::Surface(_) | Binding::Role | Binding::Choreography(_)) => {
                        return false;
                    }
                    Some(
                        Binding::Constant
                        | Binding::Enum
                        | Binding::Alias { .. }
                        | Binding::Function(_)
                        | Binding::PlainClass(_)
                        | Binding::Module(_),
                    )
                    | None => {}
                }
            }
            ExprKind::Attribute { context: Context::Store | Context::Del, .. } => return false,
            ExprKind::Subscript { value, context: Context::Store | Context::Del, .. } => {
                let own = tree
                    .as_name(value)
                    .is_some_and(|name| locals.contains(tree.text(name)) && !parameters.contains(tree.text(name)));
                if !own {
                    return false;
                }
            }
            ExprKind::Call { function: callee, .. } => {
                let by_method = match tree[callee].kind {
                    ExprKind::Attribute { value, attribute, .. } => {
                        let method = tree.text(attribute.name);
                        let own = tree.as_name(value).is_some_and(|name| {
                            locals.contains(tree.text(name)) && !parameters.contains(tree.text(name))
                        });
                        is_pure_method(method) || (own && CHANGES.contains(&method))
                    }
                    _ => false,
                };
                let exception =
                    matches!(tree[callee].kind, ExprKind::Name { name, .. } if tree.text(name).ends_with("Error"));
                if !by_method && !exception && !is_pure(unit, callee, open) {
                    return false;
                }
            }
            // The order of a set of strings differs from process to process.
            ExprKind::Set { .. } | ExprKind::SetComp { .. } => return false,
            ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => return false,
            _ => {}
        }
    }
    true
}
