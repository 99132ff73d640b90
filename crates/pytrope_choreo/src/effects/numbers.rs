//! Numbers, by what binds names and by declared types: what operators make of a number and something else is new, and holds nothing.

use pytrope_semantic::DefinitionKind;
use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind};

use super::{Effects, library_names};
use crate::declaration::Unit;
use crate::surface;

/// Types of numbers.
const NUMBERS: &[&str] = &["bool", "complex", "float", "int"];

/// Builtins that give numbers.
const NUMBER_MAKERS: &[&str] = &["bool", "complex", "float", "int", "len", "ord"];

/// Modules of the standard library that have no classes with operators, besides those with pure names; libraries are taken to have some.
const PLAIN_MODULES: &[&str] = &[
    "__future__",
    "argparse",
    "asyncio",
    "concurrent",
    "contextvars",
    "csv",
    "getpass",
    "glob",
    "gzip",
    "inspect",
    "io",
    "locale",
    "logging",
    "multiprocessing",
    "os",
    "pickle",
    "platform",
    "pprint",
    "pytrope",
    "queue",
    "random",
    "secrets",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "traceback",
    "warnings",
    "weakref",
];

/// Names of names beyond this are not followed.
const DEPTH: usize = 8;

impl Effects {
    /// What of a file and its project lets operators give more than new numbers and texts: classes that say what operators mean, and arrays.
    pub(super) fn note_operators(&mut self) {
        let is_operator = |name: &String| {
            let inner = name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or_default();
            let plain = |inner: &str| BINARY_METHODS.contains(&inner);
            plain(inner) || inner.strip_prefix(['r', 'i']).is_some_and(plain)
        };
        let plain = |path: &str| {
            let module = path.split('.').next().unwrap_or_default();
            library_names::is_pure_module(module) || PLAIN_MODULES.contains(&module)
        };
        self.open_operators = !self.imports.library_names().all(plain)
            || self.methods.keys().any(is_operator)
            || self.properties.keys().any(is_operator);
    }

    /// Whether an operator gives a number or a text, which holds nothing of its operands: `total / count`, `1 + rows[0]`.
    pub fn gives_number(&self, unit: &Unit, left: ExprId, op: BinaryOperator, right: ExprId) -> bool {
        if self.open_operators {
            return false;
        }
        match op {
            BinaryOperator::Div
            | BinaryOperator::FloorDiv
            | BinaryOperator::Mod
            | BinaryOperator::Pow
            | BinaryOperator::LShift
            | BinaryOperator::RShift => true,
            BinaryOperator::Add | BinaryOperator::Sub => is_number(unit, left, DEPTH) || is_number(unit, right, DEPTH),
            _ => is_number(unit, left, DEPTH) && is_number(unit, right, DEPTH),
        }
    }

    /// Whether a variable is a number that is only counted with: `total = 0`, `total += node.weight`.
    pub(super) fn counts_numbers(&self, unit: &Unit, target: ExprId) -> bool {
        !self.open_operators && unit.tree.as_name(target).is_some() && is_number(unit, target, DEPTH)
    }
}

/// The operators of two operands, by their methods.
const BINARY_METHODS: &[&str] = &[
    "add", "and", "divmod", "floordiv", "lshift", "matmul", "mod", "mul", "or", "pow", "rshift", "sub", "truediv",
    "xor",
];

/// Whether a value is a number, at whatever role.
fn is_number(unit: &Unit, value: ExprId, depth: usize) -> bool {
    let tree = &unit.tree;
    if depth == 0 {
        return false;
    }
    let number = |part: ExprId| is_number(unit, part, depth - 1);
    match tree[value].kind {
        ExprKind::Int(_) | ExprKind::BigInt(_) | ExprKind::Float(_) | ExprKind::Imaginary(_) | ExprKind::Bool(_) => {
            true
        }
        ExprKind::UnaryOp { operand, .. } => number(operand),
        ExprKind::BinOp { left, op: BinaryOperator::Add | BinaryOperator::Sub, right } => number(left) || number(right),
        ExprKind::BinOp { left, right, .. } => number(left) && number(right),
        ExprKind::IfExp { body, orelse, .. } => number(body) && number(orelse),
        ExprKind::Call { function, arguments } => match tree[function].kind {
            ExprKind::Name { name, .. } => {
                NUMBER_MAKERS.contains(&tree.text(name)) && unit.names.owner_of_use(function).is_none()
            }
            // What is received is what was sent.
            ExprKind::Attribute { attribute, .. } if tree.text(attribute.name) == "com" => {
                tree[arguments.positional].first().is_some_and(|&sent| number(sent))
            }
            _ => false,
        },
        ExprKind::Name { name, .. } => {
            let Some(owner) = unit.names.owner_of_use(value) else { return false };
            let definitions = unit.names.definitions_of(owner, tree.text(name));
            !definitions.is_empty()
                && definitions.iter().all(|&id| {
                    let definition = unit.names.definition(id);
                    if let Some(annotation) = unit.annotation_of(definition) {
                        return names_number(unit, annotation);
                    }
                    match definition.kind {
                        DefinitionKind::Value(bound) => number(bound),
                        // Nothing is added to a number but numbers.
                        DefinitionKind::Augmented(_) => definitions.len() > 1,
                        DefinitionKind::Iteration(over, None) => goes_over_numbers(unit, over, depth - 1),
                        _ => false,
                    }
                })
        }
        _ => false,
    }
}

fn goes_over_numbers(unit: &Unit, over: ExprId, depth: usize) -> bool {
    let tree = &unit.tree;
    match tree[over].kind {
        ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => {
            tree[elements].iter().all(|&element| is_number(unit, element, depth))
        }
        ExprKind::Call { function, .. } => {
            tree.as_name(function).is_some_and(|name| tree.text(name) == "range")
                && unit.names.owner_of_use(function).is_none()
        }
        _ => false,
    }
}

/// Whether a type is that of numbers, at whatever role.
fn names_number(unit: &Unit, annotation: ExprId) -> bool {
    let tree = &unit.tree;
    match tree[annotation].kind {
        ExprKind::Name { name, .. } => NUMBERS.contains(&tree.text(name)) && unit.is_of_module(annotation),
        ExprKind::BinOp { left, right, .. } => names_number(unit, left) && names_number(unit, right),
        ExprKind::Subscript { value, index, .. }
            if surface::surface_of_expr(unit, value) == Some(crate::declaration::Surface::At) =>
        {
            surface::subscript_elements(unit, index).first().is_some_and(|&payload| names_number(unit, payload))
        }
        _ => false,
    }
}
