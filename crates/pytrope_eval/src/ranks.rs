//! Arrays whose number of axes is open, and how code that asks about their shape settles it.
//!
//! `n, m = x.shape` ends normally only for rank 2; `x.shape[1]` only from rank 2 on; `x.ndim` is one symbol per array,
//! so that a guard in any spelling (`assert x.ndim == 2`, `if len(x.shape) != 3: raise`) is a fact about it.

use std::sync::Arc;

use pytrope_dims::{Cmp, Dim};
use pytrope_source::tree::{ExprId, ExprKind, UnaryOperator};

use crate::effects::Effect;
use crate::interp::{Flow, Interp, MOST_AXES};
use crate::names::Name;
use crate::object::Shape;
use crate::value::Value;
use pytrope_dims::ThreeValued;

impl Interp<'_> {
    /// Unpacking a shape ends normally only if the rank is the number of targets: from here on the array has it.
    pub(crate) fn rank_from_unpacking(&mut self, targets: &[ExprId], value: ExprId) -> Flow<()> {
        let code = self.current_code();
        let [target] = targets else { return Ok(()) };
        let (ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. }) = code.tree[*target].kind else {
            return Ok(());
        };
        let starred =
            code.tree[elements].iter().any(|&element| matches!(code.tree[element].kind, ExprKind::Starred { .. }));
        if starred {
            return Ok(());
        }
        let Some(array) = self.whose_shape(value) else { return Ok(()) };
        let Some(addr) = array.addr() else { return Ok(()) };
        self.record_effect(Effect::ENTERS_HANDLERS);
        self.settle_rank(addr, code.tree[elements].len());
        Ok(())
    }

    /// A constant subscript of a shape ends normally only if there is such an axis: from here on the array has it.
    /// The size, where only the last axes are known.
    pub(crate) fn axis_from_subscript(&mut self, value: ExprId, index: ExprId) -> Option<Dim> {
        let axis = self.constant_index(index)?;
        let array = self.whose_shape(value)?;
        let shape = self.array_of(&array)?.shape.clone();
        let known = match &shape {
            Shape::Prefix(dims) if axis >= 0 || dims.is_empty() => dims,
            Shape::Suffix(dims) if axis < 0 => dims,
            Shape::Known(_) | Shape::Prefix(_) | Shape::Suffix(_) => return None,
        };
        if !(-MOST_AXES..MOST_AXES).contains(&axis) {
            return None;
        }
        let least = if axis < 0 { -axis } else { axis + 1 } as usize;
        if known.len() >= least {
            return (axis < 0).then(|| known[known.len() - least].clone());
        }
        self.record_effect(Effect::ENTERS_HANDLERS);
        let rank = self.rank_symbol(&array)?.as_symbol()?;
        let missing = least - known.len();
        let longer = if axis < 0 {
            let first = (axis..axis + missing as i64).map(|axis| self.axis_symbol(rank, axis));
            Shape::ending(first.chain(known.iter().cloned()).collect())
        } else {
            let more = (axis + 1 - missing as i64..=axis).map(|axis| self.axis_symbol(rank, axis));
            Shape::Prefix(Arc::new(known.iter().cloned().chain(more).collect()))
        };
        self.learn_shape(&array, longer);
        (axis < 0).then(|| self.axis_symbol(rank, axis))
    }

    /// The array in `x.shape`, where `x` is a name or an attribute and the array's rank is open.
    fn whose_shape(&mut self, expr: ExprId) -> Option<Value> {
        let code = self.current_code();
        let (attribute, is_asked) = match code.tree[expr].kind {
            // `x.size()` of a tensor.
            ExprKind::Call { function, arguments }
                if arguments.positional.is_empty() && arguments.keywords.is_empty() =>
            {
                (function, "size")
            }
            _ => (expr, "shape"),
        };
        let ExprKind::Attribute { value, attribute, .. } = code.tree[attribute].kind else { return None };
        if code.tree.text(attribute.name) != is_asked {
            return None;
        }
        let array = self.read_place(value)?;
        let array = self.assumed_by_attribute(&array, Name::SHAPE).unwrap_or(array);
        matches!(self.array_of(&array)?.shape, Shape::Prefix(_) | Shape::Suffix(_)).then_some(array)
    }

    /// After `x.shape == (3, n)` or `x.shape == y.shape`: equal size by size; false if that leaves no state.
    pub(crate) fn shapes_are_equal(&mut self, left: ExprId, right: ExprId) -> bool {
        let (Some(a), Some(b)) = (self.written_shape(left), self.written_shape(right)) else { return true };
        if a.len() != b.len() {
            return true;
        }
        a.iter().zip(&b).all(|(a, b)| match self.compare_dims(a, Cmp::Eq, b) {
            ThreeValued::True => true,
            ThreeValued::False => false,
            ThreeValued::Open(cond) => self.assume_condition(&cond),
        })
    }

    /// The sizes in `x.shape`, or in a tuple of constants and names.
    fn written_shape(&mut self, expr: ExprId) -> Option<Vec<Dim>> {
        let code = self.current_code();
        match code.tree[expr].kind {
            ExprKind::Attribute { value, attribute, .. } if code.tree.text(attribute.name) == "shape" => {
                let array = self.read_place(value)?;
                match &self.array_of(&array)?.shape {
                    Shape::Known(dims) => Some(dims.to_vec()),
                    Shape::Prefix(_) | Shape::Suffix(_) => None,
                }
            }
            ExprKind::Tuple { elements, .. } => code.tree[elements]
                .iter()
                .map(|&element| match code.tree[element].kind {
                    ExprKind::Int(value) => Some(Dim::constant(i128::from(value))),
                    _ => self.read_place(element)?.as_dim(),
                })
                .collect(),
            _ => None,
        }
    }

    /// `x.shape[0]` of an unknown size is shown as such until it gets a better name.
    pub(crate) fn name_axis(&mut self, shape: ExprId, item: &Value) {
        let Value::Dim(dim) = item else { return };
        let code = self.current_code();
        let ExprKind::Attribute { value, attribute, .. } = code.tree[shape].kind else { return };
        if let Some(sym) = dim.as_symbol()
            && code.tree.text(attribute.name) == "shape"
            && matches!(code.tree[value].kind, ExprKind::Name { .. })
            && self.run.symbols.given(sym).is_none()
            && !self.in_model()
        {
            let text = self.source_text(self.current_frame().node);
            self.run.symbols.set(sym, &text);
        }
    }

    fn constant_index(&self, index: ExprId) -> Option<i64> {
        let code = self.current_code();
        match code.tree[index].kind {
            ExprKind::Int(value) => Some(value),
            ExprKind::UnaryOp { op: UnaryOperator::Minus, operand } => match code.tree[operand].kind {
                ExprKind::Int(value) => value.checked_neg(),
                _ => None,
            },
            _ => None,
        }
    }
}
