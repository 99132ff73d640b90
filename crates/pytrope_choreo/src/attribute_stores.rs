//! Attributes that code stores outside of constructors: by them objects change whose types say that they cannot.
//!
//! ```python
//! def mark(level: Level, n: int) -> None:
//!     level.mark = n  # members of an enum take new attributes, exceptions too
//!
//!
//! object.__setattr__(config, "rate", 2)  # so do instances of a frozen dataclass
//! ```
//!
//! Which class an object has is not followed: a store counts against every class that binds the attribute, and against all classes
//! of this kind if no other class does.

use pytrope_source::Tree;
use pytrope_source::tree::{ClassDefinition, Context, ExprId, ExprKind, FunctionDefinition, Parent, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use crate::declaration::{Meaning, Unit, World};
use crate::effects::is_reading_use;
use crate::scan::is_immutable;
use crate::value_types::is_frozen_type;

/// What one file stores into attributes.
#[derive(Clone, Default)]
pub struct AttributeStores {
    /// The names that are stored into objects which are not being made.
    outside: FxHashSet<String>,
    /// The names that classes bind whose instances may change.
    declared: FxHashSet<String>,
    /// Something is stored by a name that is not known, or past what a class says.
    hidden: bool,
}

impl AttributeStores {
    pub const fn is_hidden(&self) -> bool {
        self.hidden
    }
}

/// Methods that run while an object is made.
const MAKERS: &[&str] = &["__init__", "__new__", "__post_init__"];

pub(crate) fn find_attribute_stores(unit: &Unit) -> AttributeStores {
    let tree = &unit.tree;
    let mut found = AttributeStores::default();
    let mut own: FxHashSet<ExprId> = FxHashSet::default();
    let mut in_makers: FxHashSet<ExprId> = FxHashSet::default();
    for class in tree.stmt_ids() {
        let StmtKind::ClassDef(declared) = tree[class].kind else { continue };
        let keeps = stays_itself(unit, declared);
        for method in methods_of(tree, declared) {
            let is_maker = MAKERS.contains(&tree.text(method.1.name.name));
            if is_maker {
                in_makers.extend(unit.exprs_within(tree[method.0].range));
            }
            for (expr, name) in own_stores(unit, method) {
                own.insert(expr);
                if !keeps {
                    found.declared.insert(name.to_owned());
                } else if !is_maker {
                    found.outside.insert(name.to_owned());
                }
            }
        }
        if !keeps {
            found.declared.extend(names_in_body(tree, declared).map(str::to_owned));
        }
    }
    for expr in tree.expr_ids() {
        match tree[expr].kind {
            ExprKind::Attribute { attribute, context: Context::Store | Context::Del, .. } if !own.contains(&expr) => {
                found.outside.insert(tree.text(attribute.name).to_owned());
            }
            ExprKind::Attribute { attribute, .. } => match tree.text(attribute.name) {
                "__setattr__" | "__delattr__" => found.hidden |= !in_makers.contains(&expr),
                "__dict__" => found.hidden |= !is_reading_use(unit, expr),
                _ => {}
            },
            ExprKind::Call { function, arguments } => match tree.as_name(function).map(|name| tree.text(name)) {
                Some("setattr" | "delattr") => match tree[arguments.positional].get(1).map(|&name| tree[name].kind) {
                    Some(ExprKind::Str(_)) => {
                        let name = unit.expr_text(tree[arguments.positional][1]);
                        found.outside.insert(name.trim_matches(|quote| matches!(quote, '"' | '\'')).to_owned());
                    }
                    _ => found.hidden = true,
                },
                Some("vars") if !arguments.positional.is_empty() => {
                    found.hidden |= !is_reading_use(unit, expr) && !is_spread(unit, expr);
                }
                _ => {}
            },
            _ => {}
        }
    }
    found
}

/// Whether instances of a class that says that they cannot change are stored into all the same.
pub(crate) fn is_stored_into(world: &World, unit: &Unit, class: ClassDefinition, takes_attributes: bool) -> bool {
    let units = || world.units.iter().map(|unit| &unit.stores).chain([&unit.stores]);
    if units().any(|stores| stores.hidden) {
        return true;
    }
    if !takes_attributes {
        return false;
    }
    let tree = &unit.tree;
    let bound: FxHashSet<&str> = names_in_body(tree, class)
        .chain(methods_of(tree, class).flat_map(|method| own_stores(unit, method).into_iter().map(|(_, name)| name)))
        .collect();
    let is_declared = |name: &String| units().any(|stores| stores.declared.contains(name));
    units().any(|stores| stores.outside.iter().any(|name| bound.contains(name.as_str()) || !is_declared(name)))
}

/// Whether what the constructor of an enum or an exception stores cannot change: literals, numbers, parameters of such types.
///
/// `given`: parameters without a type get nothing that can change.
pub(crate) fn holds_frozen(unit: &Unit, class: ClassDefinition, given: bool) -> bool {
    let tree = &unit.tree;
    methods_of(tree, class).all(|method| {
        own_stores(unit, method).into_iter().all(|(expr, _)| {
            let Parent::Stmt(stmt) = tree[expr].parent else { return false };
            match tree[stmt].kind {
                StmtKind::Assign { value, .. } => is_frozen_value(unit, method.1, value, given),
                StmtKind::AnnAssign { annotation, value, .. } => {
                    is_frozen_type(tree, annotation)
                        || value.is_some_and(|value| is_frozen_value(unit, method.1, value, given))
                }
                _ => false,
            }
        })
    })
}

/// Whether methods of a class store nothing that can change but attributes that its body declares.
pub(crate) fn stores_declared(unit: &Unit, class: ClassDefinition) -> bool {
    let tree = &unit.tree;
    let declared: FxHashSet<&str> = names_in_body(tree, class).collect();
    methods_of(tree, class).all(|method| {
        let undeclared = own_stores(unit, method).into_iter().filter(|(_, name)| !declared.contains(name));
        undeclared.into_iter().all(|(expr, _)| {
            let Parent::Stmt(stmt) = tree[expr].parent else { return false };
            match tree[stmt].kind {
                StmtKind::Assign { value, .. } => is_frozen_value(unit, method.1, value, false),
                StmtKind::AnnAssign { annotation, .. } => is_frozen_type(tree, annotation),
                StmtKind::AugAssign { .. } | StmtKind::Delete { .. } => true,
                _ => false,
            }
        })
    })
}

fn is_frozen_value(unit: &Unit, method: FunctionDefinition, value: ExprId, given: bool) -> bool {
    let tree = &unit.tree;
    let frozen = |part: ExprId| is_frozen_value(unit, method, part, given);
    match tree[value].kind {
        ExprKind::Name { name, .. } => {
            let declared = crate::effects::summary_parameters(unit, method);
            let parameter = declared.iter().find(|parameter| tree.text(parameter.name.name) == tree.text(name));
            parameter.is_some_and(|parameter| {
                parameter.annotation.map_or(given, |annotation| is_frozen_type(tree, annotation))
            }) || is_immutable(unit, value)
        }
        ExprKind::BinOp { left, right, .. } => frozen(left) && frozen(right),
        ExprKind::UnaryOp { operand, .. } => frozen(operand),
        ExprKind::Compare { .. } | ExprKind::FString { .. } => true,
        ExprKind::Tuple { elements, .. } => tree[elements].iter().all(|&part| frozen(part)),
        ExprKind::IfExp { body, orelse, .. } => frozen(body) && frozen(orelse),
        ExprKind::Call { function, .. } => tree.as_name(function).is_some_and(|name| {
            matches!(tree.text(name), "abs" | "bool" | "float" | "int" | "len" | "repr" | "round" | "str")
        }),
        _ => is_immutable(unit, value),
    }
}

/// Whether instances of a class count as what cannot change because of its base: members of enums, exceptions.
fn stays_itself(unit: &Unit, class: ClassDefinition) -> bool {
    let name = unit.tree.text(class.name.name);
    let bases = class.arguments.map_or(&[][..], |arguments| &unit.tree[arguments.positional]);
    unit.meanings.get(name) == Some(&Meaning::Enum) || bases.iter().any(|&base| is_exception_base(unit, base))
}

pub(crate) fn is_exception_base(unit: &Unit, base: ExprId) -> bool {
    let text = unit.expr_text(base);
    text.ends_with("Error") || text == "Exception"
}

fn methods_of(tree: &Tree, class: ClassDefinition) -> impl Iterator<Item = (StmtId, FunctionDefinition)> + '_ {
    tree[class.body].iter().filter_map(|&stmt| match tree[stmt].kind {
        StmtKind::FunctionDef(method) => Some((stmt, method)),
        _ => None,
    })
}

/// The attributes of its first parameter that a method stores.
fn own_stores(unit: &Unit, (stmt, method): (StmtId, FunctionDefinition)) -> Vec<(ExprId, &str)> {
    let tree = &unit.tree;
    let declared = crate::effects::summary_parameters(unit, method);
    let Some(receiver) = declared.first().map(|first| tree.text(first.name.name)) else { return Vec::new() };
    let stores = unit.exprs_within(tree[stmt].range).filter_map(|expr| match tree[expr].kind {
        ExprKind::Attribute { value, attribute, context: Context::Store | Context::Del } => {
            let of_receiver = tree.as_name(value).is_some_and(|name| tree.text(name) == receiver);
            of_receiver.then(|| (expr, tree.text(attribute.name)))
        }
        _ => None,
    });
    stores.collect()
}

fn names_in_body(tree: &Tree, class: ClassDefinition) -> impl Iterator<Item = &str> {
    tree[class.body].iter().flat_map(|&stmt| {
        let targets = match tree[stmt].kind {
            StmtKind::Assign { targets, .. } => tree[targets].to_vec(),
            StmtKind::AnnAssign { target, .. } => vec![target],
            _ => Vec::new(),
        };
        targets.into_iter().filter_map(|target| tree.as_name(target)).map(|name| tree.text(name))
    })
}

/// `Config(**vars(config))`
fn is_spread(unit: &Unit, expr: ExprId) -> bool {
    let Parent::Expr(parent) = unit.tree[expr].parent else { return false };
    match unit.tree[parent].kind {
        ExprKind::Call { arguments, .. } => {
            unit.tree[arguments.keywords].iter().any(|keyword| keyword.name.is_none() && keyword.value == expr)
        }
        _ => false,
    }
}
