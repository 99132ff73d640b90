//! What operators and calls that are not known make of arrays, where shapes are shown. No finding rests on it.

use pytrope_source::Node;
use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, StmtKind};

use crate::effects::Operation;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Array, Object, Shape};
use crate::value::{Addr, BuiltinType, Reason, Value};
use pytrope_dims::Dim;

/// Attributes that tensors have, and hardly anything else that a model is given.
const OF_TENSORS: [&str; 43] = [
    "T",
    "argmax",
    "argmin",
    "bmm",
    "chunk",
    "clamp",
    "contiguous",
    "cumsum",
    "detach",
    "expand",
    "expand_as",
    "flatten",
    "index_select",
    "is_contiguous",
    "log_softmax",
    "logsumexp",
    "mT",
    "masked_fill",
    "masked_fill_",
    "matmul",
    "movedim",
    "narrow",
    "ndim",
    "new_ones",
    "new_tensor",
    "new_zeros",
    "numel",
    "permute",
    "repeat_interleave",
    "reshape",
    "roll",
    "shape",
    "softmax",
    "squeeze",
    "swapaxes",
    "topk",
    "transpose",
    "tril",
    "type_as",
    "unbind",
    "unflatten",
    "unsqueeze",
    "view",
];

impl Interp<'_> {
    /// Where shapes are shown, in a module that imports PyTorch: what an attribute that only tensors have is read of is a tensor.
    pub(crate) fn assumed_by_attribute(&mut self, value: &Value, attribute: Name) -> Option<Value> {
        let is_asked = self.analysis.assumes && !self.in_model() && OF_TENSORS.contains(&attribute.text());
        value.reason().and_then(Reason::lazy_address).filter(|_| is_asked)?;
        let globals = *self.current_frame().chain.first()?;
        let library = self.scope_slots(globals)?.get(Name::new("torch"))?.value.clone();
        let is_torch = library
            .addr()
            .is_some_and(|addr| matches!(self.object_at(addr), Object::Module(module) if &*module.name == "torch"));
        if !is_torch {
            return None;
        }
        let class = self.capture_raises(|interp| interp.read_attribute(&library, Name::new("Tensor"))).0.ok()?;
        self.expect_array(value, &class)
    }

    /// Where shapes are shown: `int(dim / heads)` of integers is taken for `dim // heads`.
    pub(crate) fn assumed_quotient(&mut self, left: ExprId, right: ExprId, callee: &Value) -> Flow {
        let a = self.eval_expr(left)?;
        let b = self.eval_expr(right)?;
        let is_integer = |value: &Value| {
            value.kind() == Some(BuiltinType::Int) || value.reason().and_then(Reason::lazy_address).is_some()
        };
        if is_integer(&a) && is_integer(&b) {
            return self.eval_binary(BinaryOperator::FloorDiv, &a, &b);
        }
        let quotient = self.eval_binary(BinaryOperator::Div, &a, &b)?;
        self.call_value(callee, CallArgs::of(vec![quotient]))
    }

    /// Whether an operator between an integer and a parameter of which nothing is known is assumed to take integers:
    /// `dim // heads`.
    pub(crate) fn assumed_operands(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Option<(Value, Value)> {
        let is_integer = |value: &Value| value.kind() == Some(BuiltinType::Int);
        if !self.analysis.assumes || !matches!(op, BinaryOperator::FloorDiv | BinaryOperator::Mod) {
            return None;
        }
        if is_integer(a) {
            return Some((a.clone(), self.expect_integer(b, Some(1))?));
        }
        is_integer(b).then(|| self.expect_integer(a, Some(0)).map(|a| (a, b.clone())))?
    }

    /// Where shapes are shown: what an operator makes of its operands, for each array that one of them may be.
    pub(crate) fn assumed_binary(
        &mut self,
        id: ExprId,
        op: BinaryOperator,
        a: (ExprId, &Value),
        b: (ExprId, &Value),
    ) -> Flow {
        let is_several = |interp: &Self, value: &Value| {
            matches!(value, Value::Union(_)) && value.alternatives().iter().any(|one| interp.array_of(one).is_some())
        };
        if is_several(self, a.1) {
            return self.for_each_alternative(a.1, |interp, one| interp.assumed_binary(id, op, (a.0, one), b));
        }
        if is_several(self, b.1) {
            return self.for_each_alternative(b.1, |interp, one| interp.assumed_binary(id, op, a, (b.0, one)));
        }
        self.assume_rank_of_update(a, b);
        let place = self.current_code().tree[id].range;
        let operation = Operation::Binary { op, left: a.1, right: b.1 };
        let result = self.perform(place, operation, |interp| interp.eval_binary(op, a.1, b.1))?;
        let kept = if result.is_unknown() {
            self.assumed_power(op, a.1, b.1).or_else(|| self.assumed_result(id, a, b))
        } else {
            self.assumed_update(id, op, &result, a, b)
        };
        Ok(kept.unwrap_or(result))
    }

    /// Where shapes are shown: what is raised to the powers in an array is a number (`base ** (torch.arange(0, dim, 2) / dim)`).
    fn assumed_power(&mut self, op: BinaryOperator, base: &Value, exponents: &Value) -> Option<Value> {
        if op != BinaryOperator::Pow || !base.is_unknown() {
            return None;
        }
        let Array { class, shape, dtype, .. } = self.array_of(exponents)?.clone();
        let made = self.new_array(class, shape, dtype, None);
        self.relate_rank(&made, exponents, 0);
        Some(made)
    }

    /// Where shapes are shown: what an operator makes of an array and something unknown. It ends in the array's sizes unless one
    /// of them is 1; the other operand may have more axes (`image / scales`). In an update of the array (`x = x + bias`,
    /// `x + self.block(x)`) it is taken to have none.
    fn assumed_result(&mut self, id: ExprId, a: (ExprId, &Value), b: (ExprId, &Value)) -> Option<Value> {
        let ((known, operand), (unknown, _)) = if a.1.is_unknown() { (b, a) } else { (a, b) };
        if operand.is_unknown() {
            return None;
        }
        let Array { class, shape, dtype, .. } = self.array_of(operand)?.clone();
        let is_update = self.is_update(id, known, unknown);
        match shape {
            Shape::Known(dims) if dims.is_empty() => None,
            Shape::Known(dims) if is_update && dims.iter().all(|dim| dim.as_const() != Some(1)) => {
                Some(self.new_array(class, Shape::Known(dims), dtype, None))
            }
            Shape::Known(dims) => {
                let kept = last_but_ones(&dims);
                Some(self.new_array(class, Shape::ending(kept), dtype, None))
            }
            Shape::Prefix(_) | Shape::Suffix(_) => {
                let kept = if let Shape::Suffix(dims) = &shape { last_but_ones(dims) } else { Vec::new() };
                let made = self.new_array(class, Shape::ending(kept), dtype, None);
                if is_update {
                    self.relate_rank(&made, operand, 0);
                }
                Some(made)
            }
        }
    }

    /// Where shapes are shown: an update of an array of known rank by one of open rank keeps the rank, and sizes that are not 1
    /// (`scores = scores + mask`); so does a sum with an array of three or more axes (`embedded + self.positions`).
    fn assumed_update(
        &mut self,
        id: ExprId,
        op: BinaryOperator,
        result: &Value,
        a: (ExprId, &Value),
        b: (ExprId, &Value),
    ) -> Option<Value> {
        let rank_of = |value: &Value| self.array_of(value).map(|array| array.shape.rank());
        let (known, other) = match (rank_of(a.1), rank_of(b.1), rank_of(result)?) {
            (Some(Some(1..)), Some(None), None) => (a, b),
            (Some(None), Some(Some(1..)), None) => (b, a),
            (_, _, None) => {
                self.assume_rank_kept(id, result, a, b);
                return None;
            }
            _ => return None,
        };
        let Array { shape, dtype, .. } = self.array_of(known.1)?.clone();
        // Of parameters an operator makes plain tensors.
        let class = self.array_of(result)?.class.clone();
        // A sum with an array that has a batch axis, a sequence axis and features, and none that was put between them (`shift[:, None]`).
        let is_sum = matches!(op, BinaryOperator::Add | BinaryOperator::Sub)
            && shape.dims().len() >= 3
            && shape.dims().iter().skip(1).all(|dim| dim.as_const() != Some(1))
            && shape.dims().last().is_some_and(|last| last.as_const() != Some(1));
        if !is_sum && !self.is_update(id, known.0, other.0) {
            // One weight for each feature (`self.weight * x`): the other operand has features too.
            let [features] = shape.dims() else { return None };
            if features.as_const() == Some(1) {
                return None;
            }
            let made = self.new_array(class, Shape::ending(vec![features.clone()]), dtype, None);
            self.relate_rank(&made, other.1, 0);
            return Some(made);
        }
        let dims = shape.dims().iter().map(|dim| match dim.as_const() {
            Some(1) => self.fresh_dim(None, Some(0)),
            _ => dim.clone(),
        });
        let shape = Shape::known(dims.collect());
        Some(self.new_array(class, shape, dtype, None))
    }

    /// Where shapes are shown: what an update makes of an array of open rank has its rank (`(x * cos) + (rotate_half(x) * sin)`).
    fn assume_rank_kept(&mut self, id: ExprId, result: &Value, a: (ExprId, &Value), b: (ExprId, &Value)) {
        for ((operand, value), (other, _)) in [(a, b), (b, a)] {
            let Some(first) = self.first_factor(operand) else { continue };
            if !self.is_update(id, first, other) {
                continue;
            }
            let updated = if first == operand { Some(value.clone()) } else { self.read_place(first) };
            let Some(updated) = updated else { continue };
            match (self.array_of(&updated).map(|array| array.shape.rank()), result.addr()) {
                (Some(Some(rank)), Some(made)) => self.settle_rank(made, rank),
                (Some(None), _) => self.relate_rank(result, &updated, 0),
                _ => continue,
            }
            return;
        }
    }

    /// The name that an expression begins with, if all that follows is arithmetic: `x` in `x * scale + shift`.
    fn first_factor(&self, operand: ExprId) -> Option<ExprId> {
        let code = self.current_code();
        let mut first = operand;
        while let ExprKind::BinOp { left, op, .. } = code.tree[first].kind
            && op != BinaryOperator::MatMult
        {
            first = left;
        }
        code.tree.as_name(first).map(|_| first)
    }

    /// Where shapes are shown: what is computed from a name and added to it has its rank (`x + self.block(x)`).
    fn assume_rank_of_update(&mut self, a: (ExprId, &Value), b: (ExprId, &Value)) {
        if !self.is_computed_from(a.0, b.0) && !self.is_computed_from(b.0, a.0) {
            return;
        }
        let rank_of = |value: &Value| Some((value.addr()?, self.array_of(value)?.shape.rank()));
        match (rank_of(a.1), rank_of(b.1)) {
            (Some((_, Some(rank))), Some((open, None))) | (Some((open, None)), Some((_, Some(rank))))
                if rank > 2 || rank > 0 && !self.is_a_name(open, a, b) =>
            {
                self.settle_rank(open, rank);
            }
            _ => {}
        }
    }

    /// Whether one of two operands is a name that stands for an array. Positions of shape (n, dim) are computed from what they are
    /// added to as well: `x = x + self.positions(x)`.
    fn is_a_name(&self, array: Addr, a: (ExprId, &Value), b: (ExprId, &Value)) -> bool {
        let tree = &self.current_code().tree;
        [a, b].iter().any(|(operand, value)| value.addr() == Some(array) && tree.as_name(*operand).is_some())
    }

    /// Whether an operand is a name that another expression mentions.
    fn is_computed_from(&self, operand: ExprId, other: ExprId) -> bool {
        let code = self.current_code();
        let tree = &code.tree;
        let Some(name) = tree.as_name(operand) else { return false };
        let mentions = |node: Node| matches!(node, Node::Expr(expr) if tree.as_name(expr) == Some(name));
        tree.descendants(Node::Expr(other)).any(mentions)
    }

    /// Whether an operator updates what a name holds: its result is bound to the name, or the other operand is computed
    /// from it.
    fn is_update(&self, operator: ExprId, operand: ExprId, other: ExprId) -> bool {
        if self.is_computed_from(operand, other) {
            return true;
        }
        let code = self.current_code();
        let tree = &code.tree;
        let Some(name) = tree.as_name(operand) else { return false };
        let Some(Node::Stmt(stmt)) = Node::Expr(operator).parent(tree) else { return false };
        match tree[stmt].kind {
            StmtKind::Assign { targets, .. } => tree[targets].iter().any(|&target| tree.as_name(target) == Some(name)),
            _ => false,
        }
    }

    /// Where shapes are shown: what an unknown layer makes of an array. Layers are called after what they do, and those that
    /// normalise, activate or drop keep the shape: `self.norm1(x)`, `self.act_fn(x)`, `self.attn_drop(x)`. One of several
    /// that a loop applies in turn to a variable keeps at least the rank: `for block in self.blocks: x = block(x)`.
    pub(crate) fn assumed_layer_result(&mut self, called: &str, args: &CallArgs) -> Option<Value> {
        let [given] = args.positional.as_slice() else { return None };
        if !args.keywords.is_empty() || self.in_model() {
            return None;
        }
        let Array { class, shape, dtype, .. } = self.array_of(given)?.clone();
        if keeps_shape_by_name(called) {
            return Some(self.new_array(class, shape, dtype, None));
        }
        if !self.is_applied_in_turn() {
            return None;
        }
        let made = match shape.rank() {
            Some(rank) => {
                let dims = (0..rank).map(|_| self.fresh_dim(None, Some(0))).collect();
                self.new_array(class, Shape::known(dims), dtype, None)
            }
            None => self.new_array(class, Shape::unknown(), dtype, None),
        };
        self.relate_rank(&made, given, 0);
        Some(made)
    }

    /// Whether the current statement is `x = f(x)` in a loop over what `f` stands for.
    fn is_applied_in_turn(&self) -> bool {
        let frame = self.current_frame();
        let tree = &frame.code.tree;
        let Some(stmt) = tree.stmt_ids().find(|stmt| tree[*stmt].range == frame.statement) else { return false };
        let StmtKind::Assign { targets, value } = tree[stmt].kind else { return false };
        let (&[target], ExprKind::Call { function, arguments }) = (&tree[targets], tree[value].kind) else {
            return false;
        };
        let (&[argument], Some(called)) = (&tree[arguments.positional], tree.as_name(function)) else { return false };
        if tree.as_name(target).is_none() || tree.as_name(target) != tree.as_name(argument) {
            return false;
        }
        let mut around = tree.enclosing(stmt);
        while let Some(outer) = around {
            if let StmtKind::For { target, .. } = tree[outer].kind
                && tree
                    .descendants(Node::Expr(target))
                    .any(|node| matches!(node, Node::Expr(expr) if tree.as_name(expr) == Some(called)))
            {
                return true;
            }
            around = tree.enclosing(outer);
        }
        false
    }
}

/// The last sizes of an array that a broadcast keeps: those behind the last one that is 1.
fn last_but_ones(dims: &[Dim]) -> Vec<Dim> {
    let kept = dims.iter().rev().take_while(|dim| dim.as_const() != Some(1)).count();
    dims[dims.len() - kept..].to_vec()
}

/// Whether the name of a layer says that it normalises, activates or drops: its last word does (`attn_norm1`, `hidden_act_fn`).
fn keeps_shape_by_name(called: &str) -> bool {
    const KEEPING: [&str; 20] = [
        "norm",
        "bn",
        "ln",
        "act",
        "activation",
        "drop",
        "dropout",
        "droppath",
        "batchnorm",
        "layernorm",
        "groupnorm",
        "relu",
        "gelu",
        "silu",
        "swish",
        "mish",
        "elu",
        "sigmoid",
        "tanh",
        "nonlinearity",
    ];
    const BESIDES: [&str; 6] = ["path", "fn", "fct", "layer", "func", "function"];
    let last = called.rsplit('.').next().unwrap_or(called).to_ascii_lowercase();
    let mut words = last.split('_').map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()));
    let is_besides = |word: &&str| word.is_empty() || BESIDES.contains(word);
    words.rfind(|word| !is_besides(word)).is_some_and(|word| KEEPING.contains(&word))
}
