//! Hints: an annotation refines what is less precise, and one that contradicts what is inferred is a finding.

mod containers;
mod declared;
mod members;
mod shapes;
mod sizes;

use std::sync::Arc;

use pytrope_dims::Dim;
use pytrope_source::TextRange;
use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, StmtKind};

use crate::code::Code;
use crate::interp::{Flow, Hinted, Interp};
use crate::object::{Declaration, Function, Object};
use crate::value::{Addr, BuiltinType, Seq, Value};
use shapes::ShapeHint;

/// Only `NdArray[…]`, `Float[…]` and the like, and `TensorType([…])`, can be shape hints; to evaluate other
/// annotations costs time for nothing.
pub(crate) fn may_be_shape_hint(code: &Code, annotation: ExprId) -> bool {
    match code.tree[annotation].kind {
        ExprKind::Subscript { .. } => true,
        // `Float[Tensor, "n"] | None`
        ExprKind::BinOp { left, op: BinaryOperator::BitOr, right } => {
            may_be_shape_hint(code, left) || may_be_shape_hint(code, right)
        }
        ExprKind::Str(text) => code.tree.text(text).contains(['[', '(']),
        ExprKind::Call { function, .. } => {
            code.tree.dotted(function).is_some_and(|parts| parts.last() == Some(&"TensorType"))
        }
        _ => false,
    }
}

impl Interp<'_> {
    /// A value for something annotated, of which nothing else is known.
    pub fn value_of_hint(&mut self, hint: &Value) -> Option<Value> {
        let hint = self.read_hint(hint)?;
        self.value_of(&hint)
    }

    /// A named dimension is one integer within a function's activation, or of one instance.
    fn named_dim(&mut self, name: &str) -> Dim {
        if let Some(dim) = self.bound_size(name).and_then(|size| size.as_dim()) {
            return dim;
        }
        self.run.hints.left_open |= self.run.hints.promises;
        let least = if self.tries_one_choice() { shapes::LEAST_TRIED } else { 0 };
        let dim = self.fresh_dim(Some(name), Some(least));
        if self.run.hints.promises
            && let Some(sym) = dim.as_symbol()
        {
            self.run.hints.promised.insert(sym);
        }
        self.bind_size(name, Value::Dim(dim.clone()));
        dim
    }

    /// What an annotated assignment binds.
    pub(crate) fn refine_by_hint(&mut self, hint: &Value, value: Value, range: TextRange) -> Flow {
        if let Some(hint) = self.read_hint(hint) {
            if let Some(finding) = self.run.hints.pending.take() {
                self.report_or_hold(finding);
            }
            let place = self.current_code().span_of(range);
            return self.refine(&hint, value, &place);
        }
        if !value.is_unknown() || self.in_model() {
            return Ok(value);
        }
        let kind = match hint {
            Value::Obj(addr) => self.class_kind(*addr),
            _ => None,
        };
        Ok(match kind {
            Some(BuiltinType::Int) => self.any_int(),
            Some(
                kind @ (BuiltinType::Float
                | BuiltinType::Str
                | BuiltinType::Bool
                | BuiltinType::Bytes
                | BuiltinType::Complex),
            ) => self.top_of(kind),
            _ => value,
        })
    }

    /// Reads the shape hints of a function's parameters as it is called: what they say of less precise arguments holds
    /// from here on, and an argument that contradicts its hint is a finding at the call.
    pub(crate) fn heed_parameter_hints(&mut self, function: &Function, scope: Addr) {
        let hinted = self.hints_of(function);
        self.heed_spread_hint(&hinted, scope);
        for &(name, annotation) in &hinted.parameters {
            let Some(value) = self.scope_slots(scope).and_then(|slots| slots.get(name)).map(|slot| slot.value.clone())
            else {
                continue;
            };
            let hint = self.eval_annotation(annotation);
            let Some(hint) = self.read_hint(&hint) else { continue };
            let caller = self.run.frames.iter().rev().skip(1).find(|frame| !frame.code.is_model);
            let place = caller.map_or_else(|| self.user_span(), |caller| caller.code.span_of(caller.node));
            let before = self.report.findings().len();
            if let Ok(refined) = self.refine(&hint, value, &place) {
                self.bind_in(scope, name, refined);
            }
            if self.report.findings().len() > before {
                // What the function makes of a wrong argument is no news.
                self.declare_in(scope, Declaration::BrokenHint, name, Value::TRUE);
            }
        }
    }

    /// The hint of `*args` holds for each argument that it takes.
    fn heed_spread_hint(&mut self, hinted: &Hinted, scope: Addr) {
        let Some((name, annotation)) = hinted.spread else { return };
        let hint = self.eval_annotation(annotation);
        let given = self.scope_slots(scope).and_then(|slots| slots.get(name)).map(|slot| slot.value.clone());
        let (Some(hint), Some(Value::Tuple(Seq::Exact(items)))) = (self.read_hint(&hint), given) else { return };
        let caller = self.run.frames.iter().rev().skip(1).find(|frame| !frame.code.is_model);
        let place = caller.map_or_else(|| self.user_span(), |caller| caller.code.span_of(caller.node));
        let refined = items.iter().map(|item| self.refine(&hint, item.clone(), &place).unwrap_or(item.clone()));
        let refined = Value::tuple(refined.collect());
        self.bind_in(scope, name, refined);
    }

    /// What a function returns, as the hint after its arrow says.
    pub(crate) fn heed_return_hint(&mut self, value: Value, range: TextRange) -> Flow {
        let Some(Object::Function(function)) = self.current_frame().function.map(|addr| self.object_at(addr)) else {
            return Ok(value);
        };
        let function = Arc::clone(function);
        if self.scope_slots(self.current_frame().scope()).is_some_and(|slots| slots.declares(Declaration::BrokenHint)) {
            return Ok(value);
        }
        match self.hints_of(&function).returns {
            Some(annotation) => {
                let hint = self.eval_annotation(annotation);
                let outer = std::mem::replace(&mut self.run.hints.of_result, true);
                let refined = self.refine_by_hint(&hint, value, range);
                self.run.hints.of_result = outer;
                refined
            }
            None => Ok(value),
        }
    }

    /// The annotations of a function that are shape hints.
    fn hints_of(&mut self, function: &Function) -> Arc<Hinted> {
        let key = (function.code.module, function.id);
        if let Some(hinted) = self.run.hints.of_functions.get(&key) {
            return Arc::clone(hinted);
        }
        let code = &function.code;
        let info = code.scope_info(function.id);
        let mut hinted = Hinted::default();
        let mut is_hint = |annotation: ExprId| {
            may_be_shape_hint(code, annotation) && {
                let hint = self.eval_annotation(annotation);
                self.read_hint(&hint).is_some()
            }
        };
        if let Some(parameters) = info.parameters {
            for list in [parameters.positional_only, parameters.regular, parameters.keyword_only] {
                for parameter in &code.tree[list] {
                    if let Some(annotation) = parameter.annotation.filter(|annotation| is_hint(*annotation)) {
                        hinted.parameters.push((code.name_of(parameter.name.name), annotation));
                    }
                }
            }
        }
        if let Some(spread) = info.parameters.and_then(|parameters| parameters.vararg) {
            let annotation = spread.annotation.filter(|annotation| is_hint(*annotation));
            hinted.spread = annotation.map(|annotation| (code.name_of(spread.name.name), annotation));
        }
        if let Some(StmtKind::FunctionDef(definition)) = info.stmt.map(|stmt| code.tree[stmt].kind) {
            hinted.returns = definition.returns.filter(|annotation| is_hint(*annotation));
        }
        self.run.hints.pending = None;
        let hinted = Arc::new(hinted);
        self.run.hints.of_functions.insert(key, Arc::clone(&hinted));
        hinted
    }

    /// The items of a tuple value.
    pub fn exact_items(&mut self, value: &Value) -> Option<Vec<Value>> {
        match self.iterate_quietly(value)? {
            Seq::Exact(items) => Some(items.to_vec()),
            Seq::Open(_) => None,
        }
    }

    /// Whether a value is a class of the analysed program or a model.
    pub fn is_class(&self, value: &Value) -> bool {
        value.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Class(_)))
    }
}
