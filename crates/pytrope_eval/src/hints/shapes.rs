//! One array against its hint: what the hint adds to what is known, and where it contradicts it.
//!
//! A name means one size for one call of a function. In a function that is analysed for itself its signature *promises* to
//! take all sizes, so that what needs two of them to be related is a finding (`possible.rs`).

use std::sync::Arc;

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_dims::{Cmp, Dim, ThreeValued};
use pytrope_source::Span;

use super::sizes::{HintRest, HintSize, SizeTerm};
use crate::cond::Cond;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::object::{Array, Declaration, Shape};
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};

/// How many axes `*batch` and `...` stand for where one number of them is tried.
const TRIED_AXES: usize = 2;
/// The least size that a name stands for there: what a slice leaves of it is not empty.
pub(super) const LEAST_TRIED: i128 = 4;

/// A shape as annotated.
pub(super) struct ShapeHint {
    class: Value,
    /// The sizes before `...`, all if there is none.
    first: Vec<HintSize>,
    rest: Option<HintRest>,
    last: Vec<HintSize>,
    /// The types of elements that it allows; all if none is named.
    dtypes: Vec<Arc<str>>,
    /// Each member of a family of roles has such an array, and sizes of its own.
    at_members: bool,
}

/// A size of an array and what its hint says there.
struct SizePair {
    actual: Dim,
    expected: Dim,
    broadcasts: bool,
}

impl Interp<'_> {
    /// Reads a hint made by the models of `pytrope.hints` and `jaxtyping`: an instance of a class `ShapeHint`.
    pub(super) fn shape_hint(&mut self, hint: &Value) -> Option<ShapeHint> {
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
        let items = self.iterate_quietly(&dims)?.as_exact()?.to_vec();
        let (mut first, mut last) = (Vec::new(), Vec::new());
        let mut rest: Option<HintRest> = None;
        for item in &items {
            let sizes = if rest.is_some() { &mut last } else { &mut first };
            match item {
                Value::Int(_) | Value::Dim(_) => sizes.push(HintSize::Exactly(item.as_dim()?)),
                Value::Ellipsis if rest.is_some() => return None,
                Value::Ellipsis => rest = Some(HintRest { name: None, broadcasts: false }),
                Value::Str(text) => match read_size_text(text) {
                    SizeText::One(size) => sizes.push(size),
                    SizeText::Many(_) if rest.is_some() => return None,
                    SizeText::Many(many) => rest = Some(many),
                },
                Value::Float(_) => return None,
                Value::Obj(addr) if self.class_kind(*addr) == Some(BuiltinType::Float) => {
                    let message = "a dimension is a natural number, never a float";
                    let finding = self.new_finding("float-dimension", message).raises("ShapeMismatch");
                    self.run.hints.pending = Some(finding);
                    sizes.push(HintSize::Any);
                }
                _ => sizes.push(HintSize::Any),
            }
        }
        Some(ShapeHint { class, first, rest, last, dtypes, at_members })
    }

    /// An array of which nothing but its hint is known.
    pub(super) fn array_of_hint(&mut self, hint: &ShapeHint) -> Value {
        let shape = self.shape_of_hint(hint);
        let dtype = self.element_type_of(hint);
        self.new_array(hint.class.clone(), shape, dtype, None)
    }

    /// The type of the elements, where the hint allows one, or one of them is tried.
    fn element_type_of(&mut self, hint: &ShapeHint) -> Value {
        match hint.dtypes.as_slice() {
            [] => Value::Unknown(Reason::Parameter),
            [one] => Value::Str(Arc::clone(one)),
            several => {
                if self.run.hints.promises {
                    self.run.hints.left_open = true;
                }
                if !self.tries_one_choice() {
                    return Value::Unknown(Reason::Parameter);
                }
                let class = hint.class.addr().and_then(|addr| self.class_at(addr)).map(|class| Arc::clone(&class.name));
                let preferred: &[&str] = match class.as_deref() {
                    Some("ndarray") => &["float64", "int64", "complex128"],
                    Some("Array") => &["float32", "int32", "complex64"],
                    _ => &["float32", "int64", "complex64"],
                };
                let tried = preferred.iter().find_map(|name| several.iter().find(|allowed| &***allowed == *name));
                Value::Str(Arc::clone(tried.unwrap_or(&several[0])))
            }
        }
    }

    /// Whether what a signature leaves open is tried with one choice (`analysis/promises.rs`).
    pub(super) fn tries_one_choice(&self) -> bool {
        self.run.hints.promises && self.run.hints.chooses
    }

    fn shape_of_hint(&mut self, hint: &ShapeHint) -> Shape {
        let mut first = self.sizes_of_hint(hint, &hint.first);
        let rest = hint.rest.as_ref().map(|rest| self.rest_of_hint(rest));
        let last = self.sizes_of_hint(hint, &hint.last);
        match rest {
            None => Shape::known(first),
            Some(Some(rest)) => {
                first.extend(rest);
                first.extend(last);
                Shape::known(first)
            }
            Some(None) if first.is_empty() => Shape::ending(last),
            Some(None) => Shape::Prefix(Arc::new(first)),
        }
    }

    fn sizes_of_hint(&mut self, hint: &ShapeHint, sizes: &[HintSize]) -> Vec<Dim> {
        let mut dims = Vec::new();
        for size in sizes {
            let is_broadcast = matches!(size, HintSize::Broadcast(_));
            if is_broadcast && self.run.hints.promises {
                self.run.hints.left_open = true;
                let dim = if self.tries_one_choice() { Dim::constant(1) } else { self.fresh_dim(None, Some(0)) };
                dims.push(dim);
            } else {
                dims.push(self.size_of_hint(size, hint.at_members));
            }
        }
        dims
    }

    /// The sizes that `*batch` stands for in this call, or those it is tried with.
    fn rest_of_hint(&mut self, rest: &HintRest) -> Option<Vec<Dim>> {
        if let Some(bound) = self.bound_rest(rest) {
            return Some(bound);
        }
        if self.run.hints.promises {
            self.run.hints.left_open = true;
        }
        if !self.tries_one_choice() {
            return None;
        }
        let mut tried = Vec::new();
        for axis in 0..TRIED_AXES {
            let shown = rest.name.as_ref().map(|name| format!("{name}[{axis}]"));
            let dim = self.fresh_dim(shown.as_deref(), Some(LEAST_TRIED));
            if shown.is_some()
                && let Some(sym) = dim.as_symbol()
            {
                self.run.hints.promised.insert(sym);
            }
            tried.push(dim);
        }
        // Where `*#batch` is tried, every array has all of its axes.
        if let Some(name) = &rest.name {
            self.bind_axes(name, &tried);
        }
        Some(tried)
    }

    fn bound_rest(&self, rest: &HintRest) -> Option<Vec<Dim>> {
        let key = format!("*{}", rest.name.as_ref()?);
        match self.bound_size(&key)? {
            Value::Tuple(Seq::Exact(sizes)) => sizes.iter().map(Value::as_dim).collect(),
            _ => None,
        }
    }

    fn bind_rest(&mut self, rest: &HintRest, sizes: &[Dim]) {
        if let Some(name) = rest.name.as_ref().filter(|_| !rest.broadcasts) {
            self.bind_axes(name, sizes);
        }
    }

    fn bind_axes(&mut self, name: &str, sizes: &[Dim]) {
        let sizes = sizes.iter().cloned().map(Value::Dim).collect();
        self.bind_size(&format!("*{name}"), Value::tuple(sizes));
    }

    /// A name that a hint introduces stands for the size that the array has there, if that has a name of its own. So what a
    /// function returns has the caller's sizes, and `layer = learn(layer, …)` in a loop keeps them.
    fn bind_names_to_sizes(&mut self, sizes: &[HintSize], actual: &[Dim]) {
        if self.run.hints.promises {
            return;
        }
        for (size, actual) in sizes.iter().zip(actual) {
            let HintSize::Term(SizeTerm::Name(name)) = size else { continue };
            let has_name = actual.as_symbol().is_some_and(|sym| self.run.hints.promised.contains(&sym));
            if has_name && self.bound_size(name).is_none() {
                self.bind_size(name, Value::Dim(actual.clone()));
            }
        }
    }

    pub(super) fn bound_size(&self, name: &str) -> Option<Value> {
        let slots = match &self.run.hints.owner {
            Some(owner) => &self.instance_of(owner)?.attrs,
            None => self.scope_slots(self.scope_of_sizes())?,
        };
        Some(slots.declaration(Declaration::Dimension, Name::new(name))?.value.clone())
    }

    pub(super) fn bind_size(&mut self, name: &str, value: Value) {
        let key = Name::new(name);
        match self.run.hints.owner.as_ref().map(Value::addr) {
            Some(Some(owner)) => {
                self.change_instance(owner, |instance| instance.attrs.declare(Declaration::Dimension, key, value));
            }
            Some(None) => {}
            None => self.declare_in(self.scope_of_sizes(), Declaration::Dimension, key, value),
        }
    }

    fn scope_of_sizes(&self) -> Addr {
        self.run.hints.scope.unwrap_or_else(|| self.current_frame().scope())
    }

    /// An array with what its hint says; one that contradicts it is a finding.
    pub(super) fn refine_shape(&mut self, hint: &ShapeHint, value: Value, place: &Span) -> Flow {
        let Some(array) = self.array_of(&value).cloned() else {
            return Ok(if value.is_unknown() { self.array_of_hint(hint) } else { value });
        };
        if let Value::Str(dtype) = &array.dtype
            && !hint.dtypes.is_empty()
            && !hint.dtypes.contains(dtype)
        {
            return Ok(self.dtype_mismatch(hint, value, dtype, place));
        }
        let Some((pairs, refined)) = self.sizes_against(hint, &array) else {
            return self.hint_mismatch(&value, &array.shape, &self.show_hint(hint), place);
        };
        let shown_hint = self.show_hint(hint);
        for pair in &pairs {
            let one = Dim::constant(1);
            if pair.broadcasts && !matches!(self.compare_dims(&pair.actual, Cmp::Eq, &one), ThreeValued::False) {
                continue;
            }
            match self.compare_dims(&pair.actual, Cmp::Eq, &pair.expected) {
                ThreeValued::True => {}
                ThreeValued::False => return self.hint_mismatch(&value, &array.shape, &shown_hint, place),
                ThreeValued::Open(Cond::Opaque) => {}
                ThreeValued::Open(cond) => {
                    self.judge_open_size(&shown_hint, &array.shape, &cond, place);
                    self.assume_condition(&cond);
                }
            }
        }
        if let Some(shape) = refined {
            self.update_array(&value, |array| array.shape = shape);
        }
        Ok(value)
    }

    /// What the sizes of an array are held against, and its shape once they agree; `None` if it has too many or too few axes.
    fn sizes_against(&mut self, hint: &ShapeHint, array: &Array) -> Option<(Vec<SizePair>, Option<Shape>)> {
        let named = hint.first.len() + hint.last.len();
        if let Shape::Known(sizes) = &array.shape {
            let between = sizes.len().checked_sub(named)?;
            let (first, others) = sizes.split_at(hint.first.len());
            let (middle, last) = others.split_at(between);
            self.bind_names_to_sizes(&hint.first, first);
            self.bind_names_to_sizes(&hint.last, last);
            let mut pairs = self.pair_sizes(hint, &hint.first, first);
            match &hint.rest {
                None if between > 0 => return None,
                None => {}
                Some(rest) => match self.bound_rest(rest) {
                    Some(_) if rest.broadcasts => {}
                    Some(bound) if bound.len() != middle.len() => return None,
                    Some(bound) => pairs.extend(middle.iter().zip(bound).map(|(actual, expected)| SizePair {
                        actual: actual.clone(),
                        expected,
                        broadcasts: false,
                    })),
                    None => self.bind_rest(rest, middle),
                },
            }
            pairs.extend(self.pair_sizes(hint, &hint.last, last));
            // The array takes the names of its sizes from here on.
            let is_plain = hint.rest.is_none() && pairs.iter().all(|pair| !pair.broadcasts);
            let shape = is_plain.then(|| Shape::known(pairs.iter().map(|pair| pair.expected.clone()).collect()));
            return Some((pairs, shape));
        }
        let at_end = matches!(array.shape, Shape::Suffix(_));
        let known = array.shape.dims();
        let pair = |(actual, expected): (&Dim, &Dim)| SizePair {
            actual: actual.clone(),
            expected: expected.clone(),
            broadcasts: false,
        };
        let has_broadcasts = hint.first.iter().chain(&hint.last).any(|size| matches!(size, HintSize::Broadcast(_)));
        match self.shape_of_hint(hint) {
            Shape::Known(expected) => {
                if known.len() > expected.len() {
                    return None;
                }
                if has_broadcasts {
                    return Some((Vec::new(), None));
                }
                let pairs = if at_end {
                    known.iter().rev().zip(expected.iter().rev()).map(pair).collect()
                } else {
                    known.iter().zip(expected.iter()).map(pair).collect()
                };
                Some((pairs, Some(Shape::Known(expected))))
            }
            open if known.is_empty() && !has_broadcasts => Some((Vec::new(), Some(open))),
            // What is known at one end says nothing about the other.
            Shape::Suffix(expected) if at_end && !has_broadcasts => {
                Some((known.iter().rev().zip(expected.iter().rev()).map(pair).collect(), None))
            }
            Shape::Prefix(expected) if !at_end && !has_broadcasts => {
                Some((known.iter().zip(expected.iter()).map(pair).collect(), None))
            }
            _ => Some((Vec::new(), None)),
        }
    }

    fn pair_sizes(&mut self, hint: &ShapeHint, sizes: &[HintSize], actual: &[Dim]) -> Vec<SizePair> {
        let mut pairs = Vec::new();
        for (size, actual) in sizes.iter().zip(actual) {
            let expected = match size {
                HintSize::Any => actual.clone(),
                _ => self.size_of_hint(size, hint.at_members),
            };
            let broadcasts = matches!(size, HintSize::Broadcast(_));
            pairs.push(SizePair { actual: actual.clone(), expected, broadcasts });
        }
        pairs
    }

    /// A size that agrees with its hint only if the sizes of the analysed signature are related breaks its promise.
    fn judge_open_size(&mut self, hint: &str, shape: &Shape, cond: &Cond, place: &Span) {
        let is_broken = self.breaks_promise(cond) || self.run.hints.of_result && self.pins_promised_size(cond);
        if is_broken && self.reports_possible(None) {
            let message = format!("the hint says {hint}, but the array is {}", self.show_shape(shape));
            let rule = rule_by_id("hint-mismatch");
            let broken = Finding::new(rule, place.clone(), message).raises("ShapeMismatch");
            self.report_broken_promise(cond, broken);
        }
    }

    fn show_hint(&self, hint: &ShapeHint) -> String {
        let mut parts: Vec<String> = hint.first.iter().map(|size| self.show_hint_size(size)).collect();
        if let Some(rest) = &hint.rest {
            parts.push(rest.name.as_ref().map_or_else(|| "...".to_owned(), |name| format!("*{name}")));
        }
        parts.extend(hint.last.iter().map(|size| self.show_hint_size(size)));
        if parts.len() == 1 { format!("({},)", parts[0]) } else { format!("({})", parts.join(", ")) }
    }

    fn show_hint_size(&self, size: &HintSize) -> String {
        match size {
            HintSize::Any => "int".to_owned(),
            HintSize::Exactly(dim) => self.run.symbols.show(dim),
            HintSize::Term(term) => self.show_term(term),
            HintSize::Broadcast(term) => format!("#{}", self.show_term(term)),
        }
    }

    /// A term as it is written, with the size of each name that is known: `n=3`, `n=3+1`.
    fn show_term(&self, term: &SizeTerm) -> String {
        match term {
            SizeTerm::Number(number) => number.to_string(),
            SizeTerm::Argument(name) => format!("{{{name}}}"),
            SizeTerm::Combined(operator, left, right) => {
                let operator = if *operator == '/' { "//".to_owned() } else { operator.to_string() };
                format!("{}{operator}{}", self.show_term(left), self.show_term(right))
            }
            SizeTerm::Name(name) => {
                let bound = self.bound_size(name).and_then(|size| size.as_dim());
                match bound.and_then(|dim| self.run.state.store.value(&dim)) {
                    Some(size) => format!("{name}={size}"),
                    None => name.to_string(),
                }
            }
        }
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
}

/// What a string among the sizes of a hint says.
enum SizeText {
    One(HintSize),
    Many(HintRest),
}

fn read_size_text(text: &str) -> SizeText {
    if text == "..." {
        return SizeText::Many(HintRest { name: None, broadcasts: false });
    }
    let plain = text.trim_start_matches(['*', '#']);
    let marks = &text[..text.len() - plain.len()];
    let broadcasts = marks.contains('#');
    if marks.contains('*') {
        let name = SizeTerm::parse(plain).and_then(|term| term.as_name().map(Arc::from));
        return SizeText::Many(HintRest { name, broadcasts });
    }
    SizeText::One(match SizeTerm::parse(plain) {
        Some(term) if broadcasts => HintSize::Broadcast(term),
        Some(term) => HintSize::Term(term),
        None => HintSize::Any,
    })
}
