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

    pub(super) fn replace(&mut self, value: &mut Value) {
        if let Some(renamed) = self.value(value) {
            *value = renamed;
        }
    }

    /// The object with other addresses in it; `None` if it stays as it is.
    pub(super) fn renamed(&mut self, object: &Object) -> Option<Object> {
        let made = self.made;
        if object.any_address(&mut |addr| made.contains_key(&addr)) { self.object(object) } else { None }
    }

    fn each(&mut self, addresses: &[Addr]) -> Vec<Addr> {
        addresses.iter().map(|addr| self.of(*addr)).collect()
    }

    fn of(&self, addr: Addr) -> Addr {
        self.made.get(&addr).copied().unwrap_or(addr)
    }

    /// Values under a key that is not known any more.
    fn escape(&mut self, value: &Value) {
        let escaped = &mut self.escaped;
        value.any_address(&mut |addr| {
            escaped.push(addr);
            false
        });
    }
}

impl Renaming for IterationSummary<'_> {
    fn addr(&mut self, addr: Addr) -> Option<Addr> {
        Some(self.of(addr))
    }

    fn dim(&mut self, dim: &Dim) -> Option<Dim> {
        let Some(first) = self.first_symbol else { return Some(dim.clone()) };
        let symbols = &mut self.symbols;
        dim.any_symbol(&mut |sym| {
            if symbols::is_younger(sym, first) && !sym.is_summary() {
                symbols.entry(sym).or_insert_with(|| symbols::summary(symbols::like(sym)));
            }
            false
        });
        dim.substitute(&|sym| self.symbols.get(&sym).map(|summary| Dim::symbol(*summary)))
    }

    fn rank(&mut self, rank: &Dim) -> Option<Dim> {
        Some(rank.clone())
    }

    fn test(&mut self, cond: &Arc<Cond>) -> Option<Arc<Cond>> {
        Some(Arc::clone(cond))
    }

    /// Most slots stay as they are.
    fn slots(&mut self, slots: &Slots) -> Option<Slots> {
        let mut copy = slots.clone();
        for (from, to) in [(&slots.map, &mut copy.map), (&slots.declared, &mut copy.declared)] {
            for (key, slot) in from.iter() {
                let has_sizes = self.first_symbol.is_some() && !slot.value.is_scalar_constant();
                if has_sizes || self.mentioned_in(&slot.value) {
                    let value = self.value(&slot.value)?;
                    to.insert(key, Slot { value, definite: slot.definite });
                }
            }
        }
        Some(copy)
    }

    /// Entries under an object that now stands for many are under one that is not known.
    fn mapping(&mut self, mapping: &Mapping) -> Option<Mapping> {
        let mut entries = Entries::default();
        let mut is_open = false;
        for (key, entry) in mapping.entries.iter() {
            let mut entry = entry.clone();
            self.replace(&mut entry.value);
            if self.mentioned_in(&entry.key) {
                self.replace(&mut entry.key);
                self.escape(&entry.key);
                self.escape(&entry.value);
                is_open = true;
            } else {
                entries.insert(key.clone(), entry);
            }
        }
        let open = if is_open {
            if let Some(open) = &mapping.open {
                let (key, value) = (self.value(&open.0)?, self.value(&open.1)?);
                self.escape(&key);
                self.escape(&value);
            }
            Some(Arc::new((Value::Unknown(Reason::Joined), Value::Unknown(Reason::Joined))))
        } else {
            match &mapping.open {
                Some(open) => Some(Arc::new((self.value(&open.0)?, self.value(&open.1)?))),
                None => None,
            }
        };
        Some(Mapping { entries: Arc::new(entries), open })
    }

    fn iterator(&mut self, iter: &Iter) -> Option<Iter> {
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
            IterSource::Items(seq) => IterSource::Items(self.seq(seq)?),
            IterSource::View(seq) => IterSource::View(self.seq(seq)?),
            IterSource::Generator { function, scope } => {
                IterSource::Generator { function: self.of(*function), scope: self.of(*scope) }
            }
            IterSource::Unknown => IterSource::Unknown,
        };
        Some(Iter { source, taken: iter.taken, watched: Arc::clone(&iter.watched) })
    }

    fn code_object(&mut self, object: &Object) -> Option<Object> {
        Some(match object {
            Object::Scope(slots) => Object::Scope(self.slots(slots)?),
            Object::Class(class) => Object::Class(Arc::new(Class {
                bases: self.values(&class.bases)?,
                mro: self.each(&class.mro),
                attrs: self.slots(&class.attrs)?,
                metaclass: self.option(class.metaclass.as_ref())?,
                ..Class::clone(class)
            })),
            Object::Function(function) => {
                let defaults: Option<Vec<_>> =
                    function.defaults.iter().map(|(name, value)| Some((*name, self.value(value)?))).collect();
                Object::Function(Arc::new(Function {
                    scopes: Arc::new(self.each(&function.scopes)),
                    defaults: Arc::new(defaults?),
                    class: function.class.map(|class| self.of(class)),
                    attrs: self.slots(&function.attrs)?,
                    ..Function::clone(function)
                }))
            }
            Object::Module(module) => {
                Object::Module(Module { scope: module.scope.map(|scope| self.of(scope)), ..module.clone() })
            }
            Object::Property(property) => Object::Property(Arc::new(Property {
                get: self.value(&property.get)?,
                set: self.value(&property.set)?,
                delete: self.value(&property.delete)?,
            })),
            Object::StaticMethod(value) => Object::StaticMethod(self.value(value)?),
            Object::ClassMethod(value) => Object::ClassMethod(self.value(value)?),
            Object::Super { class, receiver } => {
                Object::Super { class: self.of(*class), receiver: self.value(receiver)? }
            }
            Object::Coroutine { function, scope } => {
                Object::Coroutine { function: self.of(*function), scope: self.of(*scope) }
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
