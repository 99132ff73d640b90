//! Which operations may raise though they need not: what comes after them, in the next iteration of a loop, is not certain to come.
//!
//! The answers lean to one side: an operation that is not known to be harmless is a hazard.

use pytrope_source::tree::BinaryOperator;

use super::Interp;
use crate::native::CallArgs;
use crate::object::{IterSource, Mapping, Object};
use crate::value::{Addr, BuiltinType, Seq, Value};

/// Methods of builtin types that do not raise, whatever is in the object they are called on.
const SAFE_METHODS: [&str; 22] = [
    "append",
    "insert",
    "clear",
    "copy",
    "reverse",
    "get",
    "keys",
    "values",
    "items",
    "setdefault",
    "add",
    "discard",
    "upper",
    "lower",
    "title",
    "strip",
    "lstrip",
    "rstrip",
    "startswith",
    "endswith",
    "bit_length",
    "is_integer",
];

/// Functions that do not raise on values of known types.
const SAFE_FUNCTIONS: [&str; 9] = ["print", "isinstance", "len", "abs", "repr", "id", "callable", "enumerate", "zip"];

impl Interp<'_> {
    /// Whether an operation on the value is decided: a constant, or a container whose items are all known.
    fn is_plain(&self, value: &Value) -> bool {
        match value {
            Value::Unknown(_)
            | Value::UnknownNotNone(_)
            | Value::Union(_)
            | Value::Top(_)
            | Value::SymbolicBool(_)
            | Value::Dim(_) => false,
            Value::Tuple(seq) => is_plain_seq(seq),
            Value::Range(parts) | Value::Slice(parts) => parts.iter().all(Value::is_scalar_constant),
            Value::Obj(addr) => match self.object(*addr) {
                Object::List(seq) => is_plain_seq(seq),
                Object::Dict(mapping) | Object::Set(mapping) | Object::FrozenSet(mapping) => is_plain_mapping(mapping),
                Object::Iter(iter) => {
                    iter.taken.is_some() && matches!(&iter.source, IterSource::Items(seq) if is_plain_seq(seq))
                }
                Object::Instance(_)
                | Object::Class(_)
                | Object::Function(_)
                | Object::Module(_)
                | Object::Array(_)
                | Object::Property(_)
                | Object::StaticMethod(_)
                | Object::ClassMethod(_)
                | Object::Super { .. } => true,
                Object::Scope(_) | Object::Coroutine { .. } | Object::Unknown => false,
            },
            Value::None
            | Value::Ellipsis
            | Value::NotImplemented
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::Str(_)
            | Value::Bytes(_)
            | Value::Native(_)
            | Value::Bound(_)
            | Value::Method(_) => true,
        }
    }

    /// Objects whose operations are written in Python: what may go wrong in them is noted where it happens.
    fn has_python_operations(&self, value: &Value) -> bool {
        matches!(value, Value::Obj(addr) if matches!(self.object(*addr), Object::Instance(_) | Object::Array(_)))
    }

    /// A requirement of a library is open: an exception of this class may come first.
    pub fn leave_open(&mut self, class: Option<Addr>) {
        self.hazard();
        self.run.doubted.push(class);
    }

    pub(crate) fn hazard_if(&mut self, doubtful: bool) {
        if doubtful {
            self.hazard();
        }
    }

    pub(crate) fn risk_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value, result: &Value) {
        if !self.is_tracking() {
            return;
        }
        let may_refuse = match op {
            BinaryOperator::Add
            | BinaryOperator::Sub
            | BinaryOperator::Mult
            | BinaryOperator::BitAnd
            | BinaryOperator::BitOr
            | BinaryOperator::BitXor => false,
            BinaryOperator::Div
            | BinaryOperator::FloorDiv
            | BinaryOperator::Mod
            | BinaryOperator::Pow
            | BinaryOperator::LShift
            | BinaryOperator::RShift
            | BinaryOperator::MatMult => {
                !b.is_scalar_constant() && !self.has_python_operations(a) && !self.has_python_operations(b)
            }
        };
        self.hazard_if(may_refuse || a.is_unknown() || b.is_unknown() || result.is_unknown());
    }

    /// Taking, storing or deleting an item.
    pub(crate) fn risk_item(&mut self, object: &Value, index: &Value) {
        if !self.is_tracking() {
            return;
        }
        let sliced = matches!(index, Value::Slice(_))
            && (matches!(object, Value::Tuple(_) | Value::Str(_) | Value::Bytes(_))
                || matches!(object, Value::Obj(addr) if matches!(self.object(*addr), Object::List(_))));
        let decided = self.is_plain(object) && self.is_plain(index);
        let by_method = self.has_python_operations(object) && !index.is_unknown();
        self.hazard_if(!sliced && !decided && !by_method);
    }

    pub(crate) fn risk_attribute(&mut self, object: &Value, result: &Value) {
        if self.is_tracking() {
            self.hazard_if(object.is_unknown() || result.is_unknown());
        }
    }

    /// A value whose truth, order or items are asked for.
    pub(crate) fn risk_operand(&mut self, value: &Value) {
        if self.is_tracking() {
            self.hazard_if(value.is_unknown());
        }
    }

    /// Something is unpacked or spread.
    pub(crate) fn risk_items(&mut self, value: &Value) {
        if self.is_tracking() {
            let doubtful = !self.is_plain(value);
            self.hazard_if(doubtful);
        }
    }

    pub(crate) fn risk_call(&mut self, callee: &Value, args: &CallArgs) {
        if !self.is_tracking() {
            return;
        }
        let doubtful = match callee {
            Value::Native(native) if SAFE_FUNCTIONS.contains(&native.name) => args.values().any(Value::is_unknown),
            Value::Native(_) => !args.values().all(|value| self.is_plain(value)),
            Value::Method(method) => {
                let name = method.name.text();
                let safe = SAFE_METHODS.iter().any(|safe| **safe == *name)
                    && !method.receiver.is_unknown()
                    && args.values().all(|value| !value.is_unknown());
                let plain = self.is_plain(&method.receiver) && args.values().all(|value| self.is_plain(value));
                !(safe || plain)
            }
            Value::Obj(addr) => match self.object(*addr) {
                Object::Class(class) => match class.kind {
                    Some(BuiltinType::Bool | BuiltinType::Str | BuiltinType::Object) => {
                        args.values().any(Value::is_unknown)
                    }
                    Some(BuiltinType::Int | BuiltinType::Float) => !args.values().all(|value| {
                        self.is_plain(value) || matches!(value.kind(), Some(BuiltinType::Int | BuiltinType::Bool))
                    }),
                    Some(_) => !args.values().all(|value| self.is_plain(value)),
                    None => class.features.is_model && args.values().any(Value::is_unknown),
                },
                Object::Function(function) => function.code.is_model && args.values().any(Value::is_unknown),
                _ => false,
            },
            Value::Bound(_) => args.values().any(Value::is_unknown),
            _ => true,
        };
        self.hazard_if(doubtful);
    }
}

fn is_plain_seq(seq: &Seq) -> bool {
    match seq {
        Seq::Exact(items) => {
            items.len() <= 64 && !items.iter().any(|item| item.is_unknown() || matches!(item, Value::Union(_)))
        }
        Seq::Open(_) => false,
    }
}

fn is_plain_mapping(mapping: &Mapping) -> bool {
    mapping.open.is_none() && mapping.entries.values().all(|entry| entry.definite)
}
