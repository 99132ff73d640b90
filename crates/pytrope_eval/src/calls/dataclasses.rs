//! Data classes: whose `__init__` an instance gets, and what it makes of the arguments.

use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use crate::code::Code;
use crate::interp::{Eval, Interp};
use crate::names::Name;
use crate::native::{CallArgs, Native};
use crate::value::{Addr, Reason, Value};

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
    taken: Taken,
}

/// How the generated `__init__` takes a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    ByPosition,
    ByKeyword,
    /// `field(init=False)`.
    Never,
}

/// What the arguments of `field(...)` say of how it is taken; `None` where they are not written out.
fn taken_by(code: &Code, value: ExprId, otherwise: Taken) -> Option<Taken> {
    let ExprKind::Call { arguments, .. } = code.tree[value].kind else { return Some(otherwise) };
    let mut taken = otherwise;
    let mut never = false;
    for keyword in &code.tree[arguments.keywords] {
        let name = keyword.name.map(|name| code.name_of(name.name));
        let flag = match code.tree[keyword.value].kind {
            ExprKind::Bool(flag) => Some(flag),
            _ => None,
        };
        match name.map(Name::text) {
            None => return None,
            Some("init") => never = !flag?,
            Some("kw_only") => taken = if flag? { Taken::ByKeyword } else { Taken::ByPosition },
            Some(_) => {}
        }
    }
    Some(if never { Taken::Never } else { taken })
}

impl Interp<'_> {
    /// The data class whose generated `__init__` instances of a class get, unless another comes first.
    pub(super) fn generated_init(&self, addr: Addr) -> Option<Addr> {
        for base in self.mro(addr) {
            let class = self.class(*base)?;
            if class.attrs.get(Name::INIT).is_some() {
                return None;
            }
            if class.features.generated_init {
                return Some(*base);
            }
        }
        None
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
            let mut usual = if class.features.keyword_fields { Taken::ByKeyword } else { Taken::ByPosition };
            for &stmt in &code.tree[definition.body] {
                let StmtKind::AnnAssign { target, annotation, value, .. } = code.tree[stmt].kind else { continue };
                let ExprKind::Name { name, .. } = code.tree[target].kind else { continue };
                let annotation = code.file.slice(code.tree[annotation].range);
                if annotation.contains("ClassVar") {
                    continue;
                }
                if annotation.contains("KW_ONLY") {
                    usual = Taken::ByKeyword;
                    continue;
                }
                if annotation.contains("InitVar") {
                    return None;
                }
                let name = code.name_of(name);
                let taken = value.map_or(Some(usual), |value| taken_by(code, value, usual))?;
                let default = value.map(|value| {
                    let plain = !matches!(code.tree[value].kind, ExprKind::Call { .. });
                    let known = class.attrs.get(name).filter(|slot| slot.definite && plain);
                    known.map_or(Value::Unknown(Reason::Parameter), |slot| slot.value.clone())
                });
                let field = Field { name, default, taken };
                match fields.iter_mut().find(|field| field.name == name) {
                    Some(earlier) => *earlier = field,
                    None => fields.push(field),
                }
            }
        }
        Some(fields)
    }

    pub(super) fn construct_dataclass(&mut self, addr: Addr, instance: Value, args: &CallArgs) -> Eval {
        let fields = self.dataclass_fields(addr);
        let class = self.class_of(&instance).unwrap_or(addr);
        let post_init = self.find_in_mro(class, Name::POST_INIT);
        let Some(fields) = fields else {
            for value in args.values() {
                self.havoc(value);
            }
            self.havoc(&instance);
            return Ok(instance);
        };
        let mut positional = args.positional.iter();
        for field in &fields {
            let by_position = match field.taken {
                Taken::ByPosition => positional.next(),
                Taken::ByKeyword | Taken::Never => None,
            };
            let given = by_position
                .or_else(|| args.keywords.iter().find(|(name, _)| *name == field.name).map(|(_, value)| value))
                .filter(|_| field.taken != Taken::Never);
            let may_be_given = match field.taken {
                Taken::ByPosition => args.more_positional || args.more_keywords,
                Taken::ByKeyword => args.more_keywords,
                Taken::Never => false,
            };
            let value = match given {
                Some(value) => value.clone(),
                None if may_be_given => Value::Unknown(Reason::Parameter),
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
