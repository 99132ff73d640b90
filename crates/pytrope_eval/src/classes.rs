//! Classes as values: creating one from its bases and namespace (`type(name, bases, attrs)`, `class` statements), its MRO, and opening it.

use std::sync::Arc;

use pytrope_source::tree::StmtId;

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Class, Declaration, Features, Instance, Object, Slots};
use crate::value::{Addr, BuiltinType, Reason, Value};

impl Interp<'_> {
    /// A class may have attributes that its definition does not show.
    pub(crate) fn open_class(&mut self, addr: Addr) {
        if let Some(class) = self.class_at(addr) {
            let mut class = (**class).clone();
            class.open = true;
            self.write_object(addr, Object::Class(Arc::new(class)));
        }
    }

    /// `type(name, bases, attrs)`.
    pub(crate) fn make_class(&mut self, name: &str, arguments: &CallArgs, attrs: Slots, stmt: Option<StmtId>) -> Flow {
        let code = self.current_code();
        let mut bases: Vec<Value> = Vec::new();
        let mut open = arguments.more_positional.is_some() || arguments.more_keywords || attrs.open;
        for base in &arguments.positional {
            match base.addr().map(|addr| self.object_at(addr)) {
                Some(Object::Class(_)) => bases.push(base.clone()),
                _ => {
                    open = true;
                    bases.push(Value::Unknown(Reason::Operand));
                }
            }
        }
        let inherited = |interp: &Self| {
            let bases = bases.iter().filter_map(Value::addr).filter_map(|base| interp.class_at(base));
            bases.filter(|base| !base.features.is_model).find_map(|base| base.metaclass.clone())
        };
        let metaclass = arguments.keyword("metaclass").cloned().or_else(|| inherited(self));
        let unseen = metaclass.clone().filter(|metaclass| !self.is_known_metaclass(metaclass));
        open |= unseen.is_some() || self.analysis.program.opens_class(name);
        let mut features = Features { is_model: code.is_model, ..Features::default() };
        features.hinted = attrs.declares(Declaration::Hint);
        for base in bases.iter().filter_map(Value::addr) {
            if let Some(base) = self.class_at(base) {
                features.enumeration |= base.features.enumeration;
                features.hinted |= base.features.hinted;
                open |= base.open;
            }
        }
        if code.is_model && &*code.name == "enum" && matches!(name, "Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag")
        {
            features.enumeration = true;
        }
        let class = Class {
            name: Arc::from(name),
            bases: bases.clone(),
            mro: Vec::new(),
            open,
            attrs,
            kind: None,
            metaclass,
            features,
            code: stmt.map(|stmt| (Arc::clone(&code), stmt)),
        };
        let addr = self.allocate_object(Object::Class(Arc::new(class)));
        let mro = self.linearise_mro(addr, &bases);
        if let Some(class) = self.class_at(addr) {
            let mut class = (**class).clone();
            match mro {
                Some(mro) => class.mro = mro,
                None => {
                    class.mro = vec![addr];
                    class.open = true;
                }
            }
            if features.enumeration && !code.is_model {
                self.make_members(addr, &mut class);
            }
            if !code.is_model {
                self.tell_names(&mut class);
            }
            self.write_object(addr, Object::Class(Arc::new(class)));
        }
        let is_user = !code.is_model;
        // Where shapes are shown, hooks and metaclasses are taken to leave classes as they are.
        let is_user = is_user && !self.analysis.assumes;
        if is_user && self.find_in_mro(addr, Name::INIT_SUBCLASS).is_some_and(|(value, _)| !value.is_unknown()) {
            // What a base's hook does to its subclasses is not followed.
            let model_hook = self.mro_of(addr)[1..].iter().all(|base| {
                self.class_at(*base)
                    .is_none_or(|class| class.features.is_model || class.attrs.get(Name::INIT_SUBCLASS).is_none())
            });
            if !model_hook && self.analysis.program.closed_world {
                self.run_subclass_hook(addr, arguments)?;
            } else if !model_hook {
                self.open_class(addr);
                self.runs_for_class(addr, None);
            }
        }
        if is_user && unseen.is_some() {
            self.runs_for_class(addr, unseen.as_ref());
        }
        Ok(Value::Obj(addr))
    }

    /// Runs `__init_subclass__` of the bases for a class that was made, with the keywords of its definition.
    fn run_subclass_hook(&mut self, class: Addr, arguments: &CallArgs) -> Flow<()> {
        let made = Value::Obj(class);
        let hook = self.super_attribute(class, &made, Name::INIT_SUBCLASS)?;
        let keywords = arguments.keywords.iter().filter(|(name, _)| name.text() != "metaclass").cloned().collect();
        let given = CallArgs { keywords, more_keywords: arguments.more_keywords, ..CallArgs::default() };
        self.call_value(&hook, given)?;
        Ok(())
    }

    /// Code of a metaclass, or of a base's hook, runs for a class being made and is not followed. It works on what its
    /// functions use and on what the classes around hold.
    pub(crate) fn runs_for_class(&mut self, class: Addr, metaclass: Option<&Value>) {
        if self.analysis.program.closed_world {
            return;
        }
        if let Some(metaclass) = metaclass {
            self.havoc_reachable(metaclass);
        }
        let bases: Vec<Addr> = self.mro_of(class).iter().skip(1).copied().collect();
        for base in bases {
            let Some(class) = self.class_at(base) else { continue };
            if class.features.is_model || class.kind.is_some() {
                continue;
            }
            if let Some(slot) = class.attrs.get(Name::INIT_SUBCLASS) {
                let hook = slot.value.clone();
                self.havoc_reachable(&hook);
            }
            self.havoc_mutable_fields(&Value::Obj(base));
        }
        self.havoc_escaped_closures();
    }

    pub(crate) fn is_known_metaclass(&self, metaclass: &Value) -> bool {
        match metaclass.addr() {
            Some(addr) => {
                addr == Addr::of_builtin(BuiltinType::Type)
                    || self.class_at(addr).is_some_and(|class| class.features.is_model)
            }
            None => false,
        }
    }

    /// C3; `None` if there is no consistent order or a base is not known.
    pub(crate) fn linearise_mro(&self, class: Addr, bases: &[Value]) -> Option<Vec<Addr>> {
        let mut lists: Vec<Vec<Addr>> = Vec::new();
        let mut direct = Vec::new();
        for base in bases {
            let base = base.addr()?;
            // Where the order of a base is not known, neither is one that it is merged into. In a closed world what is known of
            // the others is believed.
            let is_whole = self.mro_of(base).last() == Some(&Addr::of_builtin(BuiltinType::Object));
            if !self.analysis.program.closed_world
                && bases.len() > 1
                && !is_whole
                && self.class_at(base).is_some_and(|class| class.kind.is_none())
            {
                return None;
            }
            lists.push(self.mro_of(base).to_vec());
            direct.push(base);
        }
        if direct.is_empty() {
            let object = Addr::of_builtin(BuiltinType::Object);
            return Some(if class == object { vec![class] } else { vec![class, object] });
        }
        lists.push(direct);
        let mut mro = vec![class];
        loop {
            lists.retain(|list| !list.is_empty());
            if lists.is_empty() {
                return Some(mro);
            }
            let next =
                lists.iter().map(|list| list[0]).find(|head| lists.iter().all(|list| !list[1..].contains(head)))?;
            mro.push(next);
            for list in &mut lists {
                if list[0] == next {
                    list.remove(0);
                }
            }
        }
    }

    /// Descriptors with `__set_name__` may replace themselves in the class.
    pub(crate) fn tell_names(&mut self, class: &mut Class) {
        let told: Vec<Name> = class
            .attrs
            .iter()
            .filter(|(_, slot)| {
                let Some(instance) = self.instance_of(&slot.value) else { return false };
                match instance.class.addr() {
                    Some(of) => {
                        self.find_in_mro(of, Name::SET_NAME).is_some()
                            || self.class_at(of).is_none_or(|class| class.open)
                    }
                    None => true,
                }
            })
            .map(|(name, _)| name)
            .collect();
        for name in told {
            if let Some(slot) = class.attrs.get(name) {
                let descriptor = slot.value.clone();
                self.havoc_reachable(&descriptor);
            }
            class.attrs.set(name, Value::Unknown(Reason::Lookup(name)));
        }
        self.havoc_escaped_closures();
    }

    /// Members of an enumeration are instances of it.
    pub(crate) fn make_members(&mut self, addr: Addr, class: &mut Class) {
        let plain: Vec<(Name, Value)> = class
            .attrs
            .iter()
            .filter(|(name, slot)| may_be_member(name.text()) && !self.is_descriptor(&slot.value))
            .map(|(name, slot)| (name, slot.value.clone()))
            .collect();
        let value_name = Name::new("value");
        let private_value = Name::new("_value_");
        let name_name = Name::new("name");
        for (name, value) in plain {
            let known = value.is_scalar_constant() || matches!(value, Value::Tuple(_));
            let mut attrs = Slots { open: true, ..Slots::default() };
            let value = if known { value } else { Value::Unknown(Reason::Operand) };
            attrs.set(value_name, value.clone());
            attrs.set(private_value, value);
            attrs.set(name_name, Value::Str(Arc::clone(name.shared())));
            let member =
                self.new_object(Object::Instance(Arc::new(Instance { class: Value::Obj(addr), attrs, content: None })));
            class.attrs.set(name, member);
        }
    }

    pub(crate) fn is_descriptor(&self, value: &Value) -> bool {
        match value {
            Value::Obj(addr) => matches!(
                self.object_at(*addr),
                Object::Function(_)
                    | Object::Property(_)
                    | Object::StaticMethod(_)
                    | Object::ClassMethod(_)
                    | Object::Class(_)
            ),
            Value::Native(_) | Value::Method(_) | Value::Bound(_) => true,
            _ => false,
        }
    }

    /// The kind that a class stands for.
    pub(crate) fn class_kind(&self, addr: Addr) -> Option<BuiltinType> {
        self.class_at(addr).and_then(|class| class.kind)
    }
}

/// Whether a name in the body of an enumeration is a member's: not `_sunder_`, `__dunder__` or `__private`.
fn may_be_member(name: &str) -> bool {
    !(name.starts_with("__") || name.starts_with('_') && name.ends_with('_'))
}
