//! Hints: an annotation refines what is less precise, and one that contradicts what is inferred is a finding.

mod containers;
mod declared;
mod members;

use std::sync::Arc;

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_dims::{Cmp, Dim};
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use pytrope_source::{Span, TextRange};

use crate::code::Code;
use crate::cond::Cond;
use crate::interp::{Flow, Hinted, Interp};
use crate::names::Name;
use crate::object::{Declaration, Function, Object, Shape};
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

/// A shape as annotated.
struct ShapeHint {
    class: Value,
    dims: Vec<HintDim>,
    /// The types of elements that it allows; all if none is named.
    dtypes: Vec<Arc<str>>,
    /// `...` at the end or the beginning.
    open: bool,
    open_first: bool,
    /// Each member of a family of roles has such an array, and sizes of its own.
    at_members: bool,
}

impl ShapeHint {
    /// The type of the elements, where it allows one.
    fn element_type(&self) -> Value {
        match self.dtypes.as_slice() {
            [one] => Value::Str(Arc::clone(one)),
            _ => Value::Unknown(Reason::Parameter),
        }
    }

    /// The shape that these sizes are part of.
    fn shape_with(&self, dims: Vec<Dim>) -> Shape {
        match (self.open, self.open_first) {
            (false, false) => Shape::known(dims),
            (true, false) => Shape::Prefix(Arc::new(dims)),
            (false, true) => Shape::ending(dims),
            (true, true) => Shape::unknown(),
        }
    }
}

/// Only `NdArray[…]`, `Float[…]` and the like, and `TensorType([…])`, can be shape hints; to evaluate other
/// annotations costs time for nothing.
pub(crate) fn may_be_shape_hint(code: &Code, annotation: ExprId) -> bool {
    match code.tree[annotation].kind {
        ExprKind::Subscript { .. } => true,
        ExprKind::Str(text) => code.tree.text(text).contains(['[', '(']),
        ExprKind::Call { function, .. } => {
            code.tree.dotted(function).is_some_and(|parts| parts.last() == Some(&"TensorType"))
        }
        _ => false,
    }
}

enum HintDim {
    Any,
    Exactly(Dim),
    /// A name, and what is added to the size it stands for.
    Named(Arc<str>, i128),
}

impl Interp<'_> {
    /// Reads a hint made by the models of `pytrope.hints` and `jaxtyping`: an instance of a class `ShapeHint`.
    fn shape_hint(&mut self, hint: &Value) -> Option<ShapeHint> {
        let class = self.model_attribute(hint, "ShapeHint", "array_class")?;
        let dims = self.model_attribute(hint, "ShapeHint", "dims")?;
        let at_members = self.model_attribute(hint, "ShapeHint", "at_members") == Some(Value::TRUE);
        let dtypes = match self.model_attribute(hint, "ShapeHint", "dtypes") {
            Some(Value::Tuple(Seq::Exact(names))) => {
                let texts = names.iter().filter_map(|name| match name {
                    Value::Str(text) => Some(Arc::clone(text)),
                    _ => None,
                });
                texts.collect()
            }
            _ => Vec::new(),
        };
        let dims = self.iterate_quietly(&dims)?;
        let mut out = Vec::new();
        let (mut open, mut open_first) = (false, false);
        let items = dims.as_exact()?.to_vec();
        for (i, item) in items.iter().enumerate() {
            match item {
                Value::Int(_) | Value::Dim(_) => out.push(HintDim::Exactly(item.as_dim()?)),
                Value::Str(text) => out.push(match declared::split_offset(text) {
                    Some((name, shift)) => HintDim::Named(Arc::from(name), shift),
                    None => HintDim::Any,
                }),
                Value::Ellipsis if i == 0 && items.len() > 1 => open_first = true,
                Value::Ellipsis => {
                    // What follows it is not read: the sizes before it are known, or those at the end.
                    open = true;
                    break;
                }
                Value::Float(_) => return None,
                Value::Obj(addr) if self.class_kind(*addr) == Some(BuiltinType::Float) => {
                    let message = "a dimension is a natural number, never a float";
                    let finding = self.new_finding("float-dimension", message).raises("ShapeMismatch");
                    self.run.hints.pending = Some(finding);
                    out.push(HintDim::Any);
                }
                _ => out.push(HintDim::Any),
            }
        }
        Some(ShapeHint { class, dims: out, dtypes, open, open_first, at_members })
    }

    /// A value for something annotated, of which nothing else is known.
    pub fn value_of_hint(&mut self, hint: &Value) -> Option<Value> {
        let hint = self.read_hint(hint)?;
        Some(self.value_of(&hint))
    }

    fn hint_dims(&mut self, hint: &ShapeHint) -> Vec<Dim> {
        let mut dims = Vec::new();
        for dim in &hint.dims {
            dims.push(match dim {
                HintDim::Any => self.fresh_dim(None, Some(0)),
                HintDim::Exactly(dim) => dim.clone(),
                HintDim::Named(name, shift) => {
                    let named = self.named_dim(name);
                    self.note_holder(&named, hint.at_members);
                    named.plus_const(*shift).unwrap_or_else(|| self.fresh_dim(None, Some(0)))
                }
            });
        }
        dims
    }

    fn bound_dim(&self, name: &str) -> Option<Dim> {
        let slots = match &self.run.hints.owner {
            Some(owner) => &self.instance_of(owner)?.attrs,
            None => self.scope_slots(self.current_frame().scope())?,
        };
        slots.declaration(Declaration::Dimension, Name::new(name))?.value.as_dim()
    }

    /// A named dimension is one integer within a function's activation, or of one instance.
    fn named_dim(&mut self, name: &str) -> Dim {
        if let Some(dim) = self.bound_dim(name) {
            return dim;
        }
        let dim = self.fresh_dim(Some(name), Some(0));
        if self.run.hints.promises
            && let Some(sym) = dim.as_symbol()
        {
            self.run.hints.promised.insert(sym);
        }
        self.bind_dim(name, &dim);
        dim
    }

    fn bind_dim(&mut self, name: &str, dim: &Dim) {
        let key = Name::new(name);
        let value = Value::Dim(dim.clone());
        match self.run.hints.owner.as_ref().map(Value::addr) {
            Some(Some(owner)) => {
                self.change_instance(owner, |instance| instance.attrs.declare(Declaration::Dimension, key, value));
            }
            Some(None) => {}
            None => self.declare_in(self.current_frame().scope(), Declaration::Dimension, key, value),
        }
    }

    /// A name that a hint introduces stands for the size that the array has there, if that has a name of its own. So what a
    /// function returns has the caller's sizes, and `layer = learn(layer, …)` in a loop keeps them.
    fn bind_names_to_sizes(&mut self, hint: &ShapeHint, actual: &Shape) {
        let Shape::Known(sizes) = actual else { return };
        if self.run.hints.promises || hint.open || hint.open_first || sizes.len() != hint.dims.len() {
            return;
        }
        for (dim, size) in hint.dims.iter().zip(sizes.iter()) {
            let HintDim::Named(name, 0) = dim else { continue };
            let has_name = size.as_symbol().is_some_and(|sym| self.run.hints.promised.contains(&sym));
            if has_name && self.bound_dim(name).is_none() {
                self.bind_dim(name, size);
            }
        }
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

    fn refine_shape(&mut self, hint: &ShapeHint, value: Value, place: &Span) -> Flow {
        let Some(array) = self.array_of(&value).cloned() else {
            if value.is_unknown() {
                let dims = self.hint_dims(hint);
                let shape = hint.shape_with(dims);
                return Ok(self.new_array(hint.class.clone(), shape, hint.element_type(), None));
            }
            return Ok(value);
        };
        if let Value::Str(dtype) = &array.dtype
            && !hint.dtypes.is_empty()
            && !hint.dtypes.contains(dtype)
        {
            return Ok(self.dtype_mismatch(hint, value, dtype, place));
        }
        self.bind_names_to_sizes(hint, &array.shape);
        let expected = self.hint_dims(hint);
        let (actual, actual_open) = match &array.shape {
            Shape::Known(dims) => (dims.to_vec(), false),
            Shape::Prefix(dims) | Shape::Suffix(dims) => (dims.to_vec(), true),
        };
        let ends_known = hint.open_first || matches!(array.shape, Shape::Suffix(_));
        let open = hint.open || hint.open_first;
        let rank_fits = match (actual_open, open) {
            (false, false) => actual.len() == expected.len(),
            (false, true) => actual.len() >= expected.len(),
            (true, false) => actual.len() <= expected.len(),
            (true, true) => true,
        };
        let shown_hint = self.show_hint(hint);
        if !rank_fits {
            return self.hint_mismatch(&value, &array.shape, &shown_hint, place);
        }
        if actual_open && open {
            // What is known at one end says nothing about the other.
            if actual.is_empty() {
                let shape = hint.shape_with(expected);
                self.update_array(&value, |array| array.shape = shape);
            }
            return Ok(value);
        }
        if hint.open && hint.open_first {
            return Ok(value);
        }
        let pairs: Vec<(&Dim, &Dim)> = if ends_known {
            actual.iter().rev().zip(expected.iter().rev()).collect()
        } else {
            actual.iter().zip(&expected).collect()
        };
        for (a, b) in pairs {
            match self.compare_dims(a, Cmp::Eq, b) {
                ThreeValued::True => {}
                ThreeValued::False => return self.hint_mismatch(&value, &array.shape, &shown_hint, place),
                ThreeValued::Open(cond) => {
                    if cond != Cond::Opaque {
                        let shown = self.show_shape(&array.shape);
                        let message = format!("the hint says {shown_hint}, but the array is {shown}");
                        let rule = rule_by_id("hint-mismatch");
                        let broken = Finding::new(rule, place.clone(), message).raises("ShapeMismatch");
                        if self.reports_possible(None) && self.breaks_promise(&cond) {
                            self.report_broken_promise(&cond, broken);
                        }
                        self.assume_condition(&cond);
                    }
                }
            }
        }
        if actual_open {
            let shape = Shape::known(expected);
            self.update_array(&value, |array| array.shape = shape);
        } else if !open {
            let shape = Shape::known(expected);
            self.update_array(&value, |array| array.shape = shape);
        }
        Ok(value)
    }

    fn show_hint(&self, hint: &ShapeHint) -> String {
        let mut parts: Vec<String> = hint
            .dims
            .iter()
            .map(|dim| match dim {
                HintDim::Any => "int".to_owned(),
                HintDim::Exactly(dim) => self.run.symbols.show(dim),
                HintDim::Named(name, shift) => {
                    let text = if *shift == 0 { name.to_string() } else { format!("{name}{shift:+}") };
                    match self.bound_dim(name).and_then(|dim| self.run.state.store.value(&dim)) {
                        Some(size) => format!("{text}={}", size + shift),
                        None => text,
                    }
                }
            })
            .collect();
        if hint.open {
            parts.push("...".to_owned());
        }
        if hint.open_first {
            parts.insert(0, "...".to_owned());
        }
        if parts.len() == 1 { format!("({},)", parts[0]) } else { format!("({})", parts.join(", ")) }
    }

    fn dtype_mismatch(&mut self, hint: &ShapeHint, value: Value, dtype: &str, place: &Span) -> Value {
        let allowed = hint.dtypes.join(", ");
        let message = format!("the hint allows {allowed}, but the elements of the array are {dtype}");
        let finding = Finding::new(rule_by_id("hint-mismatch"), place.clone(), message).raises("ShapeMismatch");
        self.report_or_hold(finding);
        value
    }

    fn hint_mismatch(&mut self, value: &Value, shape: &Shape, hint: &str, place: &Span) -> Flow {
        let shown = self.show_shape(shape);
        let message = format!("the hint says {hint}, but the array is {shown}");
        let mut finding = Finding::new(rule_by_id("hint-mismatch"), place.clone(), message).raises("ShapeMismatch");
        if let Some(array) = self.array_of(value)
            && let Some(born) = &array.born
            && born.0 != finding.primary
        {
            finding = finding.related(born.0.clone(), format!("shape {shown} created here"));
        }
        self.report_or_hold(finding);
        Ok(value.clone())
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
                self.refine_by_hint(&hint, value, range)
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
