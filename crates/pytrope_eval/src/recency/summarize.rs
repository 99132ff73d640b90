//! The end of an iteration: every mention of an object that it allocated becomes a mention of the summary.

use std::sync::Arc;

use pytrope_dims::{Dim, Sym};
use rustc_hash::FxHashMap;

use crate::cond::Cond;
use crate::object::{Class, Entries, Function, Iter, IterSource, Mapping, Module, Object, Property, Slot, Slots};
use crate::renaming::Renaming;
use crate::symbols;
use crate::value::{Addr, Reason, Value};

pub(super) struct IterationSummary<'a> {
    /// What was made in the iteration, and what stands for it from now on.
    made: &'a FxHashMap<Addr, Addr>,
    /// Sizes from this mark on are known in this iteration alone, where they are not forgotten later on.
    first_symbol: Option<u32>,
    /// What stands for such a size in all iterations.
    pub symbols: FxHashMap<Sym, Sym>,
    /// Objects that may now be reached through an Unknown.
    pub escaped: Vec<Addr>,
}

impl<'a> IterationSummary<'a> {
    pub(super) fn new(made: &'a FxHashMap<Addr, Addr>, first_symbol: Option<u32>) -> Self {
        Self { made, first_symbol, symbols: FxHashMap::default(), escaped: Vec::new() }
    }

    fn mentioned_in(&self, value: &Value) -> bool {
        value.any_address(&mut |addr| self.made.contains_key(&addr))
    }

    pub(super) fn replace_value(&mut self, value: &mut Value) {
        if let Some(renamed) = self.rename_value(value) {
            *value = renamed;
        }
    }

    /// An object from before the iteration with other addresses in it; `None` if it stays as it is.
    pub(super) fn rename_older_object(&mut self, object: &Object) -> Option<Object> {
        let made = self.made;
        if object.any_address(&mut |addr| made.contains_key(&addr)) { self.rename_object(object) } else { None }
    }

    fn summarize_addresses(&mut self, addresses: &[Addr]) -> Vec<Addr> {
        addresses.iter().map(|addr| self.summary_of(*addr)).collect()
    }

    fn summary_of(&self, addr: Addr) -> Addr {
        self.made.get(&addr).copied().unwrap_or(addr)
    }

    /// Values under a key that is not known any more.
    fn escape_value(&mut self, value: &Value) {
        let escaped = &mut self.escaped;
        value.any_address(&mut |addr| {
            escaped.push(addr);
            false
        });
    }
}

impl Renaming for IterationSummary<'_> {
    fn rename_addr(&mut self, addr: Addr) -> Option<Addr> {
        Some(self.summary_of(addr))
    }

    fn rename_dim(&mut self, dim: &Dim) -> Option<Dim> {
        let Some(first) = self.first_symbol else { return Some(dim.clone()) };
        let symbols = &mut self.symbols;
        dim.any_symbol(&mut |sym| {
            if symbols::is_younger(sym, first) && !sym.is_summary() {
                symbols.entry(sym).or_insert_with(|| symbols::summary_symbol(symbols::symbol_like(sym)));
            }
            false
        });
        dim.substitute(&|sym| self.symbols.get(&sym).map(|summary| Dim::symbol(*summary)))
    }

    fn rename_rank(&mut self, rank: &Dim) -> Option<Dim> {
        Some(rank.clone())
    }

    fn rename_cond(&mut self, cond: &Arc<Cond>) -> Option<Arc<Cond>> {
        Some(Arc::clone(cond))
    }

    /// Most slots stay as they are.
    fn rename_slots(&mut self, slots: &Slots) -> Option<Slots> {
        let mut copy = slots.clone();
        for (from, to) in [(&slots.map, &mut copy.map), (&slots.declared, &mut copy.declared)] {
            for (key, slot) in from.iter() {
                let has_sizes = self.first_symbol.is_some() && !slot.value.is_scalar_constant();
                if has_sizes || self.mentioned_in(&slot.value) {
                    let value = self.rename_value(&slot.value)?;
                    to.insert(key, Slot { value, definite: slot.definite });
                }
            }
        }
        Some(copy)
    }

    /// Entries under an object that now stands for many are under one that is not known.
    fn rename_mapping(&mut self, mapping: &Mapping) -> Option<Mapping> {
        let mut entries = Entries::default();
        let mut is_open = false;
        for (key, entry) in mapping.entries.iter() {
            let mut entry = entry.clone();
            self.replace_value(&mut entry.value);
            if self.mentioned_in(&entry.key) {
                self.replace_value(&mut entry.key);
                self.escape_value(&entry.key);
                self.escape_value(&entry.value);
                is_open = true;
            } else {
                entries.insert(key.clone(), entry);
            }
        }
        let open = if is_open {
            if let Some(open) = &mapping.open {
                let (key, value) = (self.rename_value(&open.0)?, self.rename_value(&open.1)?);
                self.escape_value(&key);
                self.escape_value(&value);
            }
            Some(Arc::new((Value::Unknown(Reason::Joined), Value::Unknown(Reason::Joined))))
        } else {
            match &mapping.open {
                Some(open) => Some(Arc::new((self.rename_value(&open.0)?, self.rename_value(&open.1)?))),
                None => None,
            }
        };
        Some(Mapping { entries: Arc::new(entries), open })
    }

    fn rename_iterator(&mut self, iter: &Iter) -> Option<Iter> {
        let made = self.made;
        if iter.watched.iter().any(|watched| watched.any_address(&mut |addr| made.contains_key(&addr))) {
            // Whether what it depends on has changed cannot be told any more.
            if let IterSource::Items(seq) | IterSource::View(seq) = &iter.source {
                let escaped = &mut self.escaped;
                seq.any_address(&mut |addr| {
                    escaped.push(made.get(&addr).copied().unwrap_or(addr));
                    false
                });
            }
            return Some(Iter { source: IterSource::Unknown, taken: None, watched: Arc::default() });
        }
        let source = match &iter.source {
            IterSource::Items(seq) => IterSource::Items(self.rename_seq(seq)?),
            IterSource::View(seq) => IterSource::View(self.rename_seq(seq)?),
            IterSource::Generator { function, scope } => {
                IterSource::Generator { function: self.summary_of(*function), scope: self.summary_of(*scope) }
            }
            IterSource::Refused(_) | IterSource::Unknown => iter.source.clone(),
        };
        Some(Iter { source, taken: iter.taken, watched: Arc::clone(&iter.watched) })
    }

    fn code_object(&mut self, object: &Object) -> Option<Object> {
        Some(match object {
            Object::Scope(slots) => Object::Scope(self.rename_slots(slots)?),
            Object::Class(class) => Object::Class(Arc::new(Class {
                bases: self.rename_values(&class.bases)?,
                mro: self.summarize_addresses(&class.mro),
                attrs: self.rename_slots(&class.attrs)?,
                metaclass: self.rename_option(class.metaclass.as_ref())?,
                ..Class::clone(class)
            })),
            Object::Function(function) => {
                let defaults: Option<Vec<_>> =
                    function.defaults.iter().map(|(name, value)| Some((*name, self.rename_value(value)?))).collect();
                Object::Function(Arc::new(Function {
                    scopes: Arc::from(self.summarize_addresses(&function.scopes)),
                    defaults: Arc::new(defaults?),
                    class: function.class.map(|class| self.summary_of(class)),
                    attrs: self.rename_slots(&function.attrs)?,
                    ..Function::clone(function)
                }))
            }
            Object::Module(module) => {
                Object::Module(Module { scope: module.scope.map(|scope| self.summary_of(scope)), ..module.clone() })
            }
            Object::Property(property) => Object::Property(Arc::new(Property {
                get: self.rename_value(&property.get)?,
                set: self.rename_value(&property.set)?,
                delete: self.rename_value(&property.delete)?,
            })),
            Object::StaticMethod(value) => Object::StaticMethod(self.rename_value(value)?),
            Object::ClassMethod(value) => Object::ClassMethod(self.rename_value(value)?),
            Object::Super { class, receiver } => {
                Object::Super { class: self.summary_of(*class), receiver: self.rename_value(receiver)? }
            }
            Object::Coroutine { function, scope } => {
                Object::Coroutine { function: self.summary_of(*function), scope: self.summary_of(*scope) }
            }
            Object::List(_)
            | Object::Dict(_)
            | Object::Set(_)
            | Object::FrozenSet(_)
            | Object::Instance(_)
            | Object::Array(_)
            | Object::Iter(_)
            | Object::Unknown => object.clone(),
        })
    }
}
