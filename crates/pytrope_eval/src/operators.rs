//! Operators: exact on constants, symbolic on integers, by special methods on everything else.

mod numbers;

pub(crate) use numbers::as_big;
pub use numbers::{from_const, to_const};

use std::sync::{Arc, LazyLock};

use pytrope_dims::{Cmp, Dim};
use pytrope_source::tree::{BinaryOperator, UnaryOperator};

use crate::constants::{self, Computed};
use crate::escape::ForeignEffect;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{IterSource, Object};
use crate::value::IntoValue;
use crate::value::{BuiltinType, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

/// The special methods of an operator: its own, the reflected and the in-place one.
fn special_method_names(op: BinaryOperator) -> [Name; 3] {
    static METHODS: LazyLock<[[Name; 3]; 13]> = LazyLock::new(|| {
        BinaryOperator::ALL.map(|op| ["", "r", "i"].map(|form| Name::new(&format!("__{form}{}__", op.method()))))
    });
    METHODS[op as usize]
}

/// Sequences longer than this are summarised.
pub(crate) const SEQUENCE_LIMIT: usize = 10_000;

/// Why the result of an operator is unknown: an error that was reported for an operand is the first cause.
fn reason_of_operands(a: &Value, b: &Value) -> Reason {
    let is_reported = [a, b].iter().any(|operand| operand.reason() == Some(Reason::Finding));
    if is_reported { Reason::Finding } else { Reason::Operand }
}

impl Interp<'_> {
    pub fn eval_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Flow {
        if matches!(a, Value::Union(_)) || matches!(b, Value::Union(_)) {
            return self.for_each_alternative(a, |interp, a| {
                interp.for_each_alternative(b, |interp, b| interp.binary_plain(op, a, b, None))
            });
        }
        self.binary_plain(op, a, b, None)
    }

    /// `a op= b`: the in-place method first, then the operator.
    pub fn in_place(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Flow {
        if matches!(a, Value::Union(_)) || matches!(b, Value::Union(_)) {
            return self.for_each_alternative(a, |interp, a| {
                interp.for_each_alternative(b, |interp, b| interp.in_place_plain(op, a, b))
            });
        }
        self.in_place_plain(op, a, b)
    }

    fn in_place_plain(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Flow {
        if a.is_unknown() {
            self.havoc_reachable(b);
            self.havoc_escaped_objects(ForeignEffect::Contents);
            return Ok(Value::Unknown(reason_of_operands(a, b)));
        }
        if let Value::Obj(addr) = a {
            match self.object_at(*addr).clone() {
                // The addition of an array comes before the list's own.
                Object::List(seq) if op == BinaryOperator::Add && self.array_of(b).is_none() => {
                    self.extend_list(*addr, &seq, b)?;
                    return Ok(a.clone());
                }
                Object::List(seq)
                    if op == BinaryOperator::Mult
                        && self
                            .python_method(b, special_method_names(op)[1])
                            .is_none_or(|_| self.as_index(b).is_some())
                        && self.array_of(b).is_none() =>
                {
                    let repeated = self.repeat_seq(&seq, b);
                    if let Some(seq) = repeated {
                        self.write_object(*addr, Object::List(seq));
                        return Ok(a.clone());
                    }
                }
                Object::Dict(_) | Object::Set(_) => {
                    self.havoc_reachable(a);
                    return Ok(a.clone());
                }
                Object::Instance(_) | Object::Array(_) => {
                    let [_, _, name] = special_method_names(op);
                    if b.is_unknown() {
                        if self.array_of(a).is_some() {
                            // An array stays itself under an in-place operator, unless something else takes over.
                            self.forget_values(a);
                            if self.analysis.assumes {
                                return Ok(a.clone());
                            }
                        } else {
                            self.havoc_reachable(a);
                        }
                        return Ok(Value::Unknown(Reason::Operand));
                    }
                    if let Some(method) = self.python_method(a, name) {
                        let result = self.call_value(&method, CallArgs::of(vec![b.clone()]))?;
                        if result != Value::NotImplemented {
                            return Ok(result);
                        }
                    }
                }
                _ => {}
            }
        }
        self.binary_plain(op, a, b, Some("="))
    }

    fn binary_plain(&mut self, op: BinaryOperator, a: &Value, b: &Value, suffix: Option<&str>) -> Flow {
        if a.is_unknown() || b.is_unknown() {
            return self.with_unknown(op, a, b);
        }
        if op == BinaryOperator::Mult
            && let Some(product) = self.multiply_before_repeating(a, b)?
        {
            return Ok(product);
        }
        if let Some(result) = self.builtin_binary(op, a, b) {
            return result;
        }
        self.special_binary(op, a, b, suffix)
    }

    /// What an object with a multiplication of its own makes of a sequence: Python asks it before it repeats the sequence, on
    /// either side (`np.array(5) * [1, 2]` and `[1, 2] * np.array(5)` are arrays). `None` if it leaves that to the sequence.
    fn multiply_before_repeating(&mut self, a: &Value, b: &Value) -> Flow<Option<Value>> {
        let [forward, backward, _] = special_method_names(BinaryOperator::Mult);
        let (object, sequence, name) = match (self.is_sequence(a), self.is_sequence(b)) {
            (true, false) => (b, a, backward),
            (false, true) => (a, b, forward),
            _ => return Ok(None),
        };
        let Some(method) = self.python_method(object, name) else { return Ok(None) };
        let product = self.call_value(&method, CallArgs::of(vec![sequence.clone()]))?;
        if product != Value::NotImplemented {
            return Ok(Some(product));
        }
        // It repeats the sequence, perhaps as often as is not known.
        let repeats = self.python_method(object, Name::INDEX).is_some() && self.as_index(object).is_none();
        Ok(repeats.then_some(Value::Unknown(Reason::Operand)))
    }

    /// Whether a value is an iterator that code gives its items by: such have no operators.
    fn is_generator(&self, value: &Value) -> bool {
        let object = value.addr().map(|addr| self.object_at(addr));
        matches!(object, Some(Object::Iter(iter)) if !matches!(iter.source, IterSource::View(_)))
    }

    fn is_sequence(&self, value: &Value) -> bool {
        match value {
            Value::Obj(addr) => matches!(self.object_at(*addr), Object::List(_)),
            Value::Str(_) | Value::Bytes(_) | Value::Tuple(_) | Value::Top(BuiltinType::Str | BuiltinType::Bytes) => {
                true
            }
            _ => false,
        }
    }

    /// An operand is unknown: its methods decide, and may do anything.
    fn with_unknown(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Flow {
        if let Some((a, b)) = self.assumed_operands(op, a, b) {
            return self.binary_plain(op, &a, &b, None);
        }
        if let Some(value) = self.lazy_arithmetic(op, a, b) {
            return Ok(value);
        }
        Ok(Value::Unknown(reason_of_operands(a, b)))
    }

    fn special_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value, suffix: Option<&str>) -> Flow {
        let [forward, backward, _] = special_method_names(op);
        // The right operand goes first if its class derives from the left's and overrides the method.
        let right_first = match (self.class_of(a), self.class_of(b)) {
            (Some(x), Some(y)) => x != y && self.mro_of(y).contains(&x) && self.python_method(b, backward).is_some(),
            _ => false,
        };
        let mut order = [(a, b, forward), (b, a, backward)];
        if right_first {
            order.reverse();
        }
        let same_class = matches!((self.class_of(a), self.class_of(b)), (Some(x), Some(y)) if x == y);
        for (i, (left, right, name)) in order.into_iter().enumerate() {
            if i == 1 && same_class {
                break;
            }
            if let Some(method) = self.python_method(left, name) {
                let result = self.call_value(&method, CallArgs::of(vec![right.clone()]))?;
                if result != Value::NotImplemented {
                    return Ok(result);
                }
            } else if self.has_open_class(left) || self.has_builtin_layout(left) {
                return Ok(Value::Unknown(Reason::Operand));
            }
        }
        if op == BinaryOperator::Add && self.is_generator(a) && self.is_generator(b) {
            let message = "unsupported operand type(s) for +: two iterators, of which neither is a list".to_owned();
            return self.raise_error("bad-operand", "TypeError", message);
        }
        let (Some(x), Some(y)) = (self.exact_type_name(a), self.exact_type_name(b)) else {
            return Ok(Value::Unknown(Reason::Operand));
        };
        let certain = |interp: &Self, value: &Value, name: Name| {
            interp.lacks_method(value, name) || interp.python_method(value, name).is_some()
        };
        // A size that came from somewhere unknown may be an integer of NumPy, which makes an array of a list.
        let may_be_of_numpy = |value: &Value| matches!(value, Value::Dim(dim) if dim.as_const().is_none());
        let is_text = |value: &Value| matches!(value.kind(), Some(BuiltinType::Str | BuiltinType::Bytes));
        let lifts = |size: &Value, other: &Value| may_be_of_numpy(size) && self.is_sequence(other) && !is_text(other);
        if !(certain(self, a, forward) || builtin_refuses(self, a))
            || !(certain(self, b, backward) || builtin_refuses(self, b))
            || lifts(a, b)
            || lifts(b, a)
        {
            return Ok(Value::Unknown(Reason::Operand));
        }
        let symbol = format!("{}{}", op.symbol(), suffix.unwrap_or(""));
        self.raise_error(
            "bad-operand",
            "TypeError",
            format!("unsupported operand type(s) for {symbol}: '{x}' and '{y}'"),
        )
    }

    /// Operators between values of builtin types; `None` where special methods decide.
    fn builtin_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Option<Flow> {
        if let Some(result) = self.number_binary(op, a, b) {
            return Some(result);
        }
        match (op, a, b) {
            (BinaryOperator::Mod, Value::Str(template), _) => Some(self.format_percent(template, b)),
            (BinaryOperator::Mod, Value::Top(BuiltinType::Str), _) => Some(Ok(Value::Top(BuiltinType::Str))),
            (BinaryOperator::Add, Value::Str(x), Value::Str(y)) => Some(Ok(if x.len() + y.len() > 100_000 {
                Value::Top(BuiltinType::Str)
            } else {
                Value::str(&format!("{x}{y}"))
            })),
            (BinaryOperator::Add, Value::Bytes(x), Value::Bytes(y)) => {
                Some(Ok(Value::Bytes([&**x, &**y].concat().into())))
            }
            // The left operand decides between `bytes` and `bytearray`.
            (BinaryOperator::Add, _, _) if is_bytes(a) && is_bytes(b) => Some(Ok(any_bytes_like(a))),
            (BinaryOperator::Mod, _, _) if is_bytes(a) => Some(Ok(any_bytes_like(a))),
            (BinaryOperator::Mult, _, _) if is_bytes(a) && is_integer(b) => Some(Ok(any_bytes_like(a))),
            (BinaryOperator::Mult, _, _) if is_integer(a) && is_bytes(b) => Some(Ok(any_bytes_like(b))),
            (BinaryOperator::Add, _, _) if is_str(a) && is_str(b) => Some(Ok(Value::Top(BuiltinType::Str))),
            (BinaryOperator::Mult, Value::Str(text), times) | (BinaryOperator::Mult, times, Value::Str(text)) => {
                let times = self.as_index(times)?;
                Some(Ok(match times {
                    Value::Int(times) => match constants::strings::repeat(text, i128::from(times)) {
                        Computed::Value(text) => Value::str(&text),
                        Computed::Raises(_) | Computed::TooBig => Value::Top(BuiltinType::Str),
                    },
                    _ => Value::Top(BuiltinType::Str),
                }))
            }
            (BinaryOperator::Mult, Value::Top(BuiltinType::Str), times)
            | (BinaryOperator::Mult, times, Value::Top(BuiltinType::Str)) => {
                matches!(times.kind(), Some(BuiltinType::Int | BuiltinType::Bool))
                    .then_some(Ok(Value::Top(BuiltinType::Str)))
            }
            (BinaryOperator::Add, Value::Tuple(x), Value::Tuple(y)) => {
                Some(Ok(Value::Tuple(self.concatenate_seqs(x, y))))
            }
            (BinaryOperator::Mult, Value::Tuple(seq), times) | (BinaryOperator::Mult, times, Value::Tuple(seq)) => {
                let times = self.as_index(times)?;
                let repeated = self.repeat_seq(seq, &times)?;
                Some(Ok(Value::Tuple(repeated)))
            }
            _ => {
                let list_of = |interp: &Self, value: &Value| match value.addr().map(|addr| interp.object_at(addr)) {
                    Some(Object::List(seq)) => Some(seq.clone()),
                    _ => None,
                };
                let (x, y) = (list_of(self, a), list_of(self, b));
                match (op, x, y) {
                    (BinaryOperator::Add, Some(x), Some(y)) => {
                        let seq = self.concatenate_seqs(&x, &y);
                        Some(Ok(self.new_object(Object::List(seq))))
                    }
                    (BinaryOperator::Mult, Some(seq), None) => {
                        let times = self.as_index(b)?;
                        let seq = self.repeat_seq(&seq, &times)?;
                        Some(Ok(self.new_object(Object::List(seq))))
                    }
                    (BinaryOperator::Mult, None, Some(seq)) => {
                        let times = self.as_index(a)?;
                        let seq = self.repeat_seq(&seq, &times)?;
                        Some(Ok(self.new_object(Object::List(seq))))
                    }
                    _ => self.set_binary(op, a, b),
                }
            }
        }
    }

    fn set_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Option<Flow> {
        let is_set = |value: &Value| {
            value.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Set(_) | Object::FrozenSet(_)))
        };
        let is_dict = |value: &Value| value.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Dict(_)));
        let set_op =
            matches!(op, BinaryOperator::BitOr | BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::Sub);
        if is_set(a) && is_set(b) && set_op {
            return Some(Ok(self.combine_sets(op, a, b)));
        }
        if is_dict(a) && is_dict(b) && op == BinaryOperator::BitOr {
            let mut mapping = crate::object::Mapping::default();
            let merged = self.merge_mapping(&mut mapping, a).and_then(|()| self.merge_mapping(&mut mapping, b));
            return Some(merged.map(|()| self.new_dict(mapping)));
        }
        None
    }

    pub(crate) fn concatenate_seqs(&mut self, x: &Seq, y: &Seq) -> Seq {
        match (x, y) {
            (Seq::Exact(x), Seq::Exact(y)) if x.len() + y.len() <= SEQUENCE_LIMIT => {
                Seq::exact(x.iter().chain(y.iter()).cloned().collect())
            }
            _ => {
                let mut parts: Vec<Value> = Vec::new();
                let mut prefix = Vec::new();
                if let Seq::Exact(items) = x {
                    prefix = items.iter().take(64).cloned().collect();
                    if items.len() > 64 {
                        parts.extend(items[64..].iter().cloned());
                    }
                }
                if let Seq::Open(open) = x {
                    prefix.clone_from(&open.prefix);
                    parts.push(open.element.clone());
                }
                match y {
                    Seq::Exact(items) => parts.extend(items.iter().cloned()),
                    Seq::Open(open) => {
                        parts.extend(open.prefix.iter().cloned());
                        parts.push(open.element.clone());
                    }
                }
                let element = if parts.len() > 200 { Value::Unknown(Reason::Limit) } else { self.any_of(&parts) };
                let (m, n) = (self.seq_len(x), self.seq_len(y));
                let len = match (m.as_dim(), n.as_dim()) {
                    (Some(m), Some(n)) => m.plus(&n).map(Value::dim),
                    _ => None,
                };
                let len = match len {
                    Some(len) => len,
                    None => self.any_natural(),
                };
                Seq::open(prefix, element, len)
            }
        }
    }

    pub(crate) fn seq_len(&self, seq: &Seq) -> Value {
        match seq {
            Seq::Exact(items) => Value::Int(items.len() as i64),
            Seq::Open(open) => open.len.clone(),
        }
    }

    /// `seq * times`; `None` if `times` is no integer.
    pub(crate) fn repeat_seq(&mut self, seq: &Seq, times: &Value) -> Option<Seq> {
        let times = times.as_dim()?;
        if let (Seq::Exact(items), Some(count)) = (seq, times.as_const()) {
            if items.is_empty() && i64::try_from(count).is_ok() {
                return Some(Seq::empty());
            }
            let count = usize::try_from(count.max(0)).unwrap_or(usize::MAX);
            if !items.is_empty() && items.len().saturating_mul(count) <= SEQUENCE_LIMIT {
                let mut out = Vec::with_capacity(items.len() * count);
                for _ in 0..count {
                    out.extend(items.iter().cloned());
                }
                return Some(Seq::exact(out));
            }
        }
        let element = match seq {
            Seq::Exact(items) => self.any_of(&items.clone()),
            Seq::Open(open) if open.prefix.is_empty() => open.element.clone(),
            Seq::Open(_) => Value::Unknown(Reason::Limit),
        };
        let natural = self.compare_dims(&times, Cmp::Ge, &Dim::ZERO) == ThreeValued::True;
        let len = self.seq_len(seq).as_dim().and_then(|len| len.times(&times));
        let len = match len {
            Some(len) if natural => Value::dim(len),
            _ => self.any_natural(),
        };
        Some(Seq::open(Vec::new(), element, len))
    }

    pub(crate) fn extend_list(&mut self, addr: crate::value::Addr, seq: &Seq, more: &Value) -> Flow<()> {
        let more = match self.iterate_value(more)? {
            Some(more) => more,
            None => self.open_seq(Value::Unknown(Reason::Operand)),
        };
        let seq = self.concatenate_seqs(seq, &more);
        self.write_object(addr, Object::List(seq));
        Ok(())
    }

    /// An integer where Python asks for one (`__index__`).
    pub fn as_index(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Int(_) | Value::Big(_) | Value::Dim(_) => Some(value.clone()),
            Value::Bool(value) => Some(Value::Int(i64::from(*value))),
            Value::SymbolicBool(_) => Some(self.any_natural()),
            Value::Obj(_) => {
                let method = self.python_method(value, Name::INDEX)?;
                let (result, _) = self.capture_raises(|interp| interp.call_value(&method, CallArgs::none()));
                match result {
                    Ok(value @ (Value::Int(_) | Value::Big(_) | Value::Dim(_))) => Some(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub fn eval_unary(&mut self, op: UnaryOperator, value: &Value) -> Flow {
        self.for_each_alternative(value, |interp, value| interp.unary_plain(op, value))
    }

    fn unary_plain(&mut self, op: UnaryOperator, value: &Value) -> Flow {
        let (symbol, name) = match op {
            UnaryOperator::Minus => ("-", Name::NEG),
            UnaryOperator::Plus => ("+", Name::POS),
            UnaryOperator::Invert => ("~", Name::INVERT),
            UnaryOperator::Not => return Ok(self.truth_of(value)?.negated().into_value()),
        };
        match (op, value) {
            (_, Value::Unknown(_) | Value::UnknownNotNone(_)) => return Ok(Value::Unknown(Reason::Operand)),
            (UnaryOperator::Minus, Value::Float(x)) => return Ok(Value::Float(-x)),
            (UnaryOperator::Plus, Value::Float(_)) => return Ok(value.clone()),
            (UnaryOperator::Minus | UnaryOperator::Plus, Value::Top(BuiltinType::Float | BuiltinType::Complex)) => {
                return Ok(value.clone());
            }
            (UnaryOperator::Minus, Value::Complex(x)) => return Ok(Value::Complex(Arc::new((-x.0, -x.1)))),
            (UnaryOperator::Plus, Value::Complex(_)) => return Ok(value.clone()),
            (_, Value::SymbolicBool(_) | Value::Top(BuiltinType::Bool)) => return Ok(self.any_int()),
            _ => {}
        }
        if let Some(dim) = value.as_dim() {
            let result = match op {
                UnaryOperator::Minus => dim.negated(),
                UnaryOperator::Plus => Some(dim),
                UnaryOperator::Invert => dim.negated().and_then(|dim| dim.plus_const(-1)),
                UnaryOperator::Not => None,
            };
            return Ok(match result {
                Some(dim) => Value::dim(dim),
                None => self.any_int(),
            });
        }
        if let Value::Big(big) = value {
            return Ok(match op {
                UnaryOperator::Minus => Value::big(-&**big),
                UnaryOperator::Plus => value.clone(),
                UnaryOperator::Invert => Value::big(-&**big - 1),
                UnaryOperator::Not => Value::Unknown(Reason::Operand),
            });
        }
        if let Some(method) = self.python_method(value, name) {
            return self.call_value(&method, CallArgs::none());
        }
        match self.exact_type_name(value) {
            Some(kind) if self.lacks_method(value, name) => {
                self.raise_error("bad-operand", "TypeError", format!("bad operand type for unary {symbol}: '{kind}'"))
            }
            _ => Ok(Value::Unknown(Reason::Operand)),
        }
    }
}

fn any_bytes_like(value: &Value) -> Value {
    Value::Top(if value.kind() == Some(BuiltinType::ByteArray) { BuiltinType::ByteArray } else { BuiltinType::Bytes })
}

fn is_bytes(value: &Value) -> bool {
    matches!(value.kind(), Some(BuiltinType::Bytes | BuiltinType::ByteArray))
}

fn is_integer(value: &Value) -> bool {
    matches!(value.kind(), Some(BuiltinType::Int | BuiltinType::Bool))
}

fn is_str(value: &Value) -> bool {
    value.kind() == Some(BuiltinType::Str)
}

/// Whether a value is of a builtin type, whose operators with others are all known here.
pub(crate) fn builtin_refuses(interp: &Interp<'_>, value: &Value) -> bool {
    match value {
        Value::Obj(addr) => matches!(interp.object_at(*addr), Object::List(_) | Object::Dict(_) | Object::Set(_)),
        other => matches!(
            other.kind(),
            Some(
                BuiltinType::Int
                    | BuiltinType::Float
                    | BuiltinType::Bool
                    | BuiltinType::Str
                    | BuiltinType::Bytes
                    | BuiltinType::NoneType
                    | BuiltinType::Tuple
                    | BuiltinType::Range
                    | BuiltinType::Complex
            )
        ),
    }
}
