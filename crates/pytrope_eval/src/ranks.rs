//! Arrays whose number of axes is open, and how code that asks about their shape settles it.
//!
//! `n, m = x.shape` ends normally only for rank 2; `x.shape[1]` only from rank 2 on; `x.ndim` is one symbol per array,
//! so that a guard in any spelling (`assert x.ndim == 2`, `if len(x.shape) != 3: raise`) is a fact about it.

use std::sync::Arc;

use pytrope_dims::{Cmp, Constraint, Dim, Sym};
use pytrope_source::tree::{ExprId, ExprKind, UnaryOperator};

use crate::effects::Effect;
use crate::interp::{Flow, Interp};
use crate::object::{Object, Shape};
use crate::value::{Addr, Value};
use pytrope_dims::ThreeValued;

/// Beyond this rank no library has arrays (NumPy allows 64).
const MOST_AXES: i64 = 64;

impl Interp<'_> {
    /// Unpacking a shape ends normally only if the rank is the number of targets: from here on the array has it.
    pub(crate) fn rank_from_unpacking(&mut self, targets: &[ExprId], value: ExprId) -> Flow<()> {
        let code = self.code();
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
        let shape = self.array(&array)?.shape.clone();
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

    /// The size of an axis of the array whose rank this symbol is: one symbol as well, for as long as the shape stays.
    fn axis_symbol(&mut self, rank: Sym, axis: i64) -> Dim {
        if let Some(dim) = self.run.ranks.axes.get(&(rank, axis)) {
            return dim.clone();
        }
        let dim = self.fresh_dim(None, Some(0));
        self.run.ranks.axes.insert((rank, axis), dim.clone());
        dim
    }

    /// More is known of a shape that stays as it is.
    fn learn_shape(&mut self, array: &Value, shape: Shape) {
        let rank = self.array(array).and_then(|array| array.rank.clone());
        self.update_array(array, |array| array.shape = shape);
        self.update_array(array, |array| array.rank = rank);
    }

    /// The array in `x.shape`, where `x` is a name or an attribute and the array's rank is open.
    fn whose_shape(&mut self, expr: ExprId) -> Option<Value> {
        let code = self.code();
        let ExprKind::Attribute { value, attribute, .. } = code.tree[expr].kind else { return None };
        if code.tree.text(attribute.name) != "shape" {
            return None;
        }
        let array = self.read_place(value)?;
        matches!(self.array(&array)?.shape, Shape::Prefix(_) | Shape::Suffix(_)).then_some(array)
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
            ThreeValued::Open(cond) => self.assume(&cond),
        })
    }

    /// The sizes in `x.shape`, or in a tuple of constants and names.
    fn written_shape(&mut self, expr: ExprId) -> Option<Vec<Dim>> {
        let code = self.code();
        match code.tree[expr].kind {
            ExprKind::Attribute { value, attribute, .. } if code.tree.text(attribute.name) == "shape" => {
                let array = self.read_place(value)?;
                match &self.array(&array)?.shape {
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
        let code = self.code();
        let ExprKind::Attribute { value, attribute, .. } = code.tree[shape].kind else { return };
        if let Some(sym) = dim.as_symbol()
            && code.tree.text(attribute.name) == "shape"
            && matches!(code.tree[value].kind, ExprKind::Name { .. })
            && self.run.symbols.given(sym).is_none()
            && !self.in_model()
        {
            let text = self.source_text(self.frame().node);
            self.run.symbols.set(sym, &text);
        }
    }

    fn constant_index(&self, index: ExprId) -> Option<i64> {
        let code = self.code();
        match code.tree[index].kind {
            ExprKind::Int(value) => Some(value),
            ExprKind::UnaryOp { op: UnaryOperator::Minus, operand } => match code.tree[operand].kind {
                ExprKind::Int(value) => value.checked_neg(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of axes of an array whose rank is open, one symbol for as long as its shape stays.
    pub fn rank_symbol(&mut self, array: &Value) -> Option<Dim> {
        let found = self.array(array)?;
        let least = match &found.shape {
            Shape::Known(dims) => return Some(Dim::constant(dims.len() as i128)),
            Shape::Prefix(dims) | Shape::Suffix(dims) => dims.len(),
        };
        let rank = match found.rank.clone() {
            Some(rank) => rank,
            None => self.fresh_dim(None, Some(least as i128)),
        };
        // Always, since the array may come from a module that another run has made.
        self.set_rank(array, rank.clone());
        Some(rank)
    }

    fn set_rank(&mut self, array: &Value, rank: Dim) {
        let (Some(addr), Some(sym)) = (array.addr(), rank.as_symbol()) else { return };
        self.run.ranks.arrays.insert(sym, addr);
        self.update_array(array, |array| array.rank = Some(rank));
    }

    /// Once a fact about ranks is known, arrays whose rank it fixes get all their axes.
    pub(crate) fn settle_ranks(&mut self, fact: &Constraint) {
        if self.run.ranks.arrays.is_empty() {
            return;
        }
        for sym in fact.dim.symbols() {
            let Some(&addr) = self.run.ranks.arrays.get(&sym) else { continue };
            let Some(rank) = self.run.state.store.value(&Dim::symbol(sym)) else { continue };
            if (0..=i128::from(MOST_AXES)).contains(&rank) && self.has_rank_symbol(addr, sym) {
                self.settle_rank(addr, rank as usize);
            }
        }
    }

    fn has_rank_symbol(&self, addr: Addr, sym: Sym) -> bool {
        match self.object(addr) {
            Object::Array(array) => array.rank.as_ref().and_then(Dim::as_symbol) == Some(sym),
            _ => false,
        }
    }

    fn settle_rank(&mut self, addr: Addr, count: usize) {
        let array = Value::Obj(addr);
        let Some(rank) = self.rank_symbol(&array).and_then(|rank| rank.as_symbol()) else { return };
        let Some(shape) = self.array(&array).map(|array| array.shape.clone()) else { return };
        let (Shape::Known(known) | Shape::Prefix(known) | Shape::Suffix(known)) = &shape;
        if known.len() > count {
            return;
        }
        let offset = count - known.len();
        let dims = (0..count)
            .map(|axis| match &shape {
                Shape::Prefix(known) if axis < known.len() => known[axis].clone(),
                Shape::Suffix(known) if axis >= offset => known[axis - offset].clone(),
                _ => match self.run.ranks.axes.get(&(rank, axis as i64 - count as i64)) {
                    Some(dim) => dim.clone(),
                    None => self.axis_symbol(rank, axis as i64),
                },
            })
            .collect();
        self.learn_shape(&array, Shape::known(dims));
    }
}
