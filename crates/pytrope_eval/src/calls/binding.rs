//! Binding arguments to parameters, as Python does, with its errors.

use std::sync::Arc;

use crate::interp::arity::plural_suffix;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::{CallArgs, OpenTail};
use crate::object::declarations::may_be_replaced;
use crate::object::{Entry, Function, Mapping, Object, Slots};
use crate::value::{Addr, Reason, Seq, Value};

impl Interp<'_> {
    /// A new scope with the parameters bound; `None` after a finding about the arguments.
    pub(super) fn bind_arguments(&mut self, function: &Arc<Function>, args: &CallArgs) -> Flow<Option<Addr>> {
        let code = Arc::clone(&function.code);
        let Some(parameters) = code.scope_info(function.id).parameters else { return Ok(None) };
        let mut slots = Slots::default();
        let mut keywords: Vec<(Name, Value)> = args.keywords.clone();
        let positional_only = &code.tree[parameters.positional_only];
        let regular = &code.tree[parameters.regular];
        let mut given = args.positional.iter();
        let mut missing: Vec<Name> = Vec::new();
        let name_of_function = function.name;
        for (i, parameter) in positional_only.iter().chain(regular).enumerate() {
            let name = code.name_of(parameter.name.name);
            let by_keyword = if i < positional_only.len() {
                None
            } else {
                keywords.iter().position(|(keyword, _)| *keyword == name)
            };
            let value = match (given.next(), by_keyword) {
                (Some(_), Some(_)) => {
                    let message = format!("{name_of_function}() got multiple values for argument '{name}'");
                    self.wrong_arguments(function, args, message)?;
                    return Ok(None);
                }
                (Some(value), None) => value.clone(),
                (None, Some(at)) => keywords.remove(at).1,
                (None, None) if args.more_positional.is_some() || args.more_keywords => {
                    Value::Unknown(Reason::Parameter)
                }
                (None, None) => match self.default_of(function, name) {
                    Some(value) => self.read_through_summary(None, value),
                    None => {
                        missing.push(name);
                        continue;
                    }
                },
            };
            slots.set(name, value);
        }
        let rest: Vec<Value> = given.cloned().collect();
        match parameters.vararg {
            Some(vararg) => {
                let takes = positional_only.len() + regular.len();
                let integers = args
                    .more_positional
                    .as_ref()
                    .and_then(OpenTail::integers)
                    .filter(|_| args.positional.len() >= takes);
                let count = integers.and_then(|more| more.plus_const(rest.len() as i128));
                let seq = match count {
                    Some(count) => Seq::open(rest, self.any_int(), Value::dim(count)),
                    None if args.more_positional.is_some() => self.open_seq(Value::Unknown(Reason::Parameter)),
                    None => Seq::exact(rest),
                };
                slots.set(code.name_of(vararg.name.name), Value::Tuple(seq));
            }
            None if !rest.is_empty() => {
                let takes = positional_only.len() + regular.len();
                let got = args.positional.len();
                let message = format!(
                    "{name_of_function}() takes {takes} positional argument{} but {got} {} given",
                    plural_suffix(takes),
                    was_or_were(got)
                );
                self.wrong_arguments(function, args, message)?;
                return Ok(None);
            }
            None => {}
        }
        for parameter in &code.tree[parameters.keyword_only] {
            let name = code.name_of(parameter.name.name);
            let value = match keywords.iter().position(|(keyword, _)| *keyword == name) {
                Some(at) => keywords.remove(at).1,
                None if args.more_keywords => Value::Unknown(Reason::Parameter),
                None => match self.default_of(function, name) {
                    Some(value) => self.read_through_summary(None, value),
                    None => {
                        missing.push(name);
                        continue;
                    }
                },
            };
            slots.set(name, value);
        }
        if function.code.is_model && function.class.is_some() && missing.as_slice() == [Name::SELF] {
            // `Module.__init__()`, taken from the class: whatever else the library's method takes, it takes `self`.
            // What it would have made of the instance that was meant is not known from here on.
            let users = self.run.frames.iter().rev().find(|frame| !frame.code.is_model);
            if let Some(meant) = users.and_then(|frame| frame.first_argument.clone()) {
                self.havoc_reachable(&meant);
            }
            let message = format!("{name_of_function}() missing 1 required argument: 'self'");
            self.raise_error("wrong-arguments", "TypeError", message)?;
            return Ok(None);
        }
        if !missing.is_empty() {
            let listed: Vec<String> = missing.iter().map(|name| format!("'{name}'")).collect();
            let count = missing.len();
            let message = format!(
                "{name_of_function}() missing {count} required argument{}: {}",
                plural_suffix(count),
                listed.join(", ")
            );
            self.wrong_arguments(function, args, message)?;
            return Ok(None);
        }
        match parameters.kwarg {
            Some(kwarg) => {
                let mut mapping = Mapping::default();
                let entries = Arc::make_mut(&mut mapping.entries);
                for (name, value) in keywords {
                    let text = name.shared();
                    entries.insert(
                        crate::object::Key::Str(Arc::clone(text)),
                        Entry { key: Value::Str(Arc::clone(text)), value, definite: true },
                    );
                }
                if args.more_keywords {
                    mapping.open =
                        Some(Arc::new((Value::Unknown(Reason::Parameter), Value::Unknown(Reason::Parameter))));
                }
                let dict = self.new_dict(mapping);
                slots.set(code.name_of(kwarg.name.name), dict);
            }
            None => {
                if let Some((name, _)) = keywords.first() {
                    if function.code.is_model && !self.is_held_to_parameters(function, args) {
                        // A keyword the model does not know is a gap of the model, not an error of the program.
                        for (_, value) in &keywords {
                            self.havoc_reachable(value);
                        }
                        return Ok(None);
                    }
                    let message = format!("{name_of_function}() got an unexpected keyword argument '{name}'");
                    self.wrong_arguments(function, args, message)?;
                    return Ok(None);
                }
            }
        }
        let scope = self.allocate_object(Object::Scope(slots));
        Ok(Some(scope))
    }

    fn wrong_arguments(&mut self, function: &Function, args: &CallArgs, message: String) -> Flow<()> {
        if function.code.is_model && !self.is_held_to_parameters(function, args) {
            // The model may know less of the signature than the library.
            return Ok(());
        }
        if !function.code.is_model && may_be_replaced(function) {
            return Ok(());
        }
        if self.is_called_back(function, args) {
            let named = self.named_by_class(function, &message);
            let finding = self.new_finding("wrong-arguments", named).raises("TypeError");
            self.fail_with(finding)?;
            return Ok(());
        }
        self.raise_error("wrong-arguments", "TypeError", message)?;
        Ok(())
    }

    /// Whether a function of a model has the parameters that it has in every release of the library, as its class or its module says
    /// (`_pytrope_exact`), and gets what the program has given: a method by a call back (`layer(x, y)` comes to `forward(x, y)`),
    /// a function of a module where the program calls it.
    fn is_held_to_parameters(&self, function: &Function, args: &CallArgs) -> bool {
        let exact = Name::new("_pytrope_exact");
        let listed = match function.class {
            Some(class) => self.find_in_mro(class, exact).map(|(names, _)| names),
            None => {
                let globals = function.scopes.first().and_then(|scope| self.scope_slots(*scope));
                globals.and_then(|slots| slots.get(exact)).map(|slot| slot.value.clone())
            }
        };
        let Some(Value::Tuple(names)) = listed else { return false };
        let is_listed = |value: &Value| value.as_str().is_some_and(|text| Name::new(text) == function.name);
        let is_given_by_program = || match function.class {
            Some(_) => self.is_called_back(function, args),
            None => !self.in_model() && args.is_exact(),
        };
        names.as_exact().is_some_and(|names| names.iter().any(is_listed)) && is_given_by_program()
    }

    /// Whether a model calls back with what the library gives a function: then the program is wrong, and not the model. An object that
    /// may be one of a subclass may have another method.
    fn is_called_back(&self, function: &Function, args: &CallArgs) -> bool {
        let calls_back = self.run.frames.last().is_some_and(|frame| frame.calls_back);
        let is_known_method = || {
            args.positional.first().is_some_and(|receiver| {
                self.instance_of(receiver).is_some_and(|instance| {
                    !instance.attrs.open || receiver.addr().is_some_and(|addr| self.run.exact.contains(&addr))
                })
            })
        };
        calls_back && args.is_exact() && (function.class.is_none() || is_known_method())
    }

    /// A message about a method as Python says it since 3.10, with the name of its class.
    fn named_by_class(&self, function: &Function, message: &str) -> String {
        let has_keyword_only = function
            .code
            .scope_info(function.id)
            .parameters
            .is_none_or(|parameters| !parameters.keyword_only.is_empty());
        let kind = if has_keyword_only { "required" } else { "required positional" };
        let message = message.replacen("required", kind, 1);
        match function.class.and_then(|class| self.class_at(class)) {
            Some(class) => format!("{}.{message}", class.name),
            None => message,
        }
    }
}

fn was_or_were(count: usize) -> &'static str {
    if count == 1 { "was" } else { "were" }
}
