//! Definitions: functions with their defaults and decorators, classes with their bases and method resolution order.

use std::sync::Arc;

use pytrope_source::scopes;
use pytrope_source::tree::{self, ExprId, List, Parameters, StmtId};

use crate::code::{ScopeId, mangle_name};
use crate::effects::{may_catch, may_return_true, returns_new_class};
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Function, Object, Slots};
use crate::value::{Addr, Reason, Value};

impl Interp<'_> {
    pub(super) fn define_function(&mut self, id: StmtId, function: &tree::FunctionDefinition) -> Flow<()> {
        let code = self.current_code();
        let decorators: Vec<(Value, pytrope_source::TextRange)> = self.eval_decorators(function.decorators)?;
        let scope = code.scopes.of_stmt[&id];
        let value = self.make_function(scope, function.parameters, code.name_of(function.name.name))?;
        self.evaluate_signature(function.parameters, function.returns);
        if code.module == self.analysis.module && decorators.iter().any(|(decorator, _)| !self.is_of_model(decorator)) {
            self.run.escape.definitions.insert(scope);
        }
        let is_not_judged = |(decorator, range): &(Value, pytrope_source::TextRange)| {
            self.may_catch_for(decorator) || self.may_compile(decorator, code.file.slice(*range))
        };
        if code.module == self.analysis.module && decorators.iter().any(is_not_judged) {
            self.run.definitions.not_judged.insert(scope);
        }
        let decorated = self.apply_decorators(value, decorators)?;
        self.bind_name(function.name.name, decorated);
        Ok(())
    }

    /// Whether a decorator may read the text of a function and give it another meaning: one of the program whose module asks for
    /// source texts, or one that is not read and says so (`@blosc2.dsl_kernel`).
    fn may_compile(&self, decorator: &Value, written: &str) -> bool {
        let code = match decorator.addr().map(|addr| self.object_at(addr)) {
            Some(Object::Function(function)) => Some(&function.code),
            Some(Object::Class(class)) => class.code.as_ref().map(|(code, _)| code),
            _ => None,
        };
        if let Some(code) = code {
            return !code.is_model && ["getsource", "getsourcelines"].iter().any(|name| code.str_of(name).is_some());
        }
        let path = written.split('(').next().unwrap_or(written);
        decorator.is_unknown() && path.split(['.', '_']).any(|word| ["dsl", "jit", "kernel", "udf"].contains(&word))
    }

    /// Whether a decorator may keep to itself what the function raises: a wrapper with a handler, or a manager that swallows and
    /// is used as a decorator (`contextlib.ContextDecorator`).
    fn may_catch_for(&self, decorator: &Value) -> bool {
        let catches = |value: &Value| match value.addr().map(|addr| self.object_at(addr)) {
            Some(Object::Function(function)) => !function.code.is_model && may_catch(function),
            _ => false,
        };
        match decorator {
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Instance(instance) => {
                    let method = |name: Name| {
                        instance.class.addr().and_then(|class| self.find_in_mro(class, name)).map(|(value, _)| value)
                    };
                    let exit = method(Name::EXIT);
                    let exit = exit.as_ref().and_then(Value::addr).map(|addr| self.object_at(addr));
                    matches!(exit, Some(Object::Function(function)) if may_return_true(function))
                        || method(Name::CALL).is_some_and(|call| catches(&call))
                }
                Object::Class(class) if !class.features.is_model => {
                    self.find_in_mro(*addr, Name::CALL).is_some_and(|(call, _)| catches(&call))
                }
                _ => catches(decorator),
            },
            Value::Bound(bound) => catches(&bound.function),
            Value::Union(values) => values.iter().any(|value| self.may_catch_for(value)),
            _ => false,
        }
    }

    /// Whether it is known what a decorator makes of functions.
    fn is_of_model(&self, decorator: &Value) -> bool {
        match decorator {
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Function(function) => function.code.is_model,
                Object::Class(class) => class.features.is_model || class.kind.is_some(),
                _ => false,
            },
            Value::Native(_) | Value::Method(_) => true,
            Value::Bound(bound) => self.is_of_model(&bound.function),
            _ => false,
        }
    }

    /// Whether a value is a function of the program, or a method, that another module defines.
    fn is_function_of_other_module(&self, value: &Value) -> bool {
        match value {
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Function(function) => !function.code.is_model && function.code.module != self.analysis.module,
                _ => false,
            },
            Value::Bound(bound) => self.is_function_of_other_module(&bound.function),
            _ => false,
        }
    }

    fn eval_decorators(&mut self, decorators: List<ExprId>) -> Flow<Vec<(Value, pytrope_source::TextRange)>> {
        let code = self.current_code();
        let mut values = Vec::new();
        for &decorator in &code.tree[decorators] {
            values.push((self.eval_expr(decorator)?, code.tree[decorator].range));
        }
        Ok(values)
    }

    fn apply_decorators(&mut self, mut value: Value, decorators: Vec<(Value, pytrope_source::TextRange)>) -> Flow {
        for (decorator, range) in decorators.into_iter().rev() {
            self.frame_mut().node = range;
            // Where shapes are shown, a decorator of another module, or of which nothing is known, is taken to keep what it decorates.
            if self.analysis.assumes && self.is_function_of_other_module(&decorator) {
                continue;
            }
            let decorated = self.call_value(&decorator, CallArgs::of(vec![value.clone()]))?;
            if !(self.analysis.assumes && decorated.is_unknown()) {
                value = decorated;
            }
        }
        Ok(value)
    }

    pub(crate) fn make_function(&mut self, id: ScopeId, parameters: Parameters, name: Name) -> Flow {
        let code = self.current_code();
        let mut defaults = Vec::new();
        for list in [parameters.positional_only, parameters.regular, parameters.keyword_only] {
            for parameter in &code.tree[list] {
                if let Some(default) = parameter.default {
                    let value = self.eval_expr(default)?;
                    defaults.push((code.name_of(parameter.name.name), value));
                }
            }
        }
        // A method sees the class being defined; it is filled in when the class is made.
        let function = Function {
            code: Arc::clone(&code),
            id,
            scopes: self.enclosing_scopes(),
            defaults: Arc::new(defaults),
            class: None,
            attrs: Slots::default(),
            name,
            lifting: None,
        };
        let addr = self.allocate_object(Object::Function(Arc::new(function)));
        if !code.is_model {
            self.run.definitions.functions.push(addr);
        }
        Ok(Value::Obj(addr))
    }

    pub(super) fn define_class(&mut self, id: StmtId, class: &tree::ClassDefinition) -> Flow<()> {
        let code = self.current_code();
        let decorators = self.eval_decorators(class.decorators)?;
        let arguments = match class.arguments {
            Some(arguments) => self.eval_arguments(arguments)?,
            None => CallArgs::none(),
        };
        let range = code.tree[id].range;
        self.frame_mut().node = range;
        let scope_id = code.scopes.of_stmt[&id];
        // The body runs in a scope of its own, whose bindings become the attributes.
        let scope = self.allocate_object(Object::Scope(Slots::default()));
        let saved_chain = Arc::clone(&self.current_frame().chain);
        let saved_id = self.current_frame().id;
        let mut chain = saved_chain.to_vec();
        chain.push(scope);
        self.frame_mut().chain = Arc::from(chain);
        self.frame_mut().id = scope_id;
        let first_defined = self.run.definitions.functions.len();
        let flow = self.exec_block(class.body);
        self.frame_mut().chain = saved_chain;
        self.frame_mut().id = saved_id;
        flow?;
        self.frame_mut().node = range;
        let mut attrs = match self.object_at(scope) {
            Object::Scope(slots) => slots.clone(),
            _ => Slots { open: true, ..Slots::default() },
        };
        if code.scope_info(scope_id).is_open {
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
                let bound = mangle_name(name, bound.text());
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
                if let Object::Function(function_object) = self.object_at(function)
                    && function_object.class.is_none()
                    && function_object.code.scope_info(function_object.id).parent == scope_id
                {
                    let mut changed = (**function_object).clone();
                    changed.class = Some(addr);
                    self.write_object(function, Object::Function(Arc::new(changed)));
                }
            }
            self.bind_model_methods(addr, scope_id);
        }
        let replaced = value.addr().is_some_and(|addr| self.is_replaced_by_metaclass(addr));
        let decorated = if replaced {
            // What the metaclass puts in the place of the class, an instance say, is not followed.
            self.havoc_reachable(&value);
            Value::Unknown(Reason::Call)
        } else {
            self.apply_decorators(value.clone(), decorators)?
        };
        if decorated.is_unknown()
            && let Some(addr) = value.addr()
        {
            self.open_class(addr);
        }
        self.bind_name(class.name.name, decorated);
        Ok(())
    }

    /// Whether the metaclass of a class may give something else than a class.
    fn is_replaced_by_metaclass(&self, class: Addr) -> bool {
        let metaclass = self.class_at(class).and_then(|class| class.metaclass.as_ref()).and_then(Value::addr);
        let Some(metaclass) = metaclass else { return false };
        match self.object_at(metaclass) {
            Object::Function(function) => !function.code.is_model,
            Object::Class(_) => {
                let new = self.find_in_mro(metaclass, Name::NEW).and_then(|(new, _)| new.addr());
                let new = new.map(|new| match self.object_at(new) {
                    Object::StaticMethod(inner) => inner.addr().map_or(&Object::Unknown, |addr| self.object_at(addr)),
                    object => object,
                });
                matches!(new, Some(Object::Function(new)) if !new.code.is_model && !returns_new_class(new))
            }
            _ => false,
        }
    }

    /// Methods of model classes are not listed in `defined`; they are found among the attributes.
    fn bind_model_methods(&mut self, class: Addr, scope: ScopeId) {
        let Some(object) = self.class_at(class) else { return };
        let object = Arc::clone(object);
        let mut pending: Vec<Value> = object.attrs.iter().map(|(_, slot)| slot.value.clone()).collect();
        while let Some(value) = pending.pop() {
            let Some(addr) = value.addr() else { continue };
            match self.object_at(addr) {
                Object::Function(function)
                    if function.class.is_none() && function.code.scope_info(function.id).parent == scope =>
                {
                    let mut changed = (**function).clone();
                    changed.class = Some(class);
                    self.write_object(addr, Object::Function(Arc::new(changed)));
                }
                Object::Property(property) => pending.extend([property.get.clone(), property.set.clone()]),
                Object::StaticMethod(inner) | Object::ClassMethod(inner) => pending.push(inner.clone()),
                _ => {}
            }
        }
    }
}
