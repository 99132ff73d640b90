//! `n, m = x.shape` gives the array rank 2.

use pytrope_source::tree::{ExprId, ExprKind};

use crate::interp::{Eval, Interp};
use crate::object::Shape;

impl Interp<'_> {
    /// Unpacking a shape ends normally only if the rank is the number of targets: from here on the array has it.
    pub(super) fn rank_from_unpacking(&mut self, targets: &[ExprId], value: ExprId) -> Eval<()> {
        let code = self.code();
        let ([target], ExprKind::Attribute { value: object, attribute, .. }) = (targets, code.tree[value].kind) else {
            return Ok(());
        };
        let (ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. }) = code.tree[*target].kind else {
            return Ok(());
        };
        let starred =
            code.tree[elements].iter().any(|&element| matches!(code.tree[element].kind, ExprKind::Starred { .. }));
        if starred
            || code.tree.text(attribute.name) != "shape"
            || !matches!(code.tree[object].kind, ExprKind::Name { .. })
        {
            return Ok(());
        }
        let rank = code.tree[elements].len();
        let array = self.expr(object)?;
        let Some(Shape::Prefix(known)) = self.array(&array).map(|array| array.shape.clone()) else { return Ok(()) };
        if known.len() > rank {
            return Ok(());
        }
        self.may_raise();
        let mut dims = known.to_vec();
        while dims.len() < rank {
            let size = self.fresh_dim(None, Some(0));
            dims.push(size);
        }
        self.update_array(&array, |array| array.shape = Shape::known(dims));
        Ok(())
    }
}
