//! Shapes in projections: what a role receives has the shape that the choreography declares, so that `pytrope check` knows it
//! in a role's program too.
//!
//! ```python
//! hidden: At[Float[NDArray, "b h"], Client] = forward(x, w)   # Client: hidden: Float[NDArray, "b h"] = forward(x, w)
//! arrived = self.channel.com(hidden)                          # Server: arrived: Float[NDArray, "b h"] = self.channel.recv(…)
//! ```
//!
//! Names of sizes belong to one function: a type is carried over only within the method that declares it.

use pytrope_source::tree::{ExprId, ExprKind};

use super::Projector;
use crate::declaration::Unit;
use crate::facts::{Action, CensusOperation};
use crate::surface;
use crate::type_text::TypeText;

impl Projector<'_> {
    /// The shape hint behind the target of an assignment: its own, or that of the variable whose value is received.
    pub(super) fn shape_hint_text(&self, target: ExprId, annotation: Option<ExprId>, value: ExprId) -> Option<String> {
        let unit = self.unit;
        let name = unit.tree.as_name(target)?;
        let annotation = annotation.or_else(|| {
            let bound = unit.names.definition(unit.names.definition_at(unit.tree[target].range.start)?);
            let is_only = unit.names.definitions_of(bound.scope, unit.tree.text(name)).len() == 1;
            self.sent_annotation(value).filter(|_| is_only)
        })?;
        if !has_shape_hint(unit, annotation) {
            return None;
        }
        let text = TypeText { world: self.world, class: self.class, role: self.role };
        text.project_type(unit, annotation, &Vec::new())
    }

    /// The one annotation of a variable whose value is sent as it is, and which is bound nowhere else.
    fn sent_annotation(&self, value: ExprId) -> Option<ExprId> {
        let Some(Action::Com { value: sent, pattern, .. }) = self.table.action_of(value) else { return None };
        let is_whole = matches!(
            pattern,
            CensusOperation::Point | CensusOperation::Broadcast | CensusOperation::Share | CensusOperation::First
        );
        let unit = self.unit;
        let (name, owner) = (unit.tree.as_name(*sent)?, unit.names.owner_of_use(*sent)?);
        let is_only = unit.names.definitions_of(owner, unit.tree.text(name)).len() == 1;
        match unit.annotations_of(*sent).as_slice() {
            [annotation] if is_whole && is_only => Some(*annotation),
            _ => None,
        }
    }
}

/// Whether a type says sizes: `Float[NDArray, "b d"]`, `NdArray["n", 3]`, also inside of `At[…]`, `list[…]` and `tuple[…]`.
fn has_shape_hint(unit: &Unit, annotation: ExprId) -> bool {
    let tree = &unit.tree;
    unit.exprs_within(tree[annotation].range).any(|expr| {
        let ExprKind::Subscript { value, index, .. } = tree[expr].kind else { return false };
        let is_literal = tree.dotted(value).is_some_and(|parts| parts.last() == Some(&"Literal"));
        let is_size = |part: &ExprId| matches!(tree[*part].kind, ExprKind::Str(_) | ExprKind::Int(_));
        !is_literal
            && surface::surface_of_expr(unit, value).is_none()
            && surface::subscript_elements(unit, index).iter().any(is_size)
    })
}
