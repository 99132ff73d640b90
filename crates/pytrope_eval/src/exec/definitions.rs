//! Definitions: functions with their defaults and decorators, classes with their bases and method resolution order.

use std::sync::Arc;

use pytrope_source::scopes;
use pytrope_source::tree::{self, ExprId, List, Parameters, StmtId};

use crate::code::{ScopeId, mangled};
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Class, Declaration, Features, Function, Instance, Object, Slots};
use crate::value::{Addr, BuiltinType, Reason, Value};

impl Interp<'_> {
    pub(super) fn define_function(&mut self, id: StmtId, function: &tree::Function) -> Flow<()> {
        let code = self.code();
        let decorators: Vec<(Value, pytrope_source::TextRange)> = self.decorators(function.decorators)?;
        let scope = code.scopes.of_stmt[&id];
        let value = self.make_function(scope, function.parameters, code.name_of(function.name.name))?;
        self.evaluate_signature(function.parameters, function.returns);
        if code.module == self.analysis.module && decorators.iter().any(|(decorator, _)| !self.is_of_model(decorator)) {
            self.run.escape.definitions.insert(scope);
        }
        let decorated = self.decorate(value, decorators)?;
        self.bind(function.name.name, decorated);
        Ok(())
    }

    /// Whether it is known what a decorator makes of functions.
    fn is_of_model(&self, decorator: &Value) -> bool {
        match decorator {
            Value::Obj(addr) => match self.object(*addr) {
                Object::Function(function) => function.code.is_model,
                Object::Class(class) => class.features.is_model || class.kind.is_some(),
                _ => false,
            },
            Value::Native(_) | Value::Method(_) => true,
            Value::Bound(bound) => self.is_of_model(&bound.function),
            _ => false,
        }
    }

    fn decorators(&mut self, decorators: List<ExprId>) -> Flow<Vec<(Value, pytrope_source::TextRange)>> {
        let code = self.code();
        let mut values = Vec::new();
        for &decorator in &code.tree[decorators] {
            values.push((self.expr(decorator)?, code.tree[decorator].range));
        }
        Ok(values)
    }

    fn decorate(&mut self, mut value: Value, decorators: Vec<(Value, pytrope_source::TextRange)>) -> Flow {
        for (decorator, range) in decorators.into_iter().rev() {
            self.frame_mut().node = range;
            value = self.call(&decorator, CallArgs::of(vec![value]))?;
        }
        Ok(value)
    }

    pub(crate) fn make_function(&mut self, id: ScopeId, parameters: Parameters, name: Name) -> Flow {
        let code = self.code();
        let mut defaults = Vec::new();
        for list in [parameters.positional_only, parameters.regular, parameters.keyword_only] {
            for parameter in &code.tree[list] {
                if let Some(default) = parameter.default {
                    let value = self.expr(default)?;
                    defaults.push((code.name_of(parameter.name.name), value));
                }
            }
        }
        // A method sees the class being defined; it is filled in when the class is made.
        let function = Function {
            code: Arc::clone(&code),
            id,
            scopes: self.closure(),
            defaults: Arc::new(defaults),
            class: None,
            attrs: Slots::default(),
            name,
        };
        let addr = self.alloc(Object::Function(Arc::new(function)));
        if !code.is_model {
            self.run.definitions.functions.push(addr);
        }
        Ok(Value::Obj(addr))
    }

    pub(super) fn define_class(&mut self, id: StmtId, class: &tree::Class) -> Flow<()> {
        let code = self.code();
        let decorators = self.decorators(class.decorators)?;
        let arguments = match class.arguments {
            Some(arguments) => self.arguments(arguments)?,
            None => CallArgs::none(),
        };
        let range = code.tree[id].range;
        self.frame_mut().node = range;
        let scope_id = code.scopes.of_stmt[&id];
        // The body runs in a scope of its own, whose bindings become the attributes.
        let scope = self.alloc(Object::Scope(Slots::default()));
        let saved_chain = Arc::clone(&self.frame().chain);
        let saved_id = self.frame().id;
        let mut chain = saved_chain.to_vec();
        chain.push(scope);
        self.frame_mut().chain = Arc::new(chain);
        self.frame_mut().id = scope_id;
        let first_defined = self.run.definitions.functions.len();
        let flow = self.block(class.body);
        self.frame_mut().chain = saved_chain;
        self.frame_mut().id = saved_id;
        flow?;
        self.frame_mut().node = range;
        let mut attrs = match self.object(scope) {
            Object::Scope(slots) => slots.clone(),
            _ => Slots { open: true, ..Slots::default() },
        };
        if code.scope(scope_id).is_open {
            attrs.open = true;
        }
        let name = code.tree.text(class.name.name);
        if !code.scopes.private.is_empty() {
            let private: Vec<(Name, crate::object::Slot)> = attrs
                .iter()
                .filter(|(bound, _)| scopes::is_private(bound.text()))
                .map(|(bound, slot)| (bound, slot.clone()))
                .collect();
            for (bound, slot) in private {
                attrs.remove(bound);
                let bound = mangled(name, bound.text());
                if slot.definite {
                    attrs.set(bound, slot.value);
                } else {
                    attrs.set(bound, Value::Unknown(Reason::Lookup(bound)));
                }
            }
        }
        let value = self.make_class(name, &arguments, attrs, Some(id))?;
        if let Some(addr) = value.addr() {
            for at in first_defined..self.run.definitions.functions.len() {
                let function = self.run.definitions.functions[at];
                if let Object::Function(function_object) = self.object(function)
                    && function_object.class.is_none()
                    && function_object.code.scope(function_object.id).parent == scope_id
                {
                    let mut changed = (**function_object).clone();
                    changed.class = Some(addr);
                    self.write(function, Object::Function(Arc::new(changed)));
                }
            }
            self.bind_model_methods(addr, scope_id);
        }
        let decorated = self.decorate(value.clone(), decorators)?;
        if decorated.is_unknown()
            && let Some(addr) = value.addr()
        {
            self.open_class(addr);
        }
        self.bind(class.name.name, decorated);
        Ok(())
    }

    /// Methods of model classes are not listed in `defined`; they are found among the attributes.
    fn bind_model_methods(&mut self, class: Addr, scope: ScopeId) {
        let Some(object) = self.class(class) else { return };
        let object = Arc::clone(object);
        let mut pending: Vec<Value> = object.attrs.iter().map(|(_, slot)| slot.value.clone()).collect();
        while let Some(value) = pending.pop() {
            let Some(addr) = value.addr() else { continue };
            match self.object(addr) {
                Object::Function(function)
                    if function.class.is_none() && function.code.scope(function.id).parent == scope =>
                {
                    let mut changed = (**function).clone();
                    changed.class = Some(class);
                    self.write(addr, Object::Function(Arc::new(changed)));
                }
                Object::Property(property) => pending.extend([property.get.clone(), property.set.clone()]),
                Object::StaticMethod(inner) | Object::ClassMethod(inner) => pending.push(inner.clone()),
                _ => {}
            }
        }
    }

    /// A class may have attributes that its definition does not show.
    pub(crate) fn open_class(&mut self, addr: Addr) {
        if let Some(class) = self.class(addr) {
            let mut class = (**class).clone();
            class.open = true;
            self.write(addr, Object::Class(Arc::new(class)));
        }
    }

    /// `type(name, bases, attrs)`.
    pub(crate) fn make_class(&mut self, name: &str, arguments: &CallArgs, attrs: Slots, stmt: Option<StmtId>) -> Flow {
        let code = self.code();
        let mut bases: Vec<Value> = Vec::new();
        let mut open = arguments.more_positional || arguments.more_keywords || attrs.open;
        for base in &arguments.positional {
            match base.addr().map(|addr| self.object(addr)) {
                Some(Object::Class(_)) => bases.push(base.clone()),
                _ => {
                    open = true;
                    bases.push(Value::Unknown(Reason::Operand));
                }
            }
        }
        let inherited = |interp: &Self| {
            let bases = bases.iter().filter_map(Value::addr).filter_map(|base| interp.class(base));
            bases.filter(|base| !base.features.is_model).find_map(|base| base.metaclass.clone())
        };
        let metaclass = arguments.keyword("metaclass").cloned().or_else(|| inherited(self));
        let unseen = metaclass.clone().filter(|metaclass| !self.is_known_metaclass(metaclass));
        open |= unseen.is_some() || self.analysis.program.opens_class(name);
        let mut features = Features { is_model: code.is_model, ..Features::default() };
        features.hinted = attrs.declares(Declaration::Hint);
        for base in bases.iter().filter_map(Value::addr) {
            if let Some(base) = self.class(base) {
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
        let addr = self.alloc(Object::Class(Arc::new(class)));
        let mro = self.linearise(addr, &bases);
        if let Some(class) = self.class(addr) {
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
            self.write(addr, Object::Class(Arc::new(class)));
        }
        let is_user = !code.is_model;
        if is_user && self.find_in_mro(addr, Name::INIT_SUBCLASS).is_some_and(|(value, _)| !value.is_unknown()) {
            // What a base's hook does to its subclasses is not followed.
            let model_hook = self.mro(addr)[1..].iter().all(|base| {
                self.class(*base)
                    .is_none_or(|class| class.features.is_model || class.attrs.get(Name::INIT_SUBCLASS).is_none())
            });
            if !model_hook {
                self.open_class(addr);
                self.runs_for_class(addr, None);
            }
        }
        if is_user && unseen.is_some() {
            self.runs_for_class(addr, unseen.as_ref());
        }
        Ok(Value::Obj(addr))
    }

    /// Code of a metaclass, or of a base's hook, runs for a class being made and is not followed. It works on what its
    /// functions use and on what the classes around hold.
    fn runs_for_class(&mut self, class: Addr, metaclass: Option<&Value>) {
        if self.analysis.program.closed_world {
            return;
        }
        if let Some(metaclass) = metaclass {
            self.havoc(metaclass);
        }
        let bases: Vec<Addr> = self.mro(class).iter().skip(1).copied().collect();
        for base in bases {
            let Some(class) = self.class(base) else { continue };
            if class.features.is_model || class.kind.is_some() {
                continue;
            }
            if let Some(slot) = class.attrs.get(Name::INIT_SUBCLASS) {
                let hook = slot.value.clone();
                self.havoc(&hook);
            }
            self.havoc_mutable_fields(&Value::Obj(base));
        }
        self.havoc_escaped_closures();
    }

    fn is_known_metaclass(&self, metaclass: &Value) -> bool {
        match metaclass.addr() {
            Some(addr) => {
                addr == Addr::of_builtin(BuiltinType::Type)
                    || self.class(addr).is_some_and(|class| class.features.is_model)
            }
            None => false,
        }
    }

    /// C3; `None` if there is no consistent order or a base is not known.
    fn linearise(&self, class: Addr, bases: &[Value]) -> Option<Vec<Addr>> {
        let mut lists: Vec<Vec<Addr>> = Vec::new();
        let mut direct = Vec::new();
        for base in bases {
            let base = base.addr()?;
            lists.push(self.mro(base).to_vec());
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
    fn tell_names(&mut self, class: &mut Class) {
        let told: Vec<Name> = class
            .attrs
            .iter()
            .filter(|(_, slot)| {
                let Some(instance) = self.instance(&slot.value) else { return false };
                match instance.class.addr() {
                    Some(of) => {
                        self.find_in_mro(of, Name::SET_NAME).is_some() || self.class(of).is_none_or(|class| class.open)
                    }
                    None => true,
                }
            })
            .map(|(name, _)| name)
            .collect();
        for name in told {
            if let Some(slot) = class.attrs.get(name) {
                let descriptor = slot.value.clone();
                self.havoc(&descriptor);
            }
            class.attrs.set(name, Value::Unknown(Reason::Lookup(name)));
        }
        self.havoc_escaped_closures();
    }

    /// Members of an enumeration are instances of it.
    fn make_members(&mut self, addr: Addr, class: &mut Class) {
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

    fn is_descriptor(&self, value: &Value) -> bool {
        match value {
            Value::Obj(addr) => matches!(
                self.object(*addr),
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
}

/// Whether a name in the body of an enumeration is a member's: not `_sunder_`, `__dunder__` or `__private`.
fn may_be_member(name: &str) -> bool {
    !(name.starts_with("__") || name.starts_with('_') && name.ends_with('_'))
}
