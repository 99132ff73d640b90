//! What is known of the operands of an operation, and what follows for whether it may raise.
//!
//! The answers lean to one side: an operation that is not known to be harmless may end the path.

use pytrope_source::tree::BinaryOperator;

use super::library;
use crate::interp::Interp;
use crate::native::CallArgs;
use crate::object::{IterSource, Mapping, Object};
use crate::value::{BuiltinType, Seq, Value};

/// How many items of a sequence are looked at.
const LOOKED_AT: usize = 64;

impl Interp<'_> {
    /// Whether an operation on the value is decided: a constant, or a container whose items are all known.
    pub(super) fn is_plain(&self, value: &Value) -> bool {
        match value {
            Value::Unknown(_)
            | Value::UnknownNotNone(_)
            | Value::Union(_)
            | Value::Top(_)
            | Value::SymbolicBool(_)
            | Value::Dim(_) => false,
            Value::Tuple(seq) => is_plain_seq(seq),
            Value::Range(parts) | Value::Slice(parts) => parts.iter().all(Value::is_scalar_constant),
            Value::Obj(addr) => match self.object_at(*addr) {
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
        matches!(value, Value::Obj(addr) if matches!(self.object_at(*addr), Object::Instance(_) | Object::Array(_)))
    }

    /// Whether an operator may refuse operands of types that it takes.
    pub(super) fn may_refuse(&self, op: BinaryOperator, left: &Value, right: &Value) -> bool {
        match op {
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
                !right.is_scalar_constant() && !self.has_python_operations(left) && !self.has_python_operations(right)
            }
        }
    }

    /// Whether taking an item is decided: where it comes back it has not raised, and it would not another time.
    pub(super) fn is_item_decided(&self, object: &Value, index: &Value) -> bool {
        let is_sliced = matches!(index, Value::Slice(_))
            && (matches!(object, Value::Tuple(_) | Value::Str(_) | Value::Bytes(_))
                || matches!(object, Value::Obj(addr) if matches!(self.object_at(*addr), Object::List(_))));
        is_sliced
            || self.is_plain(object) && self.is_plain(index)
            || self.has_python_operations(object) && !index.is_unknown()
    }

    /// Whether it is proved that an item is there.
    pub(super) fn is_item_proved(&self, object: &Value, index: &Value) -> bool {
        object.alternatives().iter().all(|object| {
            let seq = match object {
                Value::Tuple(seq) => seq,
                Value::Obj(addr) => match self.object_at(*addr) {
                    Object::List(seq) => seq,
                    // What arrays require of an index is told by itself.
                    Object::Array(_) => return true,
                    _ => return false,
                },
                _ => return false,
            };
            match (seq, index) {
                (_, Value::Slice(_)) => true,
                (Seq::Exact(items), Value::Int(index)) => {
                    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
                    -length <= *index && *index < length
                }
                _ => false,
            }
        })
    }

    /// Whether what is called may refuse what it is given. Functions of the program and of models say so where it happens.
    pub(super) fn may_refuse_call(&self, callee: &Value, args: &CallArgs) -> bool {
        let all_plain = || args.values().all(|value| self.is_plain(value));
        let any_unknown = || args.values().any(Value::is_unknown);
        match callee {
            Value::Native(native) if library::function(native.name).is_total() => any_unknown(),
            Value::Native(_) => !all_plain(),
            Value::Method(method) => {
                let is_total =
                    library::method(method.name.text()).is_total() && !method.receiver.is_unknown() && !any_unknown();
                !(is_total || self.is_plain(&method.receiver) && all_plain())
            }
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Class(class) => match class.kind {
                    Some(BuiltinType::Bool | BuiltinType::Str | BuiltinType::Object) => any_unknown(),
                    Some(BuiltinType::Int | BuiltinType::Float) => !args.values().all(|value| {
                        self.is_plain(value) || matches!(value.kind(), Some(BuiltinType::Int | BuiltinType::Bool))
                    }),
                    Some(_) => !all_plain(),
                    None => class.features.is_model && any_unknown(),
                },
                Object::Function(function) => function.code.is_model && any_unknown(),
                _ => false,
            },
            Value::Bound(_) => any_unknown(),
            _ => true,
        }
    }
}

fn is_plain_seq(seq: &Seq) -> bool {
    match seq {
        Seq::Exact(items) => {
            items.len() <= LOOKED_AT && !items.iter().any(|item| item.is_unknown() || matches!(item, Value::Union(_)))
        }
        Seq::Open(_) => false,
    }
}

fn is_plain_mapping(mapping: &Mapping) -> bool {
    mapping.open.is_none() && mapping.entries.values().all(|entry| entry.definite)
}
