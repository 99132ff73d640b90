//! What models do to containers and plain instances: deep copies, entries that may be there.

use std::sync::Arc;

use pytrope_dims::{Dim, Sym};
use pytrope_eval::object::{Entry, Instance, Key, Mapping};
use pytrope_eval::value::{Addr, OpenSeq};
use pytrope_eval::{CallArgs, Flow, Interp, Name, Object, Reason, Seq, Value};
use rustc_hash::FxHashMap;

/// How deep containers are copied; what lies deeper is not known.
const DEPTH: u32 = 40;

/// `deep_copy(x)`: containers and plain instances with copies of what they hold, arrays by their own `__deepcopy__`, members
/// of enumerations themselves; Unknown for other objects.
pub(super) fn deep_copy(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    match args.first() {
        Some(value) => Copying { made: FxHashMap::default(), renamed: None }.copy_value(interp, value, DEPTH),
        None => Ok(unknown()),
    }
}

/// `copy_of_other_member(x)`: as `deep_copy`, of what another member of a family of roles has in this one's place.
pub(super) fn copy_of_other_member(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    match args.first() {
        Some(value) => {
            let renamed = Some(FxHashMap::default());
            Copying { made: FxHashMap::default(), renamed }.copy_value(interp, value, DEPTH)
        }
        None => Ok(unknown()),
    }
}

/// `may_hold(d, key)`: the dictionary may have got an entry of which nothing is known.
pub(super) fn may_hold(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let [Value::Obj(addr), key @ Value::Str(text)] = args.positional.as_slice()
        && let Object::Dict(mapping) = interp.object_at(*addr)
    {
        let mut mapping = mapping.clone();
        let unknown = Value::Unknown(Reason::Joined);
        let entries = Arc::make_mut(&mut mapping.entries);
        if let Some(entry) = entries.get_mut(&Key::Str(Arc::clone(text))) {
            entry.value = unknown;
        } else {
            let entry = Entry { key: key.clone(), value: unknown, definite: false };
            entries.insert(Key::Str(Arc::clone(text)), entry);
        }
        interp.write_object(*addr, Object::Dict(mapping));
        return Ok(Value::None);
    }
    args.values().for_each(|value| interp.havoc_reachable(value));
    Ok(Value::None)
}

fn unknown() -> Value {
    Value::Unknown(Reason::Model(Name::new("copy.deepcopy asks its argument")))
}

/// One deep copy: an object that is reached twice is copied once.
struct Copying {
    made: FxHashMap<Addr, Value>,
    /// The sizes of another member, where the copy is of what that one has.
    renamed: Option<FxHashMap<Sym, Dim>>,
}

/// Special methods by which a class copies its instances in its own way.
const OWN_COPIES: [&str; 7] =
    ["__deepcopy__", "__copy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__"];

/// The name by which the model of a class says that copies of their attributes make copies of its instances.
const COPIED_BY_ATTRIBUTES: &str = "_pytrope_copied_by_attributes";

impl Copying {
    fn copy_value(&mut self, interp: &mut Interp<'_>, value: &Value, depth: u32) -> Flow {
        if let (Value::Dim(dim), Some(renamed)) = (value, &mut self.renamed) {
            return Ok(Value::Dim(interp.size_at_other_member(dim, renamed)));
        }
        if value.is_scalar_constant() || matches!(value, Value::Dim(_) | Value::SymbolicBool(_) | Value::Native(_)) {
            return Ok(value.clone());
        }
        if depth == 0 {
            return Ok(unknown());
        }
        interp.consume_step()?;
        match value {
            Value::Tuple(seq) => Ok(Value::Tuple(self.copy_seq(interp, seq, depth)?)),
            Value::Obj(addr) => {
                if let Some(made) = self.made.get(addr) {
                    return Ok(made.clone());
                }
                match interp.object_at(*addr).clone() {
                    Object::List(seq) => {
                        let made = self.empty_copy(interp, *addr, Object::List(Seq::empty()));
                        let seq = self.copy_seq(interp, &seq, depth)?;
                        interp.write_object(made, Object::List(seq));
                        Ok(Value::Obj(made))
                    }
                    Object::Dict(mapping) => {
                        let made = self.empty_copy(interp, *addr, Object::Dict(Mapping::default()));
                        let mapping = self.copy_mapping(interp, &mapping, depth)?;
                        interp.write_object(made, Object::Dict(mapping));
                        Ok(Value::Obj(made))
                    }
                    Object::Array(_) => {
                        let method = interp.read_attribute(value, Name::new("__deepcopy__"))?;
                        let memo = interp.new_object(Object::Dict(Mapping::default()));
                        let made = interp.call_value(&method, CallArgs::of(vec![memo]))?;
                        self.made.insert(*addr, made.clone());
                        self.rename_sizes(interp, &made);
                        Ok(made)
                    }
                    Object::Instance(instance) => self.copy_instance(interp, value, &instance, depth),
                    _ => Ok(unknown()),
                }
            }
            Value::Union(_) => {
                interp.for_each_alternative(value, |interp, value| self.copy_value(interp, value, depth))
            }
            _ => Ok(unknown()),
        }
    }

    /// A plain instance with copies of its attributes; Unknown for one that copies itself in its own way.
    fn copy_instance(&mut self, interp: &mut Interp<'_>, value: &Value, instance: &Instance, depth: u32) -> Flow {
        let (Some(addr), Some(class)) = (value.addr(), instance.class.addr()) else { return Ok(unknown()) };
        let Some(declared) = interp.class_at(class) else { return Ok(unknown()) };
        if declared.features.enumeration {
            return Ok(value.clone());
        }
        // What a library's instances hold is more than their attributes say, unless their model says otherwise.
        let holds_no_more = interp.find_in_mro(class, Name::new(COPIED_BY_ATTRIBUTES)).is_some()
            || interp.mro_of(class).iter().all(|base| {
                interp.class_at(*base).is_some_and(|base| !base.features.is_model || &*base.name == "object")
            });
        let is_plain = holds_no_more
            && instance.content.is_none()
            && !declared.open
            && !instance.attrs.open
            && OWN_COPIES
                .iter()
                .all(|name| interp.find_in_mro(class, Name::new(name)).is_none_or(|(value, _)| value.is_unknown()));
        if !is_plain {
            return Ok(unknown());
        }
        let made = self.empty_copy(interp, addr, Object::Instance(Arc::new(instance.clone())));
        let mut copied = instance.clone();
        for (key, slot) in instance.attrs.map.iter() {
            let mut slot = slot.clone();
            slot.value = self.copy_value(interp, &slot.value, depth - 1)?;
            copied.attrs.map.insert(key, slot);
        }
        interp.write_object(made, Object::Instance(Arc::new(copied)));
        Ok(Value::Obj(made))
    }

    /// An array that another member has, with sizes of that member.
    fn rename_sizes(&mut self, interp: &mut Interp<'_>, array: &Value) {
        let Some(renamed) = &mut self.renamed else { return };
        let Some(shape) = interp.array_of(array).map(|array| array.shape.clone()) else { return };
        let dims = shape.dims().iter().map(|dim| interp.size_at_other_member(dim, renamed)).collect();
        interp.update_array(array, |array| array.shape = shape.with_dims(dims));
    }

    /// A new object that stands for the copy of another while its contents are copied.
    fn empty_copy(&mut self, interp: &mut Interp<'_>, of: Addr, object: Object) -> Addr {
        let made = interp.allocate_object(object);
        self.made.insert(of, Value::Obj(made));
        made
    }

    fn copy_seq(&mut self, interp: &mut Interp<'_>, seq: &Seq, depth: u32) -> Flow<Seq> {
        let mut copies = |items: &[Value]| -> Flow<Vec<Value>> {
            items.iter().map(|item| self.copy_value(interp, item, depth - 1)).collect()
        };
        Ok(match seq {
            Seq::Exact(items) => Seq::exact(copies(items)?),
            Seq::Open(open) => {
                let OpenSeq { prefix, element, len } = &**open;
                let prefix = copies(prefix)?;
                Seq::open(prefix, self.copy_value(interp, element, depth - 1)?, len.clone())
            }
        })
    }

    fn copy_mapping(&mut self, interp: &mut Interp<'_>, mapping: &Mapping, depth: u32) -> Flow<Mapping> {
        let mut copy = Mapping::default();
        let entries = Arc::make_mut(&mut copy.entries);
        for (key, entry) in mapping.entries.iter() {
            let value = self.copy_value(interp, &entry.value, depth - 1)?;
            entries.insert(key.clone(), Entry { key: entry.key.clone(), value, definite: entry.definite });
        }
        if let Some(open) = &mapping.open {
            copy.open = Some(Arc::new((open.0.clone(), self.copy_value(interp, &open.1, depth - 1)?)));
        }
        Ok(copy)
    }
}
