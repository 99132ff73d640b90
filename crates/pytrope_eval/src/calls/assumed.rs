//! Calls where shapes are shown: unknown keywords are taken not to be given, library code sees one array at a time, and some
//! results of code that is not seen follow from how it is used.

use pytrope_source::tree::{ExprKind, StmtKind};

use crate::interp::Interp;
use crate::native::CallArgs;
use crate::object::{Array, Function, Object, Shape};
use crate::value::{Reason, Seq, Value};

impl Interp<'_> {
    /// The first argument of library code that stands for several arrays, or item of a tuple of arrays (`torch.cat((a, b))`): rules
    /// about shapes need one. So does what is assumed of a layer that is not known.
    pub(super) fn several_arrays(&self, callee: &Value, args: &CallArgs) -> Option<Value> {
        let is_layer = callee.is_unknown() && args.positional.len() == 1 && args.keywords.is_empty();
        if !is_layer && !self.is_library_code(callee) {
            return None;
        }
        // One of several texts is an equation: `einsum(f'b h i d, {kv} -> b h i j', q, k)`.
        let is_several = |value: &&Value| {
            let is_text = |one: &Value| matches!(one, Value::Str(_));
            matches!(value, Value::Union(_))
                && (value.alternatives().iter().any(|one| self.array_of(one).is_some())
                    || value.alternatives().iter().all(is_text))
        };
        args.values()
            .flat_map(|value| match value {
                Value::Tuple(Seq::Exact(items)) => items,
                one => std::slice::from_ref(one),
            })
            .find(is_several)
            .cloned()
    }

    /// One array for several of one class and rank. Sizes in which they differ are open.
    pub(super) fn one_of_arrays(&mut self, value: &Value) -> Value {
        let arrays: Option<Vec<Array>> = value.alternatives().iter().map(|one| self.array_of(one).cloned()).collect();
        let Some([first, rest @ ..]) = arrays.as_deref() else { return value.clone() };
        let is_like = |array: &Array| array.class == first.class && array.shape.rank() == first.shape.rank();
        let Shape::Known(dims) = &first.shape else { return value.clone() };
        if rest.is_empty() || !rest.iter().all(is_like) {
            return value.clone();
        }
        let joined = dims.iter().enumerate().map(|(axis, dim)| {
            let agree = rest.iter().all(|array| array.shape.dims().get(axis) == Some(dim));
            if agree { dim.clone() } else { self.fresh_dim(None, Some(0)) }
        });
        let shape = Shape::known(joined.collect());
        let is_typed = rest.iter().all(|array| array.dtype == first.dtype);
        let dtype = if is_typed { first.dtype.clone() } else { Value::Unknown(Reason::Joined) };
        self.new_array(first.class.clone(), shape, dtype, None)
    }

    fn is_library_code(&self, callee: &Value) -> bool {
        match callee {
            Value::Bound(bound) => self.is_library_code(&bound.function),
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Function(function) => function.code.is_model,
                Object::Instance(instance) => {
                    let class = instance.class.addr().and_then(|class| self.class_at(class));
                    class.is_some_and(|class| class.features.is_model)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a call that does not end normally says more of the analysis than of the program: it is code of another module,
    /// followed with arguments that nothing is known of.
    pub(super) fn keeps_going_past(&self, function: &Function) -> bool {
        self.analysis.assumes && !function.code.is_model && function.code.module != self.analysis.module
    }

    /// What code that is not seen makes of arrays that it gives new values to, as many names as it is given:
    /// `key, value = cache.update(key, value, index)`. They keep their ranks.
    pub(super) fn assumed_tuple_update(&mut self, args: &CallArgs) -> Option<Value> {
        let frame = self.current_frame();
        let code = std::sync::Arc::clone(&frame.code);
        let (statement, node) = (frame.statement, frame.node);
        let tree = &code.tree;
        let stmt = tree.stmt_ids().find(|stmt| tree[*stmt].range == statement)?;
        let StmtKind::Assign { targets, value } = tree[stmt].kind else { return None };
        let (&[target], ExprKind::Call { arguments, .. }) = (&tree[targets], tree[value].kind) else { return None };
        let ExprKind::Tuple { elements, .. } = tree[target].kind else { return None };
        if tree[value].range != node {
            return None;
        }
        let mut made = Vec::new();
        for &element in &tree[elements] {
            let name = tree.as_name(element)?;
            let at = tree[arguments.positional].iter().position(|argument| tree.as_name(*argument) == Some(name));
            let given = at.and_then(|at| args.positional.get(at)).map(|given| self.one_of_arrays(given));
            let given = given.and_then(|given| Some((self.array_of(&given)?.clone(), given)));
            made.push(match given {
                Some((Array { class, shape, dtype, .. }, given)) => {
                    let dims = shape.rank().map(|rank| (0..rank).map(|_| self.fresh_dim(None, Some(0))).collect());
                    let array = self.new_array(class, dims.map_or_else(Shape::unknown, Shape::known), dtype, None);
                    self.relate_rank(&array, &given, 0);
                    array
                }
                None => Value::Unknown(Reason::Call),
            });
        }
        made.iter().any(|value| !value.is_unknown()).then(|| Value::tuple(made))
    }

    /// What is looked up in a table that is not known, with a function or class for want of an entry, is taken for that one:
    /// `ATTENTION.get(config.attention, eager_attention)`.
    pub(super) fn assumed_entry(&self, called: &str, args: &CallArgs) -> Option<Value> {
        let last = called.rsplit('.').next().unwrap_or(called);
        let default = args.positional.get(1).filter(|_| last.starts_with("get") && args.positional.len() <= 3)?;
        let is_code = |value: &Value| {
            value.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Function(_) | Object::Class(_)))
        };
        is_code(default).then(|| default.clone())
    }
}

/// What a call's text calls: `super().get` in `super().get(key, default)`.
pub(super) fn called_expression(text: &str) -> &str {
    let Some(inside) = text.trim().strip_suffix(')') else { return text.split('(').next().unwrap_or_default().trim() };
    let mut depth = 1usize;
    for (at, char) in inside.char_indices().rev() {
        match char {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return inside[..at].trim();
        }
    }
    inside
}
