//! Calling a class: `__new__`, `__init__`, builtin types.

use std::sync::Arc;

use pytrope_source::tree::{ExprKind, StmtKind};

use crate::effects::returns_kept_instance;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Class, Instance, Object, Slot};
use crate::value::{Addr, BuiltinType, Reason, Value};

/// Whether a name is special and Python itself does not call a static or class method of that name.
fn is_left_to_metaclass(name: Name) -> bool {
    const OF_PYTHON: [&str; 5] =
        ["__new__", "__init_subclass__", "__class_getitem__", "__prepare__", "__subclasshook__"];
    name.is_dunder() && !OF_PYTHON.contains(&name.text())
}

impl Interp<'_> {
    /// Whether a class, or one above it, has a static or class method with a special name that Python gives no meaning: the metaclass of
    /// a base that is not read calls it.
    ///
    /// ```python
    /// class Free(Parent):
    ///     @staticmethod
    ///     def __classcall_private__(cls, ring, names=None): ...
    /// ```
    fn serves_metaclass(&mut self, class: &Class) -> bool {
        class.mro.iter().any(|above| self.class_serves_metaclass(*above))
    }

    fn class_serves_metaclass(&mut self, addr: Addr) -> bool {
        // Of a class that this run has not changed the answer stays the same.
        let is_unchanged = self.run.state.get(addr).is_none();
        let known = self.analysis.evaluated_classes.get(&addr).and_then(|known| known.serves_metaclass);
        if let Some(answer) = known.filter(|_| is_unchanged) {
            return answer;
        }
        let Some(class) = self.class_at(addr) else { return false };
        let is_served = |(name, slot): (Name, &Slot)| {
            slot.value.addr().is_some_and(|method| {
                matches!(self.object_at(method), Object::StaticMethod(_) | Object::ClassMethod(_))
            }) && is_left_to_metaclass(name)
        };
        let answer = !class.features.is_model && class.attrs.iter().any(is_served);
        if is_unchanged {
            self.analysis.evaluated_classes.entry(addr).or_default().serves_metaclass = Some(answer);
        }
        answer
    }

    /// Whether a class, or one above it, has a base that a call makes, and nothing is known of it: it may come with a metaclass.
    ///
    /// ```python
    /// class Model(with_metaclass(Collecting, Base)): ...
    /// ```
    fn has_computed_base(&self, class: Addr) -> bool {
        self.mro_of(class).iter().filter_map(|above| self.class_at(*above)).any(|above| {
            let is_of_program = above.open && !above.features.is_model;
            let Some((code, stmt)) = above.code.as_ref().filter(|_| is_of_program) else { return false };
            let StmtKind::ClassDef(definition) = code.tree[*stmt].kind else { return false };
            definition.arguments.is_some_and(|arguments| {
                let mut bases = code.tree[arguments.positional].iter().zip(&above.bases);
                bases.any(|(&base, value)| value.is_unknown() && matches!(code.tree[base].kind, ExprKind::Call { .. }))
            })
        })
    }

    pub(super) fn construct_instance(&mut self, addr: Addr, class: &Arc<Class>, args: &CallArgs) -> Flow {
        if let Some(kind) = class.kind {
            return self.construct_builtin(kind, args);
        }
        if class.features.enumeration {
            return match self.refused_member(addr, class, args) {
                Some(refusal) => self.raise_error("other-error", "ValueError", refusal),
                None => Ok(self.member_with_value(addr, class, args).unwrap_or(Value::Unknown(Reason::Call))),
            };
        }
        if let Some(refusal) = self.refused_construction(class, args) {
            return self.raise_error("wrong-arguments", "TypeError", refusal);
        }
        // `@patch("module.Client.__init__", return_value=None)`: what constructs it in a test is not known.
        if self.has_patched_constructor(addr, class) {
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        }
        let metaclass_is_known = class.metaclass.as_ref().is_none_or(|metaclass| {
            metaclass.addr().is_some_and(|addr| {
                self.class_at(addr).is_some_and(|class| class.features.is_model || class.kind.is_some())
            })
        });
        let may_have_another = class.open
            && (self.serves_metaclass(class) || self.named_tuple(addr).is_none() && self.has_computed_base(addr));
        if !metaclass_is_known || may_have_another {
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        }
        if let Some(refusal) = self.refused_as_abstract(addr) {
            return self.raise_error("wrong-arguments", "TypeError", refusal);
        }
        if let Some(owner) = self.named_tuple(addr) {
            return self.construct_named_tuple(addr, owner, args);
        }
        let new = self.find_in_mro(addr, Name::NEW);
        let instance = match new {
            Some((Value::Unknown(_) | Value::UnknownNotNone(_), _)) if class.open => self.new_instance(addr, true),
            Some((Value::Unknown(_) | Value::UnknownNotNone(_), owner))
                if self.class_at(owner).is_some_and(|class| class.kind.is_some()) =>
            {
                self.new_instance(addr, false)
            }
            Some((Value::Unknown(_) | Value::UnknownNotNone(_), _)) => {
                return Ok(self.unknown_call(&Value::Obj(addr), args));
            }
            // An unknown base may bring a metaclass that calls `__new__` in its own way, as that of enumerations does. Clients
            // that want an answer for one program take it that it does not.
            Some(_) if class.open && !self.report.is_observed() => {
                return Ok(self.unknown_call(&Value::Obj(addr), args));
            }
            Some((new, _)) => {
                let new = match new.addr().map(|addr| self.object_at(addr)) {
                    Some(Object::StaticMethod(inner)) => inner.clone(),
                    _ => new,
                };
                let made = self.call_value(&new, args.clone().with_first(Value::Obj(addr)))?;
                let ours = match self.class_of(&made) {
                    Some(class) => self.mro_of(class).contains(&addr),
                    None => return Ok(made),
                };
                if !ours || self.array_of(&made).is_some() {
                    return Ok(made);
                }
                let is_kept = match new.addr().map(|addr| self.object_at(addr)) {
                    Some(Object::Function(new)) => !new.code.is_model && returns_kept_instance(new),
                    _ => false,
                };
                if is_kept && !self.analysis.program.closed_world {
                    return Ok(self.unknown_call(&made, args));
                }
                made
            }
            None => self.new_instance(addr, class.open),
        };
        if let Some((last, _)) = self.find_in_mro(addr, Name::DEL) {
            // It runs when the last reference goes, at an unknown time.
            self.havoc_reachable(&last);
        }
        // `__new__` may make an instance of a subclass, and that class initialises it.
        let addr = self.class_of(&instance).unwrap_or(addr);
        if let Some(owner) = self.generated_init(addr) {
            if class.open {
                for value in args.values() {
                    self.havoc_given(value);
                }
                self.havoc_given(&instance);
                return Ok(instance);
            }
            return self.construct_dataclass(owner, instance, args);
        }
        match self.find_in_mro(addr, Name::INIT) {
            None | Some((Value::Unknown(_) | Value::UnknownNotNone(_), _))
                if self.construct_property(addr, &instance, args) => {}
            Some((Value::Unknown(_) | Value::UnknownNotNone(_), _)) => {
                for value in args.values() {
                    self.havoc_given(value);
                }
                self.havoc_given(&instance);
            }
            Some((init, _)) => {
                let returned = self.call_value(&init, args.clone().with_first(instance.clone()))?;
                if returned.is_scalar_constant() && returned != Value::None && !class.features.is_model {
                    let kind = self.exact_type_name(&returned).unwrap_or_default();
                    let message = format!("__init__() should return None, not '{kind}'");
                    return self.raise_error("other-error", "TypeError", message);
                }
            }
            None if class.open => {
                for value in args.values() {
                    self.havoc_given(value);
                }
                self.havoc_given(&instance);
            }
            None => {
                if !args.positional.is_empty() || !args.keywords.is_empty() {
                    let has_new = self.find_in_mro(addr, Name::NEW).is_some();
                    if !has_new && self.takes_nothing(addr) {
                        return self.raise_error(
                            "wrong-arguments",
                            "TypeError",
                            format!("{}() takes no arguments", class.name),
                        );
                    }
                }
            }
        }
        Ok(instance)
    }

    /// What Python says of a value that no member of an enumeration has: `Level(7)`. None where one has it, or may.
    fn refused_member(&self, addr: Addr, class: &Class, args: &CallArgs) -> Option<String> {
        let [value] = args.positional.as_slice() else { return None };
        if self.in_model() || !args.is_exact() || !args.keywords.is_empty() || !value.is_scalar_constant() {
            return None;
        }
        // Flags have the members that others make together; what makes members itself may make more of them.
        const MAKERS: [&str; 4] = ["_missing_", "__new__", "__init__", "_generate_next_value_"];
        let is_plain = |base: &Addr| {
            self.class_at(*base).is_some_and(|base| {
                let is_flag = base.features.is_model && base.name.ends_with("Flag");
                !base.open
                    && !base.attrs.open
                    && base.metaclass.is_none()
                    && !is_flag
                    && MAKERS.iter().all(|maker| base.features.is_model || base.attrs.get(Name::new(maker)).is_none())
            })
        };
        if class.features.is_model || !self.mro_of(addr).iter().all(is_plain) {
            return None;
        }
        let members = class.attrs.iter().filter_map(|(_, slot)| self.instance_of(&slot.value));
        let members: Vec<_> = members.filter(|member| member.class == Value::Obj(addr)).collect();
        let is_other = |member: &&Instance| {
            member.attrs.get(Name::new("_value_")).is_some_and(|slot| match (&slot.value, value) {
                (Value::Str(own), Value::Str(given)) => own != given,
                (Value::Int(own), Value::Int(given)) => own != given,
                (Value::Str(_), Value::Int(_) | Value::None) | (Value::Int(_), Value::Str(_) | Value::None) => true,
                _ => false,
            })
        };
        let is_refused = !members.is_empty() && members.iter().all(is_other);
        is_refused.then(|| format!("{} is not a valid {}", self.show_value(value), class.name))
    }

    /// `Color("red")`: the member of an enumeration with this value, or the member that is given; None where its values are not all
    /// known constants, or something else decides what its calls give.
    fn member_with_value(&self, addr: Addr, class: &Class, args: &CallArgs) -> Option<Value> {
        let [given] = args.positional.as_slice() else { return None };
        let is_own = |name| class.attrs.get(Name::new(name)).is_some();
        if !args.is_exact() || class.open || class.attrs.open || is_own("__new__") || is_own("_missing_") {
            return None;
        }
        if self.class_of(given) == Some(addr) {
            return Some(given.clone());
        }
        if !given.is_scalar_constant() {
            return None;
        }
        let value_name = Name::new("_value_");
        let mut found = None;
        for (_, slot) in class.attrs.iter() {
            let Some(instance) = self.instance_of(&slot.value).filter(|one| one.class.addr() == Some(addr)) else {
                continue;
            };
            let value = &instance.attrs.get(value_name)?.value;
            if !value.is_scalar_constant() {
                return None;
            }
            if value == given && found.replace(slot.value.clone()).is_some() {
                return None;
            }
        }
        found
    }

    /// Whether only `object` constructs instances of a class.
    fn takes_nothing(&self, addr: Addr) -> bool {
        self.mro_of(addr).iter().all(|base| match self.class_at(*base) {
            Some(class) => {
                !class.open && !class.features.is_model && class.kind.is_none_or(|kind| kind == BuiltinType::Object)
            }
            None => false,
        })
    }
}
