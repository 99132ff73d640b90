//! Samples that are written out in the script: an array whose rows are those of a list literal.
//!
//! ```python
//! t_c = torch.tensor([0.5, 14.0, 15.0, 28.0]).unsqueeze(1)
//! train_t_c = t_c[shuffled[:-1]]              # at most four rows
//! inputs, targets = make_batch(["ich mochte ein bier", "i want a beer"])      # lists that a function makes
//! ```
//!
//! So few samples cannot be divided: a rank would get one or none of them, and what is left over is much of the whole.

use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, StmtKind};

use super::ArrayName;
use crate::index::expr_scope;
use crate::trace::{Def, ExprPlace, Trace, argument_of};

/// How many places are looked at for one array.
const MOST_PLACES: u32 = 200;

/// Where the samples of an array are written out one by one, and how many they are at most.
pub fn written_samples(trace: &Trace, array: &ArrayName) -> Option<(ExprPlace, usize)> {
    let module = array.module;
    let tree = trace.tree(module);
    let StmtKind::Assign { targets, value } = tree[*array.bound.first()?].kind else { return None };
    let element = tree[targets].iter().find_map(|&target| match tree[target].kind {
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            tree[elements].iter().position(|&e| trace.text((module, e)) == array.text)
        }
        _ => None,
    });
    LiteralRows { trace, followed: Vec::new(), fuel: MOST_PLACES }.rows_of_place((module, value), element)
}

struct LiteralRows<'a> {
    trace: &'a Trace<'a>,
    /// What is being followed: `x = torch.tensor(x)` asks for itself.
    followed: Vec<ExprPlace>,
    fuel: u32,
}

impl LiteralRows<'_> {
    /// The literal that the rows of a list or tensor come from.
    fn rows_of_place(&mut self, place: ExprPlace, element: Option<usize>) -> Option<(ExprPlace, usize)> {
        self.fuel = self.fuel.checked_sub(1)?;
        self.followed.push(place);
        let found = self.rows_at(place, element);
        self.followed.pop();
        found
    }

    fn rows_at(&mut self, place: ExprPlace, element: Option<usize>) -> Option<(ExprPlace, usize)> {
        let (module, expr) = place;
        let tree = self.trace.tree(module);
        match tree[expr].kind {
            ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => {
                let items = &tree[elements];
                match element {
                    Some(i) => self.rows_of_place((module, *items.get(i)?), None),
                    None if items.iter().any(|&e| matches!(tree[e].kind, ExprKind::Starred { .. })) => None,
                    None => Some((place, items.len())),
                }
            }
            ExprKind::ListComp { generators, .. } => match &tree[generators] {
                [only] => self.rows_of_place((module, only.iter), None),
                _ => None,
            },
            ExprKind::Name { .. } => self.rows_of_name(place),
            ExprKind::BinOp { left, op: BinaryOperator::MatMult, .. } => self.rows_of_place((module, left), None),
            ExprKind::BinOp { left, op, right } => {
                let [left, right] = [left, right].map(|e| (module, e));
                if self.is_list(left) || self.is_list(right) {
                    // `[0, 1] * 50` is another list.
                    let (first, second) = (self.rows_of_place(left, None)?, self.rows_of_place(right, None)?);
                    return (op == BinaryOperator::Add).then_some((first.0, first.1 + second.1));
                }
                // `x * torch.tensor([2.0, 1.0])` has the rows of `x`.
                match (self.is_number(left), self.is_number(right)) {
                    (false, true) => self.rows_of_place(left, None),
                    (true, false) => self.rows_of_place(right, None),
                    (false, false) => {
                        let (first, second) = (self.rows_of_place(left, None)?, self.rows_of_place(right, None)?);
                        Some(if second.1 > first.1 { second } else { first })
                    }
                    (true, true) => None,
                }
            }
            ExprKind::UnaryOp { operand, .. } => self.rows_of_place((module, operand), None),
            ExprKind::Subscript { value, index, .. } => {
                // `table[:, 0]` keeps the rows, and `table[0]` is one of them.
                let is_one = matches!(tree[index].kind, ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::UnaryOp { .. });
                if is_one { None } else { self.rows_of_place((module, value), None) }
            }
            ExprKind::Call { .. } => self.rows_of_call(place, element),
            _ => None,
        }
    }

    fn rows_of_name(&mut self, place: ExprPlace) -> Option<(ExprPlace, usize)> {
        let (module, expr) = place;
        let name = self.trace.text(place);
        let index = &self.trace.project.modules[module].index;
        let (scope, _) = index.lookup_name(self.trace.tree(module), expr_scope(self.trace.tree(module), expr), name)?;
        // A list that grows is as long as its loop runs.
        if !self.trace.appended_values(module, scope, name).is_empty() {
            return None;
        }
        let mut found: Option<(ExprPlace, usize)> = None;
        for root in self.trace.value_roots(place) {
            let at = (root.module, root.expr);
            if self.followed.contains(&at) {
                continue;
            }
            if root.iterated {
                return None;
            }
            let one = self.rows_of_place(at, root.element)?;
            found = Some(found.filter(|known| known.1 >= one.1).unwrap_or(one));
        }
        found
    }

    fn rows_of_call(&mut self, place: ExprPlace, element: Option<usize>) -> Option<(ExprPlace, usize)> {
        let (module, expr) = place;
        let tree = self.trace.tree(module);
        if let Some(def) = self.trace.project_callee(place) {
            return self.rows_returned(def, element);
        }
        if let Some(api) = self.trace.called_api(place) {
            let keeps_rows = matches!(
                api.rsplit('.').next().unwrap_or(&api),
                "tensor"
                    | "as_tensor"
                    | "Tensor"
                    | "FloatTensor"
                    | "LongTensor"
                    | "DoubleTensor"
                    | "IntTensor"
                    | "array"
                    | "asarray"
                    | "from_numpy"
                    | "unsqueeze"
                    | "squeeze"
                    | "reshape"
                    | "Variable"
                    | "train_test_split"
            );
            let given: Option<ExprId> = if keeps_rows { argument_of(tree, expr, "data", 0) } else { None };
            return self.rows_of_place((module, given?), None);
        }
        let (receiver, method) = self.trace.called_method(place)?;
        let keeps_rows =
            !matches!(method, "t" | "transpose" | "permute" | "repeat" | "expand" | "repeat_interleave" | "tile");
        if keeps_rows { self.rows_of_place((module, receiver), None) } else { None }
    }

    fn rows_returned(&mut self, def: Def, element: Option<usize>) -> Option<(ExprPlace, usize)> {
        if self.trace.is_generator(def) {
            return None;
        }
        let found: Option<Vec<_>> = self
            .trace
            .returned_values(def)
            .into_iter()
            .map(|value| self.rows_of_place((def.0, value), element))
            .collect();
        found?.into_iter().max_by_key(|found| found.1)
    }

    fn is_number(&self, place: ExprPlace) -> bool {
        let is_literal = |(module, expr): ExprPlace| {
            matches!(self.trace.tree(module)[expr].kind, ExprKind::Int(_) | ExprKind::Float(_))
        };
        let (module, expr) = place;
        match self.trace.tree(module)[expr].kind {
            ExprKind::UnaryOp { operand, .. } => self.is_number((module, operand)),
            ExprKind::Name { .. } => {
                let roots = self.trace.value_roots(place);
                !roots.is_empty() && roots.iter().all(|root| is_literal((root.module, root.expr)))
            }
            _ => is_literal(place),
        }
    }

    /// Whether a value is a list, which `+` and `*` make longer.
    fn is_list(&self, place: ExprPlace) -> bool {
        let is_list = |(module, expr): ExprPlace| {
            matches!(self.trace.tree(module)[expr].kind, ExprKind::List { .. } | ExprKind::ListComp { .. })
        };
        is_list(place)
            || matches!(self.trace.tree(place.0)[place.1].kind, ExprKind::Name { .. })
                && self.trace.value_roots(place).iter().any(|root| is_list((root.module, root.expr)))
    }
}
