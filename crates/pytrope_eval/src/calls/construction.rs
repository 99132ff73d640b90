//! Calling a class: `__new__`, `__init__`, data classes, builtin types.

use std::sync::Arc;

use pytrope_source::tree::{ExprKind, StmtKind};

use crate::interp::{Eval, Interp};
use crate::names::Name;
use crate::native::{CallArgs, Native};
use crate::object::{Class, Object};
use crate::value::{Addr, Kind, Reason, Value};

/// The `__init__` that a data class has without writing it; its receiver is the class together with the instance.
pub(crate) static DATACLASS_INIT: Native = Native { name: "__init__", call: dataclass_init };

fn dataclass_init(interp: &mut Interp<'_>, args: &CallArgs) -> Eval {
    let target = match args.first() {
        Some(Value::Tuple(seq)) => seq.as_exact().map(<[Value]>::to_vec),
        _ => None,
    };
    let Some([Value::Obj(class), instance]) = target.as_deref() else { return Ok(Value::Unknown(Reason::Call)) };
    let rest = CallArgs { positional: args.positional[1..].to_vec(), ..args.clone() };
    interp.construct_dataclass(*class, instance.clone(), &rest)?;
    Ok(Value::None)
}

/// A field of a data class.
struct Field {
    name: Name,
    default: Option<Value>,
}

impl Interp<'_> {
    pub(super) fn construct(&mut self, addr: Addr, class: &Arc<Class>, args: &CallArgs) -> Eval {
        if let Some(kind) = class.kind {
            return self.construct_builtin(kind, args);
        }
        if class.features.enumeration {
            return Ok(Value::Unknown(Reason::Call));
        }
        let metaclass_is_known = class.metaclass.as_ref().is_none_or(|metaclass| {
            metaclass.addr().is_some_and(|addr| {
                self.class(addr).is_some_and(|class| class.features.is_model || class.kind.is_some())
            })
        });
        if !metaclass_is_known {
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        }
        let new = self.find_in_mro(addr, Name::NEW);
        let instance = match new {
            Some((Value::Unknown(_) | Value::Present(_), _)) if class.open => self.new_instance(addr, true),
            Some((Value::Unknown(_) | Value::Present(_), owner))
                if self.class(owner).is_some_and(|class| class.kind.is_some()) =>
            {
                self.new_instance(addr, false)
            }
            Some((Value::Unknown(_) | Value::Present(_), _)) => return Ok(self.unknown_call(&Value::Obj(addr), args)),
            // An unknown base may bring a metaclass that calls `__new__` in its own way, as that of enumerations does. Clients
            // that want an answer for one program take it that it does not.
            Some(_) if class.open && self.observer.is_none() => return Ok(self.unknown_call(&Value::Obj(addr), args)),
            Some((new, _)) => {
                let new = match new.addr().map(|addr| self.object(addr)) {
                    Some(Object::StaticMethod(inner)) => inner.clone(),
                    _ => new,
                };
                let made = self.call(&new, args.clone().with_first(Value::Obj(addr)))?;
                let ours = match self.class_of(&made) {
                    Some(class) => self.mro(class).contains(&addr),
                    None => return Ok(made),
                };
                if !ours || self.array(&made).is_some() {
                    return Ok(made);
                }
                made
            }
            None => self.new_instance(addr, class.open),
        };
        if let Some((last, _)) = self.find_in_mro(addr, Name::DEL) {
            // It runs when the last reference goes, which nobody sees.
            self.havoc(&last);
        }
        // `__new__` may make an instance of a subclass, and that class initialises it.
        let addr = self.class_of(&instance).unwrap_or(addr);
        match self.find_in_mro(addr, Name::INIT) {
            Some((Value::Unknown(_) | Value::Present(_), _)) => {
                for value in args.values() {
                    self.havoc(value);
                }
                self.havoc(&instance);
            }
            Some((init, _)) => {
                let value = self.call(&init, args.clone().with_first(instance.clone()))?;
                let _ = value;
            }
            None if class.open => {
                for value in args.values() {
                    self.havoc(value);
                }
                self.havoc(&instance);
            }
            None if self.is_dataclass(addr) => return self.construct_dataclass(addr, instance, args),
            None => {
                if !args.positional.is_empty() || !args.keywords.is_empty() {
                    let has_new = self.find_in_mro(addr, Name::NEW).is_some();
                    if !has_new && self.takes_nothing(addr) {
                        return self.fail(
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

    /// Whether only `object` constructs instances of a class.
    fn takes_nothing(&self, addr: Addr) -> bool {
        self.mro(addr).iter().all(|base| match self.class(*base) {
            Some(class) => {
                !class.open && !class.features.is_model && class.kind.is_none_or(|kind| kind == Kind::Object)
            }
            None => false,
        })
    }

    fn is_dataclass(&self, addr: Addr) -> bool {
        self.mro(addr).iter().any(|base| self.class(*base).is_some_and(|class| class.features.dataclass))
    }

    /// Fields of all data classes of the MRO, base first; `None` where they cannot be read.
    fn dataclass_fields(&self, addr: Addr) -> Option<Vec<Field>> {
        let mut fields: Vec<Field> = Vec::new();
        for base in self.mro(addr).iter().rev() {
            let class = self.class(*base)?;
            if !class.features.dataclass {
                continue;
            }
            let (code, stmt) = class.code.as_ref()?;
            let StmtKind::ClassDef(definition) = code.tree[*stmt].kind else { return None };
            for &stmt in &code.tree[definition.body] {
                let StmtKind::AnnAssign { target, annotation, value, .. } = code.tree[stmt].kind else { continue };
                let ExprKind::Name { name, .. } = code.tree[target].kind else { continue };
                if code.file.slice(code.tree[annotation].range).contains("ClassVar") {
                    continue;
                }
                if code.file.slice(code.tree[annotation].range).contains("InitVar") {
                    return None;
                }
                let name = code.name_of(name);
                let default = match value {
                    None => None,
                    Some(value) => {
                        let plain = !matches!(code.tree[value].kind, ExprKind::Call { .. });
                        let known =
                            class.attrs.get(name).filter(|slot| slot.definite && plain).map(|slot| slot.value.clone());
                        Some(known.unwrap_or(Value::Unknown(Reason::Parameter)))
                    }
                };
                match fields.iter_mut().find(|field| field.name == name) {
                    Some(field) => field.default = default,
                    None => fields.push(Field { name, default }),
                }
            }
        }
        Some(fields)
    }

    fn construct_dataclass(&mut self, addr: Addr, instance: Value, args: &CallArgs) -> Eval {
        let fields = self.dataclass_fields(addr);
        let post_init = self.find_in_mro(addr, Name::POST_INIT);
        let Some(fields) = fields else {
            for value in args.values() {
                self.havoc(value);
            }
            self.havoc(&instance);
            return Ok(instance);
        };
        for (i, field) in fields.iter().enumerate() {
            let given = args
                .positional
                .get(i)
                .or_else(|| args.keywords.iter().find(|(name, _)| *name == field.name).map(|(_, value)| value));
            let value = match given {
                Some(value) => value.clone(),
                None => field.default.clone().unwrap_or(Value::Unknown(Reason::Parameter)),
            };
            let value = self.heed_field(&instance, addr, field.name, value)?;
            self.store_plain(&instance, field.name, value);
        }
        if let Some((post_init, _)) = post_init {
            self.call(&post_init, CallArgs::of(vec![instance.clone()]))?;
        }
        Ok(instance)
    }
}
