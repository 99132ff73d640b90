//! What a call is given, written down so that equal texts mean calls with the same outcome: its arguments and, where it is
//! the program's own function that is called, whatever its code can look at through the names it mentions.
//!
//! Objects are numbered in the order in which they are met, so that addresses do not matter and aliases do. Symbolic sizes
//! are numbered too; what the facts of the path say of one is part of the text where it is an interval, and otherwise the symbol is
//! known by itself, together with those facts.

use std::sync::Arc;

use pytrope_dims::{Dim, Store, Sym};

use crate::call_summaries::{Token, TokenSort};
use crate::cond::Cond;
use crate::interp::Interp;
use crate::names::Name;
use crate::native::{CallArgs, OpenTail};
use crate::object::{Array, Class, Function, Key, Mapping, Object, Shape, Slots};
use crate::renaming::is_plain;
use crate::value::{Addr, Reason, Seq, Value};

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
            args.more_positional.is_some(),
            args.more_keywords,
            self.analysis.uncalled_entry,
            self.analysis.possible,
            self.run.lazily,
            self.run.frames.iter().any(|frame| frame.code.is_test),
            is_own && self.counts_visits(),
            is_own && self.report.is_muted(),
        ];
        let flags = flags.iter().fold(0, |bits, flag| bits << 1 | u32::from(*flag));
        describing.push_token(Token::Of(TokenSort::Call, flags));
        describing.describe_object(function)?;
        // Which names the test that is analysed replaces.
        let entry =
            self.run.frames.first().filter(|entry| entry.code.is_test && !entry.code.replaced_names().is_empty());
        describing.push_token(Token::Int(entry.map_or(-1, |entry| i64::from(entry.code.module))));
        // What the analysis allows itself decides how exactly loops are followed.
        describing.push_token(Token::Int(i64::from(limits.loop_iterations)));
        describing.push_token(Token::Wide(i128::from(limits.loop_fuel) << 64 | i128::from(limits.call_fuel)));
        describing.push_sort(TokenSort::Positional, args.positional.len());
        for value in &args.positional {
            describing.describe_value(value)?;
        }
        if let Some(more) = args.more_positional.as_ref().and_then(OpenTail::integers) {
            describing.describe_value(&Value::dim(more.clone()))?;
        }
        describing.push_sort(TokenSort::Keyword, args.keywords.len());
        for (name, value) in &args.keywords {
            describing.push_token(Token::Name(*name));
            describing.describe_value(value)?;
        }
        Some(describing.finish_description())
    }
}

struct Describing<'a, 'w> {
    interp: &'a Interp<'w>,
    is_own: bool,
    description: Description,
}

impl Describing<'_, '_> {
    fn push_token(&mut self, token: Token) {
        self.description.tokens.push(token);
    }

    fn push_sort(&mut self, sort: TokenSort, parts: usize) {
        self.push_token(Token::Of(sort, u32::try_from(parts).unwrap_or(u32::MAX)));
    }

    fn finish_description(mut self) -> Description {
        // Of two symbols the older one survives an equality, so their order is part of what is given.
        let symbols = &self.description.symbols;
        if symbols.len() > 1 {
            let mut order: Vec<usize> = (0..symbols.len()).collect();
            order.sort_by_key(|&at| symbols[at]);
            self.push_sort(TokenSort::Order, order.len());
            for at in order {
                self.push_token(Token::Int(at as i64));
            }
        }
        self.description
    }

    fn describe_value(&mut self, value: &Value) -> Option<()> {
        if self.description.tokens.len() > LONGEST {
            return None;
        }
        match value {
            Value::Unknown(reason) | Value::UnknownNotNone(reason) => {
                if let Some(refined) = self.interp.refinement_of(value) {
                    let refined = refined.clone();
                    return self.describe_value(&refined);
                }
                if matches!(value, Value::UnknownNotNone(_)) {
                    self.push_sort(TokenSort::Present, 0);
                }
                // Of lazy parameters, one is as unknown as another; a call that learns about one is not remembered.
                let reason = reason.lazy_address().map_or(*reason, |_| Reason::Lazy(Addr::new(0, 0)));
                self.push_token(Token::Reason(reason));
            }
            Value::None => self.push_sort(TokenSort::None, 0),
            Value::Ellipsis => self.push_sort(TokenSort::Ellipsis, 0),
            Value::NotImplemented => self.push_sort(TokenSort::NotImplemented, 0),
            Value::Bool(value) => self.push_sort(TokenSort::Bool, usize::from(*value)),
            Value::SymbolicBool(cond) => match **cond {
                Cond::Opaque => self.push_sort(TokenSort::Test, 0),
                Cond::Atom(_) | Cond::All(_) | Cond::Any(_) => return None,
            },
            Value::Int(value) => self.push_token(Token::Int(*value)),
            Value::Big(value) => self.push_token(Token::Big(Arc::clone(value))),
            Value::Dim(dim) => self.describe_dim(dim)?,
            Value::Float(value) => self.push_token(Token::Float(value.to_bits())),
            Value::Complex(value) => {
                self.push_sort(TokenSort::Complex, 2);
                self.push_token(Token::Float(value.0.to_bits()));
                self.push_token(Token::Float(value.1.to_bits()));
            }
            Value::Str(text) => self.push_token(Token::Text(Arc::clone(text))),
            Value::Bytes(bytes) => self.push_token(Token::Bytes(Arc::clone(bytes))),
            Value::Top(kind) => {
                self.push_sort(TokenSort::Any, 1);
                self.push_token(Token::BuiltinType(*kind));
            }
            Value::Tuple(seq) => self.describe_seq(TokenSort::Tuple, seq)?,
            Value::Range(parts) => {
                self.push_sort(TokenSort::Range, 3);
                self.describe_values(parts.as_slice())?;
            }
            Value::Slice(parts) => {
                self.push_sort(TokenSort::Slice, 3);
                self.describe_values(parts.as_slice())?;
            }
            Value::Obj(addr) => self.describe_object(*addr)?,
            Value::Native(native) => self.push_token(Token::Native(std::ptr::from_ref(*native) as usize)),
            Value::Bound(bound) => {
                self.push_sort(TokenSort::Bound, 2);
                self.describe_value(&bound.receiver)?;
                self.describe_value(&bound.function)?;
            }
            Value::Method(method) => {
                self.push_sort(TokenSort::Method, 1);
                self.push_token(Token::BuiltinType(method.kind));
                self.push_token(Token::Name(method.name));
                self.describe_value(&method.receiver)?;
            }
            Value::Union(values) => {
                self.push_sort(TokenSort::Union, values.len());
                self.describe_values(values)?;
            }
        }
        Some(())
    }

    fn describe_values(&mut self, values: &[Value]) -> Option<()> {
        if values.len() > LONGEST {
            return None;
        }
        values.iter().try_for_each(|value| self.describe_value(value))
    }

    fn describe_seq(&mut self, sort: TokenSort, seq: &Seq) -> Option<()> {
        match seq {
            Seq::Exact(items) => {
                self.push_sort(sort, items.len());
                self.describe_values(items)
            }
            Seq::Open(open) => {
                self.push_sort(TokenSort::OpenTuple, open.prefix.len());
                self.push_sort(sort, 0);
                self.describe_values(&open.prefix)?;
                self.describe_value(&open.element)?;
                self.describe_value(&open.len)
            }
        }
    }

    fn describe_dim(&mut self, dim: &Dim) -> Option<()> {
        if dim.as_const().is_some() {
            self.push_token(Token::Dim(dim.clone()));
            return Some(());
        }
        let mut unseen = Vec::new();
        dim.any_symbol(&mut |sym| {
            unseen.push(sym);
            false
        });
        for sym in unseen {
            self.describe_symbol(sym);
        }
        let symbols = &self.description.symbols;
        let number =
            |sym: Sym| symbols.iter().position(|known| *known == sym).map(|at| Dim::symbol(numbered_symbol(sym, at)));
        let token = Token::Dim(dim.substitute(&number)?);
        self.push_token(token);
        Some(())
    }

    /// Numbers a symbol when it is met first, and says which it is if something is known of it.
    fn describe_symbol(&mut self, sym: Sym) {
        if self.description.symbols.contains(&sym) {
            return;
        }
        self.description.symbols.push(sym);
        let store = &self.interp.run.state.store;
        if self.is_own {
            // Code of the program names what has no name.
            self.push_sort(TokenSort::Bool, usize::from(self.interp.run.symbols.is_nameable(sym)));
        }
        if !store.mentions(sym) {
            return;
        }
        if let Some(intervals) = store.intervals_alone(sym) {
            self.push_token(Token::Intervals(intervals));
        } else {
            self.push_token(Token::Symbol(sym));
            if self.description.facts.is_none() {
                self.push_token(Token::Native(store.identity()));
                self.description.facts = Some(store.clone());
            }
        }
    }

    fn describe_object(&mut self, addr: Addr) -> Option<()> {
        if self.interp.analysis.program.is_model(addr.module()) {
            self.push_token(Token::EvaluatedModule(addr));
            return Some(());
        }
        if let Some(at) = self.description.objects.iter().position(|known| *known == addr) {
            self.push_token(Token::Again(u32::try_from(at).ok()?));
            return Some(());
        }
        self.description.objects.push(addr);
        if addr.is_summary() {
            self.push_sort(TokenSort::Many, 1);
        }
        let interp = self.interp;
        match interp.object_at(addr) {
            Object::List(seq) => self.describe_seq(TokenSort::List, seq),
            Object::Dict(mapping) => self.describe_mapping(TokenSort::Dict, mapping),
            Object::Set(mapping) => self.describe_mapping(TokenSort::Set, mapping),
            Object::FrozenSet(mapping) => self.describe_mapping(TokenSort::FrozenSet, mapping),
            Object::Instance(instance) => {
                // Models call methods of the program's own classes, which may look at anything.
                if !self.is_own
                    && !instance.class.addr().is_some_and(|class| interp.analysis.program.is_model(class.module()))
                {
                    return None;
                }
                self.push_sort(TokenSort::Instance, 1);
                self.describe_value(&instance.class)?;
                self.describe_optional(instance.content.as_ref())?;
                self.describe_slots(&instance.attrs)
            }
            Object::Array(array) => self.describe_array(array),
            Object::Class(class) if self.is_own => self.describe_class(class),
            Object::Function(function) if self.is_own => self.describe_function(function),
            Object::Module(module) if self.is_own => {
                let scope = module.scope.filter(|scope| interp.analysis.program.is_model(scope.module()))?;
                self.push_sort(TokenSort::Module, 1);
                self.push_token(Token::EvaluatedModule(scope));
                Some(())
            }
            Object::Property(property) if self.is_own => {
                self.push_sort(TokenSort::Property, 3);
                self.describe_values(&[property.get.clone(), property.set.clone(), property.delete.clone()])
            }
            Object::StaticMethod(inner) if self.is_own => {
                self.push_sort(TokenSort::StaticMethod, 1);
                self.describe_value(inner)
            }
            Object::ClassMethod(inner) if self.is_own => {
                self.push_sort(TokenSort::ClassMethod, 1);
                self.describe_value(inner)
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
    fn describe_array(&mut self, array: &Array) -> Option<()> {
        // The rank of an array that has been asked for is known by more than the array.
        let is_modelled = array.class.addr().is_some_and(|class| self.interp.analysis.program.is_model(class.module()));
        if array.rank.is_some() || !is_modelled {
            return None;
        }
        self.push_sort(TokenSort::Array, 1);
        self.describe_value(&array.class)?;
        let (sort, dims) = match &array.shape {
            Shape::Known(dims) => (TokenSort::Known, dims),
            Shape::Prefix(dims) => (TokenSort::Prefix, dims),
            Shape::Suffix(dims) => (TokenSort::Suffix, dims),
        };
        self.push_sort(sort, dims.len());
        dims.iter().try_for_each(|dim| self.describe_dim(dim))?;
        self.describe_value(&array.dtype)?;
        for link in [&array.memory, &array.may_equal] {
            match link {
                Some(link) => self.describe_value(link)?,
                None => self.push_sort(TokenSort::Absent, 0),
            }
        }
        match &array.values {
            Some(values) => {
                self.push_sort(TokenSort::Present, values.len());
                self.describe_values(values)?;
            }
            None => self.push_sort(TokenSort::Absent, 0),
        }
        self.describe_slots(&array.attrs)
    }

    /// A function of the program: its code, its defaults, and what the names stand for that it mentions.
    fn describe_function(&mut self, function: &Function) -> Option<()> {
        let info = function.code.scope_info(function.id);
        if info.is_open || !function.attrs.map.is_empty() || function.attrs.open {
            return None;
        }
        self.push_sort(TokenSort::Function, function.defaults.len());
        self.push_token(Token::Code(function.code.module, function.id));
        for (name, value) in function.defaults.iter() {
            self.push_token(Token::Name(*name));
            self.describe_value(value)?;
        }
        self.describe_optional(function.class.map(Value::Obj).as_ref())?;
        for name in info.mentions.iter().chain(&info.calls).map(|name| function.code.name_of(*name)) {
            for scope in function.scopes.iter() {
                let slots = self.interp.scope_slots(*scope)?;
                match slots.get(name) {
                    Some(slot) => {
                        self.push_token(Token::Name(name));
                        self.push_sort(TokenSort::Bool, usize::from(slot.definite));
                        self.describe_value(&slot.value)?;
                    }
                    None => self.push_sort(TokenSort::Absent, usize::from(slots.open)),
                }
            }
        }
        Some(())
    }

    fn describe_class(&mut self, class: &Class) -> Option<()> {
        let has_hook = |name| class.attrs.get(name).is_some();
        let is_involved = class.metaclass.is_some() || class.open || class.features.hinted;
        if is_involved || has_hook(Name::GETATTRIBUTE) || has_hook(Name::SETATTR) {
            return None;
        }
        self.push_sort(TokenSort::Class, class.mro.len());
        let features = class.features;
        let features = [features.dataclass, features.generated_init, features.keyword_fields, features.enumeration];
        self.push_sort(TokenSort::Bool, features.iter().fold(0, |bits, feature| bits << 1 | usize::from(*feature)));
        self.push_token(Token::Text(Arc::clone(&class.name)));
        // The first class of the order is the class itself, which has its number already.
        class.mro.iter().try_for_each(|base| self.describe_object(*base))?;
        self.describe_values(&class.bases)?;
        self.describe_slots(&class.attrs)
    }

    fn describe_optional(&mut self, value: Option<&Value>) -> Option<()> {
        match value {
            Some(value) => {
                self.push_sort(TokenSort::Present, 1);
                self.describe_value(value)
            }
            None => {
                self.push_sort(TokenSort::Absent, 0);
                Some(())
            }
        }
    }

    fn describe_slots(&mut self, slots: &Slots) -> Option<()> {
        self.push_sort(TokenSort::Slots, usize::from(slots.open));
        for (name, slot) in slots.iter() {
            self.push_token(Token::Name(name));
            self.push_sort(TokenSort::Bool, usize::from(slot.definite));
            self.describe_value(&slot.value)?;
        }
        for (key, slot) in slots.declared.iter() {
            self.push_token(Token::Name(Name(key as u32)));
            self.push_sort(TokenSort::Declared, (key >> 32) as usize);
            self.push_sort(TokenSort::Bool, usize::from(slot.definite));
            self.describe_value(&slot.value)?;
        }
        self.push_sort(TokenSort::Absent, 0);
        Some(())
    }

    fn describe_mapping(&mut self, sort: TokenSort, mapping: &Mapping) -> Option<()> {
        self.push_sort(sort, mapping.entries.len());
        for (key, entry) in mapping.entries.iter() {
            self.describe_key(key)?;
            self.describe_value(&entry.key)?;
            self.describe_value(&entry.value)?;
            self.push_sort(TokenSort::Bool, usize::from(entry.definite));
        }
        match &mapping.open {
            Some(open) => {
                self.push_sort(TokenSort::Present, 2);
                self.describe_value(&open.0)?;
                self.describe_value(&open.1)
            }
            None => {
                self.push_sort(TokenSort::Absent, 0);
                Some(())
            }
        }
    }

    /// A key of a dictionary follows from the value that it was made of, unless that has an identity of its own.
    fn describe_key(&mut self, key: &Key) -> Option<()> {
        is_plain(key).then_some(())
    }
}

/// The symbol that stands for one with a number.
pub(super) fn numbered_symbol(sym: Sym, at: usize) -> Sym {
    Sym(at as u32 | (sym.0 ^ sym.number()))
}
