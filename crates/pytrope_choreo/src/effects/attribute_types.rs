//! What the attributes of plain classes hold, by name: `n` of `self.n = n`, with `n: int`, cannot change in place.
//!
//! Which class an object has is not followed, so that all statements of the project that bind an attribute of the name have a say.

use pytrope_source::tree::{Context, ExprId, ExprKind, Parent, StmtKind};

use super::{Effects, summary_parameters};
use crate::declaration::{Unit, World};
use crate::located::Traits;
use crate::value_types::traits_of;

impl Effects {
    /// What an attribute of plain objects is known to hold, if the project says so and nowhere says otherwise.
    pub fn traits_of_attribute(&self, name: &str) -> Option<Traits> {
        if !self.methods_named(name).is_empty() || !self.properties_named(name).is_empty() {
            return None;
        }
        self.attribute_traits.get(name).copied()
    }

    pub(super) fn note_attribute_types(&mut self, world: &World, unit: &Unit) {
        let tree = &unit.tree;
        for stmt in tree.stmt_ids() {
            let StmtKind::ClassDef(class) = tree[stmt].kind else { continue };
            for &inner in &tree[class.body] {
                if let StmtKind::AnnAssign { target, annotation, .. } = tree[inner].kind
                    && let Some(name) = tree.as_name(target)
                {
                    self.note_attribute(tree.text(name), traits_of(world, unit, annotation));
                }
                if let StmtKind::Assign { targets, value } = tree[inner].kind {
                    let traits = assigned_traits(world, unit, value);
                    for name in tree[targets].iter().filter_map(|&target| tree.as_name(target)) {
                        self.note_attribute(tree.text(name), traits);
                    }
                }
            }
        }
        for expr in tree.expr_ids() {
            let ExprKind::Attribute { attribute, context: Context::Store, .. } = tree[expr].kind else { continue };
            let traits = match tree[expr].parent {
                Parent::Stmt(stmt) => match tree[stmt].kind {
                    StmtKind::Assign { value, .. } => assigned_traits(world, unit, value),
                    StmtKind::AnnAssign { annotation, .. } => traits_of(world, unit, annotation),
                    // What `n += 1` leaves is of the kind that it was.
                    StmtKind::AugAssign { .. } => continue,
                    _ => Traits::UNKNOWN,
                },
                _ => Traits::UNKNOWN,
            };
            self.note_attribute(tree.text(attribute.name), traits);
        }
    }

    fn note_attribute(&mut self, name: &str, traits: Traits) {
        let known = self.attribute_traits.entry(name.to_owned()).or_insert(traits);
        *known = known.both(traits);
    }
}

/// What a value that is assigned to an attribute is known to be: a literal, or a parameter of a declared type.
fn assigned_traits(world: &World, unit: &Unit, value: ExprId) -> Traits {
    let tree = &unit.tree;
    if crate::scan::is_immutable(unit, value) {
        return Traits::FROZEN;
    }
    let Some(name) = tree.as_name(value).map(|name| tree.text(name)) else { return Traits::UNKNOWN };
    let Some(owner) = unit.names.owner_of_use(value) else { return Traits::UNKNOWN };
    let [only] = unit.names.definitions_of(owner, name) else { return Traits::UNKNOWN };
    let definition = unit.names.definition(*only);
    let StmtKind::FunctionDef(function) = tree[definition.stmt].kind else { return Traits::UNKNOWN };
    let declared = summary_parameters(unit, function);
    let annotation = declared.iter().find(|parameter| parameter.name.range == definition.range);
    annotation
        .and_then(|parameter| parameter.annotation)
        .map_or(Traits::UNKNOWN, |annotation| traits_of(world, unit, annotation))
}
