//! What a call is given, written down so that equal texts mean calls with the same outcome: its arguments and, where it is
//! the program's own function that is called, whatever its code can look at through the names it mentions.
//!
//! Objects are numbered in the order in which they are met, so that addresses do not matter and aliases do. Symbolic sizes
//! are numbered too; one that the facts of the path mention is also known by itself, together with those facts.

use std::sync::Arc;

use pytrope_dims::{Dim, Store, Sym};

use crate::call_summaries::{Sort, Token};
use crate::cond::Cond;
use crate::interp::Interp;
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Array, Class, Function, Key, Mapping, Object, Shape, Slots};
use crate::renaming::is_plain;
use crate::value::{Addr, Seq, Value};

/// Longer descriptions cost more than they save.
const LONGEST: usize = 600;

/// A description, and what its numbers stand for.
pub(super) struct Description {
    pub tokens: Vec<Token>,
    pub objects: Vec<Addr>,
    pub symbols: Vec<Sym>,
    /// The facts that the outcome may depend on.
    pub facts: Option<Store>,
    /// The program's own code runs, and looks at what it finds by name.
    pub is_own: bool,
}

impl Interp<'_> {
    /// Describes a call; none if something in it cannot be described.
    pub(super) fn describe_call(&self, function: Addr, args: &CallArgs) -> Option<Description> {
        let is_own = !self.analysis.program.is_model(function.module());
        let description = Description {
            tokens: Vec::with_capacity(32),
            objects: Vec::new(),
            symbols: Vec::new(),
            facts: None,
            is_own,
        };
        let mut describing = Describing { interp: self, is_own, description };
        let limits = &self.analysis.limits;
        let flags = [
            args.more_positional,
            args.more_keywords,
            self.analysis.uncalled_entry,
            self.analysis.possible,
            self.run.lazily,
            self.run.frames.iter().any(|frame| frame.code.is_test),
            is_own && self.counts_visits(),
            is_own && self.report.is_muted(),
        ];
        let flags = flags.iter().fold(0, |bits, flag| bits << 1 | u32::from(*flag));
        describing.word(Token::Of(Sort::Call, flags));
        describing.object(function)?;
        // What the analysis allows itself decides how exactly loops are followed.
        describing.word(Token::Int(i64::from(limits.loop_iterations)));
        describing.word(Token::Wide(i128::from(limits.loop_fuel) << 64 | i128::from(limits.call_fuel)));
        describing.sort(Sort::Positional, args.positional.len());
        for value in &args.positional {
            describing.value(value)?;
        }
        describing.sort(Sort::Keyword, args.keywords.len());
        for (name, value) in &args.keywords {
            describing.word(Token::Name(*name));
            describing.value(value)?;
        }
        Some(describing.finish())
    }
}

struct Describing<'a, 'w> {
    interp: &'a Interp<'w>,
    is_own: bool,
    description: Description,
}

impl Describing<'_, '_> {
    fn word(&mut self, token: Token) {
        self.description.tokens.push(token);
    }

    fn sort(&mut self, sort: Sort, parts: usize) {
        self.word(Token::Of(sort, u32::try_from(parts).unwrap_or(u32::MAX)));
    }

    fn finish(mut self) -> Description {
        // Of two symbols the older one survives an equality, so their order is part of what is given.
        let symbols = &self.description.symbols;
        if symbols.len() > 1 {
            let mut order: Vec<usize> = (0..symbols.len()).collect();
            order.sort_by_key(|&at| symbols[at]);
            self.sort(Sort::Order, order.len());
            for at in order {
                self.word(Token::Int(at as i64));
            }
        }
        self.description
    }

    fn value(&mut self, value: &Value) -> Option<()> {
        if self.description.tokens.len() > LONGEST {
            return None;
        }
        match value {
            Value::Unknown(reason) => self.word(Token::Reason(*reason)),
            Value::UnknownNotNone(reason) => {
                self.sort(Sort::Present, 0);
                self.word(Token::Reason(*reason));
            }
            Value::None => self.sort(Sort::None, 0),
            Value::Ellipsis => self.sort(Sort::Ellipsis, 0),
            Value::NotImplemented => self.sort(Sort::NotImplemented, 0),
            Value::Bool(value) => self.sort(Sort::Bool, usize::from(*value)),
            Value::SymbolicBool(cond) => match **cond {
                Cond::Opaque => self.sort(Sort::Test, 0),
                Cond::Atom(_) | Cond::All(_) | Cond::Any(_) => return None,
            },
            Value::Int(value) => self.word(Token::Int(*value)),
            Value::Big(value) => self.word(Token::Big(Arc::clone(value))),
            Value::Dim(dim) => self.dim(dim)?,
            Value::Float(value) => self.word(Token::Float(value.to_bits())),
            Value::Complex(value) => {
                self.sort(Sort::Complex, 2);
                self.word(Token::Float(value.0.to_bits()));
                self.word(Token::Float(value.1.to_bits()));
            }
            Value::Str(text) => self.word(Token::Text(Arc::clone(text))),
            Value::Bytes(bytes) => self.word(Token::Bytes(Arc::clone(bytes))),
            Value::Top(kind) => {
                self.sort(Sort::Any, 1);
                self.word(Token::BuiltinType(*kind));
            }
            Value::Tuple(seq) => self.seq(Sort::Tuple, seq)?,
            Value::Range(parts) => {
                self.sort(Sort::Range, 3);
                self.values(parts.as_slice())?;
            }
            Value::Slice(parts) => {
                self.sort(Sort::Slice, 3);
                self.values(parts.as_slice())?;
            }
            Value::Obj(addr) => self.object(*addr)?,
            Value::Native(native) => self.word(Token::Native(std::ptr::from_ref(*native) as usize)),
            Value::Bound(bound) => {
                self.sort(Sort::Bound, 2);
                self.value(&bound.receiver)?;
                self.value(&bound.function)?;
            }
            Value::Method(method) => {
                self.sort(Sort::Method, 1);
                self.word(Token::BuiltinType(method.kind));
                self.word(Token::Name(method.name));
                self.value(&method.receiver)?;
            }
            Value::Union(values) => {
                self.sort(Sort::Union, values.len());
                self.values(values)?;
            }
        }
        Some(())
    }

    fn values(&mut self, values: &[Value]) -> Option<()> {
        if values.len() > LONGEST {
            return None;
        }
        values.iter().try_for_each(|value| self.value(value))
    }

    fn seq(&mut self, sort: Sort, seq: &Seq) -> Option<()> {
        match seq {
            Seq::Exact(items) => {
                self.sort(sort, items.len());
                self.values(items)
            }
            Seq::Open(open) => {
                self.sort(Sort::OpenTuple, open.prefix.len());
                self.sort(sort, 0);
                self.values(&open.prefix)?;
                self.value(&open.element)?;
                self.value(&open.len)
            }
        }
    }

    fn dim(&mut self, dim: &Dim) -> Option<()> {
        if dim.as_const().is_some() {
            self.word(Token::Dim(dim.clone()));
            return Some(());
        }
        let mut unseen = Vec::new();
        dim.any_symbol(&mut |sym| {
            unseen.push(sym);
            false
        });
        for sym in unseen {
            self.symbol(sym);
        }
        let symbols = &self.description.symbols;
        let number = |sym: Sym| symbols.iter().position(|known| *known == sym).map(|at| Dim::symbol(numbered(sym, at)));
        let token = Token::Dim(dim.substitute(&number)?);
        self.word(token);
        Some(())
    }

    /// Numbers a symbol when it is met first, and says which it is if something is known of it.
    fn symbol(&mut self, sym: Sym) {
        if self.description.symbols.contains(&sym) {
            return;
        }
        self.description.symbols.push(sym);
        let store = &self.interp.run.state.store;
        if self.is_own {
            // Code of the program names what has no name.
            self.sort(Sort::Bool, usize::from(self.interp.run.symbols.is_nameable(sym)));
        }
        if store.mentions(sym) {
            self.word(Token::Symbol(sym));
            if self.description.facts.is_none() {
                self.word(Token::Native(store.identity()));
                self.description.facts = Some(store.clone());
            }
        }
    }

    fn object(&mut self, addr: Addr) -> Option<()> {
        if self.interp.analysis.program.is_model(addr.module()) {
            self.word(Token::EvaluatedModule(addr));
            return Some(());
        }
        if let Some(at) = self.description.objects.iter().position(|known| *known == addr) {
            self.word(Token::Again(u32::try_from(at).ok()?));
            return Some(());
        }
        self.description.objects.push(addr);
        if addr.is_summary() {
            self.sort(Sort::Many, 1);
        }
        let interp = self.interp;
        match interp.object(addr) {
            Object::List(seq) => self.seq(Sort::List, seq),
            Object::Dict(mapping) => self.mapping(Sort::Dict, mapping),
            Object::Set(mapping) => self.mapping(Sort::Set, mapping),
            Object::FrozenSet(mapping) => self.mapping(Sort::FrozenSet, mapping),
            Object::Instance(instance) => {
                // Models call methods of the program's own classes, which may look at anything.
                if !self.is_own
                    && !instance.class.addr().is_some_and(|class| interp.analysis.program.is_model(class.module()))
                {
                    return None;
                }
                self.sort(Sort::Instance, 1);
                self.value(&instance.class)?;
                self.optional(instance.content.as_ref())?;
                self.slots(&instance.attrs)
            }
            Object::Array(array) => self.array(array),
            Object::Class(class) if self.is_own => self.class(class),
            Object::Function(function) if self.is_own => self.function(function),
            Object::Module(module) if self.is_own => {
                let scope = module.scope.filter(|scope| interp.analysis.program.is_model(scope.module()))?;
                self.sort(Sort::Module, 1);
                self.word(Token::EvaluatedModule(scope));
                Some(())
            }
            Object::Property(property) if self.is_own => {
                self.sort(Sort::Property, 3);
                self.values(&[property.get.clone(), property.set.clone(), property.delete.clone()])
            }
            Object::StaticMethod(inner) if self.is_own => {
                self.sort(Sort::StaticMethod, 1);
                self.value(inner)
            }
            Object::ClassMethod(inner) if self.is_own => {
                self.sort(Sort::ClassMethod, 1);
                self.value(inner)
            }
            Object::Scope(_)
            | Object::Class(_)
            | Object::Function(_)
            | Object::Module(_)
            | Object::Iter(_)
            | Object::Property(_)
            | Object::StaticMethod(_)
            | Object::ClassMethod(_)
            | Object::Super { .. }
            | Object::Coroutine { .. }
            | Object::Unknown => None,
        }
    }

    /// Where an array was made matters to findings alone, and a call that makes one is not remembered.
    fn array(&mut self, array: &Array) -> Option<()> {
        // The rank of an array that has been asked for is known by more than the array.
        let is_modelled = array.class.addr().is_some_and(|class| self.interp.analysis.program.is_model(class.module()));
        if array.rank.is_some() || !is_modelled {
            return None;
        }
        self.sort(Sort::Array, 1);
        self.value(&array.class)?;
        let (sort, dims) = match &array.shape {
            Shape::Known(dims) => (Sort::Known, dims),
            Shape::Prefix(dims) => (Sort::Prefix, dims),
            Shape::Suffix(dims) => (Sort::Suffix, dims),
        };
        self.sort(sort, dims.len());
        dims.iter().try_for_each(|dim| self.dim(dim))?;
        self.value(&array.dtype)?;
        for link in [&array.memory, &array.may_equal] {
            match link {
                Some(link) => self.value(link)?,
                None => self.sort(Sort::Absent, 0),
            }
        }
        match &array.values {
            Some(values) => {
                self.sort(Sort::Present, values.len());
                self.values(values)?;
            }
            None => self.sort(Sort::Absent, 0),
        }
        self.slots(&array.attrs)
    }

    /// A function of the program: its code, its defaults, and what the names stand for that it mentions.
    fn function(&mut self, function: &Function) -> Option<()> {
        let info = function.code.scope(function.id);
        if info.is_open || !function.attrs.map.is_empty() || function.attrs.open {
            return None;
        }
        self.sort(Sort::Function, function.defaults.len());
        self.word(Token::Code(function.code.module, function.id));
        for (name, value) in function.defaults.iter() {
            self.word(Token::Name(*name));
            self.value(value)?;
        }
        self.optional(function.class.map(Value::Obj).as_ref())?;
        for name in info.mentions.iter().chain(&info.calls).map(|name| function.code.name_of(*name)) {
            for scope in function.scopes.iter() {
                let slots = self.interp.scope_slots(*scope)?;
                match slots.get(name) {
                    Some(slot) => {
                        self.word(Token::Name(name));
                        self.sort(Sort::Bool, usize::from(slot.definite));
                        self.value(&slot.value)?;
                    }
                    None => self.sort(Sort::Absent, usize::from(slots.open)),
                }
            }
        }
        Some(())
    }

    fn class(&mut self, class: &Class) -> Option<()> {
        let has_hook = |name| class.attrs.get(name).is_some();
        let is_involved = class.metaclass.is_some() || class.open || class.features.hinted;
        if is_involved || has_hook(Name::GETATTRIBUTE) || has_hook(Name::SETATTR) {
            return None;
        }
        self.sort(Sort::Class, class.mro.len());
        let features = class.features;
        let features = [features.dataclass, features.generated_init, features.keyword_fields, features.enumeration];
        self.sort(Sort::Bool, features.iter().fold(0, |bits, feature| bits << 1 | usize::from(*feature)));
        self.word(Token::Text(Arc::clone(&class.name)));
        // The first class of the order is the class itself, which has its number already.
        class.mro.iter().try_for_each(|base| self.object(*base))?;
        self.values(&class.bases)?;
        self.slots(&class.attrs)
    }

    fn optional(&mut self, value: Option<&Value>) -> Option<()> {
        match value {
            Some(value) => {
                self.sort(Sort::Present, 1);
                self.value(value)
            }
            None => {
                self.sort(Sort::Absent, 0);
                Some(())
            }
        }
    }

    fn slots(&mut self, slots: &Slots) -> Option<()> {
        self.sort(Sort::Slots, usize::from(slots.open));
        for (name, slot) in slots.iter() {
            self.word(Token::Name(name));
            self.sort(Sort::Bool, usize::from(slot.definite));
            self.value(&slot.value)?;
        }
        for (key, slot) in slots.declared.iter() {
            self.word(Token::Name(Name(key as u32)));
            self.sort(Sort::Declared, (key >> 32) as usize);
            self.sort(Sort::Bool, usize::from(slot.definite));
            self.value(&slot.value)?;
        }
        self.sort(Sort::Absent, 0);
        Some(())
    }

    fn mapping(&mut self, sort: Sort, mapping: &Mapping) -> Option<()> {
        self.sort(sort, mapping.entries.len());
        for (key, entry) in mapping.entries.iter() {
            self.key(key)?;
            self.value(&entry.key)?;
            self.value(&entry.value)?;
            self.sort(Sort::Bool, usize::from(entry.definite));
        }
        match &mapping.open {
            Some(open) => {
                self.sort(Sort::Present, 2);
                self.value(&open.0)?;
                self.value(&open.1)
            }
            None => {
                self.sort(Sort::Absent, 0);
                Some(())
            }
        }
    }

    /// A key of a dictionary follows from the value that it was made of, unless that has an identity of its own.
    fn key(&mut self, key: &Key) -> Option<()> {
        is_plain(key).then_some(())
    }
}

/// The symbol that stands for one with a number.
pub(super) fn numbered(sym: Sym, at: usize) -> Sym {
    Sym(at as u32 | (sym.0 ^ sym.number()))
}
