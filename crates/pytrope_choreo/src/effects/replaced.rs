//! What assignments put in the place of methods and of names of libraries.
//!
//! ```python
//! Clock.now = read_clock  # `Clock().now()` runs another function than the class says
//! math.tau = 6.3
//! ```
//!
//! What is replaced somewhere, in whatever order, is not known.

use pytrope_source::tree::{Context, ExprId, ExprKind, StmtKind};
use rustc_hash::FxHashSet;

use super::{Callee, Effects, PlainFunction};
use crate::declaration::{Unit, World};

/// Attributes of classes and libraries that are stored somewhere.
#[derive(Default)]
pub(super) struct Replaced {
    attributes: FxHashSet<(PlainFunction, String)>,
    /// Paths of libraries; those of which any name may have been replaced end in a dot.
    paths: FxHashSet<String>,
}

impl Replaced {
    pub fn has_path(&self, path: &str) -> bool {
        !self.paths.is_empty()
            && self.paths.iter().any(|known| {
                path.strip_prefix(known.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || known.ends_with('.'))
            })
    }

    pub fn has_attribute(&self, class: PlainFunction, name: &str) -> bool {
        self.attributes.contains(&(class, name.to_owned()))
    }
}

pub(super) fn find_replaced(world: &World, effects: &Effects) -> Replaced {
    let mut found = Replaced::default();
    for unit in &world.units {
        for expr in unit.tree.expr_ids() {
            if let Some((owner, name)) = stored_attribute(unit, expr)
                && unit.is_of_module(owner)
            {
                note_replaced(world, effects, unit, (owner, name), &mut found);
            }
        }
    }
    found
}

/// The owner and the name in `owner.name = …`, `del owner.name` and `setattr(owner, name, …)`; without a name any may be meant.
fn stored_attribute(unit: &Unit, expr: ExprId) -> Option<(ExprId, Option<&str>)> {
    let tree = &unit.tree;
    match tree[expr].kind {
        ExprKind::Attribute { value, attribute, context: Context::Store | Context::Del } => {
            Some((value, Some(tree.text(attribute.name))))
        }
        ExprKind::Call { function, arguments } => {
            let called = tree.as_name(function).map(|name| tree.text(name));
            let owner = *tree[arguments.positional].first()?;
            matches!(called, Some("setattr" | "delattr")).then_some((owner, None))
        }
        _ => None,
    }
}

fn note_replaced(
    world: &World,
    effects: &Effects,
    unit: &Unit,
    (owner, name): (ExprId, Option<&str>),
    found: &mut Replaced,
) {
    match effects.resolve_callee(world, unit, owner) {
        Callee::Library(path) => {
            found.paths.insert(format!("{path}.{}", name.unwrap_or_default()));
        }
        Callee::Class(class) => {
            if let Some(name) = name {
                found.attributes.insert((class, name.to_owned()));
                return;
            }
            let unit = world.unit(class.0);
            if let StmtKind::ClassDef(declared) = unit.tree[class.1].kind {
                let methods = unit.tree[declared.body].iter().filter_map(|&stmt| match unit.tree[stmt].kind {
                    StmtKind::FunctionDef(method) => Some(unit.tree.text(method.name.name)),
                    _ => None,
                });
                found.attributes.extend(methods.map(|name| (class, name.to_owned())));
            }
        }
        Callee::Function(_) | Callee::Enum | Callee::Builtin(_) | Callee::Unknown => {}
    }
}
