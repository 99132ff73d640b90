//! Methods of `list`, `tuple`, `dict` and `set`.

use std::sync::Arc;

use crate::interp::{Flow, Interp};
use crate::items::Lookup;
use crate::native::CallArgs;
use crate::object::{Iter, IterSource, Mapping, Object};
use crate::operators::SEQUENCE_LIMIT;
use crate::value::IntoValue;
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

impl Interp<'_> {
    fn seq_at(&self, value: &Value) -> Option<(Addr, Seq)> {
        let addr = value.addr()?;
        match self.object_at(addr) {
            Object::List(seq) => Some((addr, seq.clone())),
            _ => None,
        }
    }

    pub(super) fn list_method(&mut self, receiver: &Value, name: &str, args: &CallArgs) -> Flow<Option<Value>> {
        let positional = args.positional.as_slice();
        // The common case changes the list in place, without copying it.
        if let ("append", [item], true, Some(addr)) = (name, positional, args.is_exact(), receiver.addr())
            && !addr.is_summary()
            && let Some(Object::List(Seq::Exact(items))) = self.run.state.heap.get_mut(addr.0)
            && items.len() < SEQUENCE_LIMIT
        {
            Arc::make_mut(items).push(item.clone());
            return Ok(Some(Value::None));
        }
        let Some((addr, seq)) = self.seq_at(receiver) else { return Ok(None) };
        if !args.is_exact() {
            return Ok(None);
        }
        match (name, positional) {
            ("append", [item]) => {
                let more = Seq::exact(vec![item.clone()]);
                let seq = self.concatenate_seqs(&seq, &more);
                self.write_object(addr, Object::List(seq));
                Ok(Some(Value::None))
            }
            ("extend", [items]) => {
                self.extend_list(addr, &seq, items)?;
                Ok(Some(Value::None))
            }
            ("copy", []) => Ok(Some(self.new_object(Object::List(seq)))),
            ("clear", []) => {
                self.write_object(addr, Object::List(Seq::empty()));
                Ok(Some(Value::None))
            }
            ("insert", [Value::Int(at), item]) => {
                let Seq::Exact(items) = &seq else { return Ok(None) };
                let mut items = items.to_vec();
                let len = items.len() as i64;
                let at = if *at < 0 { (at + len).max(0) } else { (*at).min(len) };
                items.insert(at as usize, item.clone());
                self.write_object(addr, Object::List(Seq::exact(items)));
                Ok(Some(Value::None))
            }
            ("pop", [] | [Value::Int(_)]) => self.list_pop(addr, &seq, positional.first()),
            ("reverse", []) => {
                let Seq::Exact(items) = &seq else { return Ok(None) };
                let items = items.iter().rev().cloned().collect();
                self.write_object(addr, Object::List(Seq::exact(items)));
                Ok(Some(Value::None))
            }
            ("sort", []) if args.keywords.is_empty() => {
                self.raise_if_unsortable(&seq)?;
                let sorted = self.sort_seq(&seq);
                self.write_object(addr, Object::List(sorted));
                Ok(Some(Value::None))
            }
            ("sort", _) => {
                self.refuse_key(args, &seq)?;
                let len = self.seq_len(&seq);
                let element = self.element_of(&seq);
                for (_, value) in &args.keywords {
                    self.havoc_reachable(value);
                }
                self.write_object(addr, Object::List(Seq::open(Vec::new(), element, len)));
                Ok(Some(Value::None))
            }
            ("index" | "count" | "remove", [item]) => {
                let Seq::Exact(items) = &seq else {
                    if name == "remove" {
                        return Ok(None);
                    }
                    return Ok(Some(self.any_natural()));
                };
                let items = items.clone();
                self.list_search(addr, &items, name, item)
            }
            _ => Ok(None),
        }
    }

    fn list_pop(&mut self, addr: Addr, seq: &Seq, index: Option<&Value>) -> Flow<Option<Value>> {
        match seq {
            Seq::Exact(items) => {
                let len = items.len() as i64;
                let at = match index {
                    Some(Value::Int(at)) => *at,
                    None => -1,
                    Some(_) if items.is_empty() => -1,
                    Some(_) => {
                        // Any of them goes.
                        let items = items.clone();
                        let element = self.any_of(&items);
                        let rest = Seq::open(Vec::new(), element.clone(), Value::Int(len - 1));
                        self.write_object(addr, Object::List(rest));
                        return Ok(Some(element));
                    }
                };
                let position = if at < 0 { at + len } else { at };
                if items.is_empty() {
                    return self.raise_error("index-range", "IndexError", "pop from empty list").map(Some);
                }
                if position < 0 || position >= len {
                    return self.raise_error("index-range", "IndexError", "pop index out of range").map(Some);
                }
                let mut items = items.to_vec();
                let item = items.remove(position as usize);
                self.write_object(addr, Object::List(Seq::exact(items)));
                Ok(Some(item))
            }
            Seq::Open(_) => {
                let element = self.element_of(seq);
                let rest = self.open_seq(element.clone());
                self.write_object(addr, Object::List(rest));
                Ok(Some(self.instantiate_element(&element)))
            }
        }
    }

    fn list_search(&mut self, addr: Addr, items: &[Value], name: &str, item: &Value) -> Flow<Option<Value>> {
        let mut count = 0;
        for (i, other) in items.iter().enumerate() {
            match self.equal_quietly(other, item) {
                ThreeValued::True if name == "index" => return Ok(Some(Value::Int(i as i64))),
                ThreeValued::True if name == "remove" => {
                    let mut items = items.to_vec();
                    items.remove(i);
                    self.write_object(addr, Object::List(Seq::exact(items)));
                    return Ok(Some(Value::None));
                }
                ThreeValued::True => count += 1,
                ThreeValued::False => {}
                ThreeValued::Open(_) if name == "remove" => return Ok(None),
                ThreeValued::Open(_) => return Ok(Some(self.any_natural())),
            }
        }
        match name {
            "count" => Ok(Some(Value::Int(count))),
            "index" => {
                let shown = self.show_value(item);
                self.raise_error("other-error", "ValueError", format!("{shown} is not in list")).map(Some)
            }
            _ => self.raise_error("other-error", "ValueError", "list.remove(x): x not in list").map(Some),
        }
    }

    /// One value that stands for every item.
    pub(crate) fn element_of(&mut self, seq: &Seq) -> Value {
        match seq {
            Seq::Exact(items) => {
                let items = items.clone();
                self.any_of(&items)
            }
            Seq::Open(open) if open.prefix.is_empty() => open.element.clone(),
            Seq::Open(open) => {
                let mut all = open.prefix.clone();
                all.push(open.element.clone());
                self.any_of(&all)
            }
        }
    }

    /// Raises if items cannot be brought into an order: sorting compares enough pairs to connect all items, so that
    /// a text is compared with a number somewhere, and None or a dictionary with anything.
    pub(crate) fn raise_if_unsortable(&mut self, seq: &Seq) -> Flow<()> {
        let Seq::Exact(items) = seq else { return Ok(()) };
        let mut families: Vec<(Option<u8>, Arc<str>)> = Vec::new();
        for item in items.iter() {
            let family = match self.exact_builtin_type(item) {
                Some(BuiltinType::Int | BuiltinType::Bool | BuiltinType::Float) => Some(0),
                Some(BuiltinType::Str) => Some(1),
                Some(BuiltinType::Bytes) => Some(2),
                Some(BuiltinType::List) => Some(3),
                Some(BuiltinType::Tuple) => Some(4),
                Some(BuiltinType::Set | BuiltinType::FrozenSet) => Some(5),
                // Two of these have no order either.
                Some(BuiltinType::NoneType | BuiltinType::Dict | BuiltinType::Complex | BuiltinType::Range) => None,
                _ => return Ok(()),
            };
            if family.is_none() || !families.iter().any(|(known, _)| *known == family) {
                families.push((family, self.exact_type_name(item).unwrap_or_default()));
            }
        }
        let [(_, first), (_, second), ..] = families.as_slice() else { return Ok(()) };
        let message = format!("'<' not supported between instances of '{second}' and '{first}'");
        self.raise_error("bad-operand", "TypeError", message)?;
        Ok(())
    }

    /// The items in order: exact for numbers and strings, of known length otherwise.
    pub(crate) fn sort_seq(&mut self, seq: &Seq) -> Seq {
        if let Seq::Exact(items) = seq {
            let ints: Option<Vec<i64>> = items
                .iter()
                .map(|item| match item {
                    Value::Int(value) => Some(*value),
                    _ => None,
                })
                .collect();
            if let Some(mut ints) = ints {
                ints.sort_unstable();
                return Seq::exact(ints.into_iter().map(Value::Int).collect());
            }
            let texts: Option<Vec<Arc<str>>> = items
                .iter()
                .map(|item| match item {
                    Value::Str(text) => Some(Arc::clone(text)),
                    _ => None,
                })
                .collect();
            if let Some(mut texts) = texts {
                texts.sort_unstable();
                return Seq::exact(texts.into_iter().map(Value::Str).collect());
            }
            if items.len() <= 1 {
                return seq.clone();
            }
        }
        let len = self.seq_len(seq);
        let element = self.element_of(seq);
        Seq::open(Vec::new(), element, len)
    }

    pub(super) fn tuple_method(&mut self, receiver: &Value, name: &str, args: &CallArgs) -> Flow<Option<Value>> {
        let (Value::Tuple(Seq::Exact(items)), [item]) = (receiver, args.positional.as_slice()) else { return Ok(None) };
        let items = items.clone();
        match name {
            "index" | "count" => self.list_search(Addr::new(0, 0), &items, name, item),
            _ => Ok(None),
        }
    }

    fn mapping_at(&self, value: &Value) -> Option<(Addr, Mapping)> {
        let addr = value.addr()?;
        match self.object_at(addr) {
            Object::Dict(mapping) | Object::Set(mapping) | Object::FrozenSet(mapping) => Some((addr, mapping.clone())),
            _ => None,
        }
    }

    pub(super) fn dict_method(&mut self, receiver: &Value, name: &str, args: &CallArgs) -> Flow<Option<Value>> {
        let Some((addr, mut mapping)) = self.mapping_at(receiver) else { return Ok(None) };
        if !args.is_exact() {
            return Ok(None);
        }
        match (name, args.positional.as_slice()) {
            ("get", [key, ..]) => {
                let default = args.positional.get(1).cloned().unwrap_or(Value::None);
                Ok(Some(match self.find_entry(&mapping, key)? {
                    Lookup::Found(value) => value,
                    Lookup::Missing => default,
                    Lookup::Maybe => {
                        let found = self.some_entry(&mapping);
                        self.join_loose(&found, &default)
                    }
                }))
            }
            ("keys", []) => {
                let keys = self.mapping_keys(&mapping, true);
                Ok(Some(self.new_view(keys)))
            }
            ("values", []) => {
                let seq = self.mapping_values(&mapping);
                Ok(Some(self.new_view(seq)))
            }
            ("items", []) => {
                let exact = mapping.open.is_none() && mapping.entries.values().all(|entry| entry.definite);
                let seq = if exact {
                    let pairs = mapping
                        .entries
                        .values()
                        .map(|entry| Value::tuple(vec![entry.key.clone(), entry.value.clone()]));
                    Seq::exact(pairs.collect())
                } else {
                    let keys = self.mapping_keys(&mapping, true);
                    let values = self.mapping_values(&mapping);
                    let pair = Value::tuple(vec![self.element_of(&keys), self.element_of(&values)]);
                    self.open_seq(pair)
                };
                Ok(Some(self.new_view(seq)))
            }
            ("copy", []) => Ok(Some(self.new_dict(mapping))),
            ("clear", []) => {
                self.write_object(addr, Object::Dict(Mapping::default()));
                Ok(Some(Value::None))
            }
            ("update", _) => {
                for other in &args.positional {
                    self.merge_mapping(&mut mapping, other)?;
                }
                for (keyword, value) in &args.keywords {
                    self.store_entry(&mut mapping, &Value::Str(Arc::clone(keyword.shared())), value.clone())?;
                }
                self.write_object(addr, Object::Dict(mapping));
                Ok(Some(Value::None))
            }
            ("setdefault", [key, ..]) => {
                let default = args.positional.get(1).cloned().unwrap_or(Value::None);
                match self.find_entry(&mapping, key)? {
                    Lookup::Found(value) => Ok(Some(value)),
                    Lookup::Missing => {
                        self.store_entry(&mut mapping, key, default.clone())?;
                        self.write_object(addr, Object::Dict(mapping));
                        Ok(Some(default))
                    }
                    Lookup::Maybe => Ok(None),
                }
            }
            ("popitem", []) if mapping.is_certainly_empty() => {
                self.raise_error("missing-key", "KeyError", "popitem(): dictionary is empty").map(Some)
            }
            // An empty dictionary does not ask for the hash of the key.
            ("pop", [_, default, ..]) if mapping.is_certainly_empty() => Ok(Some(default.clone())),
            ("pop", [key, ..]) => match self.find_entry(&mapping, key)? {
                Lookup::Found(value) => {
                    if let Some(key) = self.key_of(key) {
                        Arc::make_mut(&mut mapping.entries).shift_remove(&key);
                        self.write_object(addr, Object::Dict(mapping));
                    }
                    Ok(Some(value))
                }
                Lookup::Missing => match args.positional.get(1) {
                    Some(default) => Ok(Some(default.clone())),
                    None => {
                        let shown = self.show_value(key);
                        self.raise_error("missing-key", "KeyError", shown).map(Some)
                    }
                },
                Lookup::Maybe => {
                    if let Some(key) = self.key_of(key) {
                        Arc::make_mut(&mut mapping.entries).shift_remove(&key);
                        let found = self.some_entry(&mapping);
                        self.havoc_reachable(&found);
                        self.write_object(addr, Object::Dict(mapping));
                        return Ok(Some(Value::Unknown(Reason::Operand)));
                    }
                    Ok(None)
                }
            },
            _ => Ok(None),
        }
    }

    /// A view shows what was there when it was made; what is added later is not followed.
    fn new_view(&mut self, seq: Seq) -> Value {
        self.new_object(Object::Iter(Iter { source: IterSource::View(seq), taken: Some(0), watched: Arc::default() }))
    }

    pub(crate) fn mapping_values(&mut self, mapping: &Mapping) -> Seq {
        let values: Vec<Value> = mapping.entries.values().map(|entry| entry.value.clone()).collect();
        let exact = mapping.open.is_none() && mapping.entries.values().all(|entry| entry.definite);
        if exact {
            return Seq::exact(values);
        }
        let mut all = values;
        if let Some(open) = &mapping.open {
            all.push(open.1.clone());
        }
        let element = self.any_of(&all);
        self.open_seq(element)
    }

    pub(super) fn set_method(&mut self, receiver: &Value, name: &str, args: &CallArgs) -> Flow<Option<Value>> {
        let Some((addr, mut mapping)) = self.mapping_at(receiver) else { return Ok(None) };
        let is_set = matches!(self.object_at(addr), Object::Set(_));
        match (name, args.positional.as_slice()) {
            ("pop", []) if is_set && mapping.is_certainly_empty() => {
                self.raise_error("missing-key", "KeyError", "pop from an empty set").map(Some)
            }
            ("add", [item]) if is_set => {
                self.store_entry(&mut mapping, item, Value::None)?;
                self.write_object(addr, Object::Set(mapping));
                Ok(Some(Value::None))
            }
            ("copy", []) => {
                let copy = if is_set { Object::Set(mapping) } else { Object::FrozenSet(mapping) };
                Ok(Some(self.new_object(copy)))
            }
            ("clear", []) if is_set => {
                self.write_object(addr, Object::Set(Mapping::default()));
                Ok(Some(Value::None))
            }
            ("issubset" | "issuperset" | "isdisjoint", _) => Ok(Some(ThreeValued::opaque().into_value())),
            ("union" | "intersection" | "difference" | "symmetric_difference", _) => {
                for other in &args.positional {
                    self.iterate_value(&other.clone())?;
                }
                let open = Some(Arc::new((Value::Unknown(Reason::Operand), Value::None)));
                let result = Mapping { entries: Arc::default(), open };
                Ok(Some(self.new_object(if is_set { Object::Set(result) } else { Object::FrozenSet(result) })))
            }
            _ => Ok(None),
        }
    }
}
