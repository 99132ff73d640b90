//! Classes that Python makes no instances of: a method that a base calls abstract has no implementation.
//!
//! ```python
//! class Store(ABC):
//!     @abstractmethod
//!     def put(self, key, value): ...
//!
//! class MemoryStore(Store):
//!     def set(self, key, value): ...
//!
//! MemoryStore()   # TypeError
//! ```
//!
//! It is `object.__new__` that refuses, and it asks what the class was when it was defined. Nothing is said where a base, a builtin
//! type below it, `__new__` or a store into `__abstractmethods__` may decide otherwise.

use pytrope_source::tree::{ExprId, StmtKind};

use crate::interp::Interp;
use crate::names::Name;
use crate::object::{Function, Object};
use crate::value::{Addr, BuiltinType, Value};

impl Interp<'_> {
    /// What Python says of an instance of a class that lacks implementations of abstract methods.
    pub(super) fn refused_as_abstract(&self, addr: Addr) -> Option<String> {
        let mro = self.mro_of(addr);
        let mut derives_from_abc = false;
        for &base in mro {
            let class = self.class_at(base)?;
            let is_abc = class.features.is_model && &*class.name == "ABC";
            derives_from_abc |= is_abc;
            let is_object = class.kind == Some(BuiltinType::Object);
            let is_read = !class.open && !class.attrs.open && class.kind.is_none() && !class.features.is_model;
            if !(is_abc || is_object || is_read && class.attrs.get(Name::NEW).is_none()) {
                return None;
            }
        }
        let program = self.analysis.program;
        if !derives_from_abc {
            return None;
        }
        let mut lacking: Vec<&'static str> = Vec::new();
        for &base in mro {
            for (name, slot) in self.class_at(base)?.attrs.iter() {
                let is_implemented = |(value, owner): (Value, Addr)| owner != base || !self.is_abstract(&value);
                if !lacking.contains(&name.text())
                    && self.is_abstract(&slot.value)
                    && !self.find_in_mro(addr, name).is_none_or(is_implemented)
                {
                    // What is put there later implements nothing for Python; others may also define the class anew.
                    if program.is_stored_from_outside(name) {
                        return None;
                    }
                    lacking.push(name.text());
                }
            }
        }
        if lacking.is_empty() || self.may_empty_abstract_methods() {
            return None;
        }
        lacking.sort_unstable();
        let class = &self.class_at(addr)?.name;
        let (plural, names) = (if lacking.len() == 1 { "" } else { "s" }, lacking.join("', '"));
        Some(format!(
            "Can't instantiate abstract class {class} without an implementation for abstract method{plural} '{names}'"
        ))
    }

    /// `Store.__abstractmethods__ = frozenset()`, `@patch.multiple(Store, __abstractmethods__=set())`.
    fn may_empty_abstract_methods(&self) -> bool {
        let emptied = "__abstractmethods__";
        let is_mentioned = self.run.frames.iter().any(|frame| frame.code.str_of(emptied).is_some());
        is_mentioned || self.analysis.program.is_assigned_attribute(Name::new(emptied))
    }

    /// Whether a value of a class body is declared abstract.
    fn is_abstract(&self, value: &Value) -> bool {
        match value.addr().map(|addr| self.object_at(addr)) {
            Some(Object::Function(function)) => self.has_abstract_decorator(function),
            Some(Object::StaticMethod(inner) | Object::ClassMethod(inner)) => self.is_abstract(inner),
            Some(Object::Property(property)) => {
                [&property.get, &property.set, &property.delete].into_iter().any(|accessor| self.is_abstract(accessor))
            }
            _ => false,
        }
    }

    fn has_abstract_decorator(&self, function: &Function) -> bool {
        let code = &function.code;
        let statement = code.scope_info(function.id).stmt.map(|stmt| code.tree[stmt].kind);
        let Some(StmtKind::FunctionDef(definition)) = statement else { return false };
        code.tree[definition.decorators].iter().any(|&decorator| self.names_abstractmethod(function, decorator))
    }

    /// Whether an expression of the module around a function names `abc.abstractmethod`.
    fn names_abstractmethod(&self, function: &Function, decorator: ExprId) -> bool {
        let code = &function.code;
        let Some(parts) = code.tree.dotted(decorator) else { return false };
        let Some(globals) = function.scopes.first().and_then(|scope| self.scope_slots(*scope)) else { return false };
        let global =
            globals.get(Name::new(parts[0])).and_then(|slot| slot.value.addr()).map(|addr| self.object_at(addr));
        match (global, &parts[..]) {
            (Some(Object::Function(named)), [_]) => {
                named.code.is_model && named.name.text() == "abstractmethod" && &*named.code.name == "abc"
            }
            (Some(Object::Module(module)), [_, "abstractmethod"]) => &*module.name == "abc",
            _ => false,
        }
    }
}
