//! Ranks that become known: what facts say of the number of axes of an array.

use pytrope_dims::{Constraint, Dim, Sym};
use rustc_hash::FxHashSet;

use super::Interp;
use crate::object::{Object, Shape};
use crate::value::{Addr, Value};

/// Beyond this rank no library has arrays (NumPy allows 64).
pub(crate) const MOST_AXES: i64 = 64;

impl Interp<'_> {
    /// Once a fact about ranks is known, arrays whose rank it fixes get all their axes.
    pub(crate) fn settle_ranks(&mut self, fact: &Constraint) {
        if self.run.ranks.arrays.is_empty() {
            return;
        }
        for sym in fact.dim.symbols() {
            if !self.run.ranks.arrays.contains_key(&sym) {
                continue;
            }
            let Some(rank) = self.run.state.store.value(&Dim::symbol(sym)) else { continue };
            if (0..=i128::from(MOST_AXES)).contains(&rank) {
                self.settle_arrays(sym, rank as usize);
            }
        }
    }

    /// All arrays whose rank a symbol is get their axes, and so do those whose rank is related to it.
    fn settle_arrays(&mut self, sym: Sym, count: usize) {
        let mut settled: FxHashSet<Sym> = FxHashSet::default();
        let mut pending = vec![(sym, count as i64)];
        while let Some((sym, count)) = pending.pop() {
            if !settled.insert(sym) || !(0..=MOST_AXES).contains(&count) {
                continue;
            }
            for addr in self.run.ranks.arrays.get(&sym).cloned().unwrap_or_default() {
                if self.has_rank_symbol(addr, sym) {
                    self.settle_axes(addr, sym, count as usize);
                }
            }
            let related = self.run.ranks.related.get(&sym).into_iter().flatten();
            pending.extend(related.map(|(other, more)| (*other, count + more)));
        }
    }

    pub(crate) fn has_rank_symbol(&self, addr: Addr, sym: Sym) -> bool {
        match self.object_at(addr) {
            Object::Array(array) => array.rank.as_ref().and_then(Dim::as_symbol) == Some(sym),
            _ => false,
        }
    }

    /// An array has this many axes, and so have all that an operation has made with its rank.
    pub fn settle_rank(&mut self, addr: Addr, count: usize) {
        let Some(rank) = self.rank_symbol(&Value::Obj(addr)).and_then(|rank| rank.as_symbol()) else { return };
        self.settle_arrays(rank, count);
    }

    fn settle_axes(&mut self, addr: Addr, rank: Sym, count: usize) {
        let array = Value::Obj(addr);
        let Some(shape) = self.array_of(&array).map(|array| array.shape.clone()) else { return };
        let known = match &shape {
            Shape::Known(_) => return,
            Shape::Prefix(known) | Shape::Suffix(known) => known,
        };
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

    /// The number of axes of an array whose rank is open, one symbol for as long as its shape stays.
    pub fn rank_symbol(&mut self, array: &Value) -> Option<Dim> {
        let found = self.array_of(array)?;
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

    pub(crate) fn set_rank(&mut self, array: &Value, rank: Dim) {
        let (Some(addr), Some(sym)) = (array.addr(), rank.as_symbol()) else { return };
        let arrays = self.run.ranks.arrays.entry(sym).or_default();
        if !arrays.contains(&addr) {
            arrays.push(addr);
        }
        self.update_array(array, |array| array.rank = Some(rank));
    }

    /// An operation has made an array with as many axes as another one, whose rank is open: what settles one settles both.
    /// Axes that neither knows are of the same size too.
    pub fn share_rank(&mut self, made: &Value, of: &Value) {
        let is_open = |interp: &Self, value: &Value| {
            let shape = interp.array_of(value).map(|array| &array.shape);
            matches!(shape, Some(Shape::Prefix(_) | Shape::Suffix(_)))
        };
        if is_open(self, made)
            && is_open(self, of)
            && let Some(rank) = self.rank_symbol(of)
        {
            self.set_rank(made, rank);
        }
    }

    /// An operation has made an array with `more` axes than another one, whose rank is open: what settles one settles both.
    /// Nothing is said of the sizes of their axes.
    pub fn relate_rank(&mut self, made: &Value, of: &Value, more: i64) {
        if let (Some(made), Some(of)) = (self.rank_symbol(made), self.rank_symbol(of))
            && let (Some(made), Some(of)) = (made.as_symbol(), of.as_symbol())
            && made != of
        {
            self.relate_rank_symbols(made, of, more);
        }
    }

    fn relate_rank_symbols(&mut self, made: Sym, of: Sym, more: i64) {
        self.run.ranks.related.entry(of).or_default().push((made, more));
        self.run.ranks.related.entry(made).or_default().push((of, -more));
    }

    /// An operation has made an array with as many axes as a sequence has items. Where their number depends on the rank of another
    /// array, what settles one settles both: `x.view(*x.shape[:-1], heads, -1)` has one axis more than `x`.
    pub fn count_axes(&mut self, made: &Value, count: &Dim) {
        let Some(addr) = made.addr() else { return };
        if let Some(count) = self.run.state.store.value(count) {
            if (0..=i128::from(MOST_AXES)).contains(&count) {
                self.settle_rank(addr, count as usize);
            }
            return;
        }
        let mut symbols = count.symbols().into_iter();
        let (Some(of), None) = (symbols.next(), symbols.next()) else { return };
        let more = count.minus(&Dim::symbol(of)).and_then(|more| more.as_const());
        let Some(more) = more.and_then(|more| i64::try_from(more).ok()) else { return };
        if self.run.ranks.arrays.contains_key(&of)
            && let Some(made) = self.rank_symbol(made).and_then(|rank| rank.as_symbol())
            && made != of
        {
            self.relate_rank_symbols(made, of, more);
        }
    }

    /// The size of an axis of the array whose rank this symbol is: one symbol as well, for as long as the shape stays.
    pub(crate) fn axis_symbol(&mut self, rank: Sym, axis: i64) -> Dim {
        if let Some(dim) = self.run.ranks.axes.get(&(rank, axis)) {
            return dim.clone();
        }
        let dim = self.fresh_dim(None, Some(0));
        self.run.ranks.axes.insert((rank, axis), dim.clone());
        dim
    }

    /// More is known of a shape that stays as it is.
    pub fn learn_shape(&mut self, array: &Value, shape: Shape) {
        let rank = self.array_of(array).and_then(|array| array.rank.clone());
        self.update_array(array, |array| array.shape = shape);
        self.update_array(array, |array| array.rank = rank);
    }
}
