//! Data classes and named tuples: constructors that are made from annotated fields.

use pytrope_source::tree::{Arguments, ExprId, ExprKind, StmtKind};

use crate::code::Code;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::{CallArgs, Native};
use crate::object::{Class, Declaration, Object};
use crate::value::{Addr, Reason, Value};

/// The `__init__` that a data class has without writing it; its receiver is the class together with the instance.
pub(crate) static DATACLASS_INIT: Native = Native::new("__init__", dataclass_init);

fn dataclass_init(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let target = match args.first() {
        Some(Value::Tuple(seq)) => seq.as_exact().map(<[Value]>::to_vec),
        _ => None,
    };
    let Some([Value::Obj(class), instance]) = target.as_deref() else { return Ok(Value::Unknown(Reason::Call)) };
    let rest = CallArgs { positional: args.positional[1..].to_vec(), ..args.clone() };
    interp.construct_dataclass(*class, instance.clone(), &rest)?;
    Ok(Value::None)
}

/// The same constructor taken from the class, to which the instance is given: `C.__init__(made, 1)`.
pub(crate) static DATACLASS_INIT_OF_CLASS: Native = Native::new("__init__", dataclass_init_of_class);

fn dataclass_init_of_class(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [Value::Obj(class), instance, rest @ ..] = args.positional.as_slice() else {
        return Ok(Value::Unknown(Reason::Call));
    };
    let rest = CallArgs { positional: rest.to_vec(), ..args.clone() };
    interp.construct_dataclass(*class, instance.clone(), &rest)?;
    Ok(Value::None)
}

/// Where the value of a field comes from if the call gives none.
#[derive(Clone)]
enum Default {
    Required,
    Value(Value),
    Factory(Value),
}

/// A field of a data class or a named tuple.
#[derive(Clone)]
struct RecordField {
    name: Name,
    default: Default,
    /// The constructor takes it.
    is_taken: bool,
    by_keyword: bool,
    metadata: Option<Value>,
}

/// A field as `dataclasses.fields` shows it.
pub struct DataField {
    pub name: Name,
    /// The constructor takes it.
    pub is_taken: bool,
    pub default: Option<Value>,
    pub factory: Option<Value>,
    /// What `field(metadata=…)` was given.
    pub metadata: Option<Value>,
}

/// All fields, and whether the signature is known for certain.
struct Fields {
    all: Vec<RecordField>,
    sure: bool,
}

impl Interp<'_> {
    /// Fields of all data classes of the MRO, base first; `None` where they cannot be read.
    fn dataclass_fields(&self, addr: Addr) -> Option<Fields> {
        let mut fields = Fields { all: Vec::new(), sure: true };
        for base in self.mro_of(addr).iter().rev() {
            let class = self.class_at(*base)?;
            fields.sure &= !class.open;
            if class.features.dataclass {
                self.read_fields(class, class.features.keyword_fields, &mut fields)?;
            }
        }
        Some(fields)
    }

    /// The fields of a data class in the order of its constructor; `None` where they are not known for certain.
    pub fn fields_of(&self, class: Addr) -> Option<Vec<DataField>> {
        let fields = self.dataclass_fields(class).filter(|fields| fields.sure)?;
        let field = |field: RecordField| DataField {
            name: field.name,
            is_taken: field.is_taken,
            default: match &field.default {
                Default::Value(value) => Some(value.clone()),
                Default::Required | Default::Factory(_) => None,
            },
            factory: match field.default {
                Default::Factory(factory) => Some(factory),
                Default::Required | Default::Value(_) => None,
            },
            metadata: field.metadata,
        };
        Some(fields.all.into_iter().map(field).collect())
    }

    fn read_fields(&self, class: &Class, mut by_keyword: bool, fields: &mut Fields) -> Option<()> {
        let (code, stmt) = class.code.as_ref()?;
        let StmtKind::ClassDef(definition) = code.tree[*stmt].kind else { return None };
        for &stmt in &code.tree[definition.body] {
            let (target, annotation, value) = match code.tree[stmt].kind {
                StmtKind::AnnAssign { target, annotation, value, .. } => (target, annotation, value),
                // Fields that only some versions or platforms have.
                StmtKind::If { .. } | StmtKind::Try { .. } => {
                    fields.sure = false;
                    continue;
                }
                _ => continue,
            };
            let ExprKind::Name { name, .. } = code.tree[target].kind else { continue };
            let annotation = code.file.slice(code.tree[annotation].range);
            if annotation.contains("ClassVar") {
                continue;
            }
            if annotation.contains("InitVar") {
                return None;
            }
            if annotation.trim_end_matches(['"', '\'']).ends_with("KW_ONLY") {
                by_keyword = true;
                continue;
            }
            let name = code.name_of(name);
            let mut field =
                RecordField { name, default: Default::Required, is_taken: true, by_keyword, metadata: None };
            if let Some(value) = value {
                self.read_default(class, code, value, &mut field, &mut fields.sure);
            }
            match fields.all.iter_mut().find(|other| other.name == name) {
                Some(other) => *other = field,
                None => fields.all.push(field),
            }
        }
        Some(())
    }

    /// What stands behind the `=` of a field: a value, or a call of `field`.
    fn read_default(&self, class: &Class, code: &Code, value: ExprId, field: &mut RecordField, sure: &mut bool) {
        let unknown = Value::Unknown(Reason::Parameter);
        let options =
            class.attrs.declaration(Declaration::Field, field.name).and_then(|slot| self.instance_of(&slot.value));
        if let (Some(options), ExprKind::Call { arguments, .. }) = (options, &code.tree[value].kind) {
            let given = |name: &str| options.attrs.get(Name::new(name)).map(|slot| slot.value.clone());
            field.default = match (given("default"), given("default_factory")) {
                (Some(default), _) if !self.is_missing(&default) => Default::Value(default),
                (_, Some(factory)) if !self.is_missing(&factory) => Default::Factory(factory),
                _ => Default::Required,
            };
            field.metadata = given("metadata");
            match written_argument(code, *arguments, "init") {
                WrittenArgument::Absent | WrittenArgument::Bool(true) => {}
                WrittenArgument::Bool(false) => field.is_taken = false,
                WrittenArgument::Other => *sure = false,
            }
            match written_argument(code, *arguments, "kw_only") {
                WrittenArgument::Absent => {}
                WrittenArgument::Bool(by_keyword) => field.by_keyword = by_keyword,
                WrittenArgument::Other => *sure = false,
            }
            return;
        }
        let default = class.attrs.get(field.name).filter(|slot| slot.definite).map(|slot| slot.value.clone());
        let default = default.unwrap_or(unknown);
        // Something else than `field` may say as much about the field; its annotation hides that nothing is known of it.
        *sure &= !matches!(code.tree[value].kind, ExprKind::Call { .. });
        field.default = Default::Value(default);
    }

    /// Whether a value is the mark of the model that nothing was given.
    fn is_missing(&self, value: &Value) -> bool {
        self.exact_type_name(value).is_some_and(|name| &*name == "_MISSING_TYPE")
    }

    pub(super) fn construct_dataclass(&mut self, addr: Addr, instance: Value, args: &CallArgs) -> Flow {
        let Some(fields) = self.dataclass_fields(addr) else {
            for value in args.values() {
                self.havoc_given(value);
            }
            self.havoc_given(&instance);
            return Ok(instance);
        };
        let name = format!("{}.__init__", self.class_at(addr).map_or("", |class| &class.name));
        let values = self.bind_fields(&name, 1, &fields, args)?;
        for (field, value) in values {
            let value = self.heed_field(&instance, addr, field, value)?;
            self.store_plain(&instance, field, value);
        }
        let of = self.class_of(&instance).unwrap_or(addr);
        if let Some((post_init, _)) = self.find_in_mro(of, Name::POST_INIT) {
            self.call_value(&post_init, CallArgs::of(vec![instance.clone()]))?;
        }
        Ok(instance)
    }

    /// Gives each field its value, and says what is wrong with the arguments.
    fn bind_fields(&mut self, name: &str, more: usize, fields: &Fields, args: &CallArgs) -> Flow<Vec<(Name, Value)>> {
        let unknown = Value::Unknown(Reason::Parameter);
        let certain = fields.sure && args.is_exact();
        let places = fields.all.iter().filter(|field| field.is_taken && !field.by_keyword).count();
        if certain && args.positional.len() > places {
            let needed =
                fields.all.iter().filter(|field| field.is_taken && !field.by_keyword && field.is_required()).count();
            let takes = if needed == places {
                format!("takes {} positional argument{}", places + more, if places + more == 1 { "" } else { "s" })
            } else {
                format!("takes from {} to {} positional arguments", needed + more, places + more)
            };
            let message = format!("{name}() {takes} but {} were given", args.positional.len() + more);
            self.raise_error("wrong-arguments", "TypeError", message)?;
        }
        if certain
            && let Some((odd, _)) = args
                .keywords
                .iter()
                .find(|(keyword, _)| !fields.all.iter().any(|field| field.is_taken && field.name == *keyword))
        {
            self.raise_error(
                "wrong-arguments",
                "TypeError",
                format!("{name}() got an unexpected keyword argument '{odd}'"),
            )?;
        }
        let mut positional = args.positional.iter();
        let mut missing = Vec::new();
        let mut values = Vec::new();
        for field in &fields.all {
            let by_place = if field.is_taken && !field.by_keyword { positional.next() } else { None };
            let by_keyword = args.keywords.iter().find(|(name, _)| field.is_taken && *name == field.name);
            if certain && by_place.is_some() && by_keyword.is_some() {
                let message = format!("{name}() got multiple values for argument '{}'", field.name);
                self.raise_error("wrong-arguments", "TypeError", message)?;
            }
            let value = match (by_place.or(by_keyword.map(|(_, value)| value)), &field.default) {
                _ if !fields.sure => unknown.clone(),
                (Some(value), _) => value.clone(),
                (None, _) if field.is_taken && !args.is_exact() => unknown.clone(),
                (None, Default::Value(value)) => value.clone(),
                (None, Default::Factory(factory)) => self.call_value(factory, CallArgs::none())?,
                // A field that the constructor leaves alone is there once it is stored.
                (None, Default::Required) if !field.is_taken => continue,
                (None, Default::Required) => {
                    missing.push(field.name);
                    unknown.clone()
                }
            };
            values.push((field.name, value));
        }
        if certain && !missing.is_empty() {
            let count = missing.len();
            let listed: Vec<String> = missing.iter().map(|name| format!("'{name}'")).collect();
            let plural = if count == 1 { "" } else { "s" };
            let message = format!("{name}() missing {count} required argument{plural}: {}", listed.join(", "));
            self.raise_error("wrong-arguments", "TypeError", message)?;
        }
        Ok(values)
    }

    /// The class with `NamedTuple` among its bases that a class gets its fields from.
    pub(super) fn named_tuple(&self, class: Addr) -> Option<Addr> {
        let base = |addr: &Addr| {
            self.class_at(*addr).is_some_and(|class| class.features.is_model && &*class.name == "NamedTuple")
        };
        let mro = self.mro_of(class);
        let at = mro.iter().position(base)?;
        let owner = *mro.get(at.checked_sub(1)?)?;
        let written = |addr: &Addr| {
            self.class_at(*addr)
                .is_none_or(|class| class.attrs.get(Name::NEW).is_some() || class.attrs.get(Name::INIT).is_some())
        };
        (!mro[..at].iter().any(written)).then_some(owner)
    }

    /// An instance of a class that is written as `class C(NamedTuple)`.
    pub(super) fn construct_named_tuple(&mut self, class: Addr, owner: Addr, args: &CallArgs) -> Flow {
        let mut fields = Fields { all: Vec::new(), sure: true };
        let is_read = match self.class_at(owner).cloned() {
            Some(owner) => self.read_fields(&owner, false, &mut fields).is_some(),
            None => false,
        };
        if !is_read {
            return Ok(self.unknown_call(&Value::Obj(class), args));
        }
        let name = format!("{}.__new__", self.class_at(owner).map_or("", |class| &class.name));
        let values = self.bind_fields(&name, 1, &fields, args)?;
        let instance = self.new_instance(class, false);
        let items: Vec<Value> = values.iter().map(|(_, value)| value.clone()).collect();
        let names: Vec<Value> = values.iter().map(|(name, _)| Value::str(name.text())).collect();
        for (name, value) in values {
            self.store_plain(&instance, name, value);
        }
        self.store_plain(&instance, Name::new("_items"), Value::tuple(items));
        self.store_plain(&instance, Name::new("_fields"), Value::tuple(names));
        Ok(instance)
    }
}

impl RecordField {
    fn is_required(&self) -> bool {
        matches!(self.default, Default::Required)
    }
}

/// How an option of `field` is written.
enum WrittenArgument {
    Absent,
    Bool(bool),
    Other,
}

fn written_argument(code: &Code, arguments: Arguments, name: &str) -> WrittenArgument {
    let mut found = WrittenArgument::Absent;
    for keyword in &code.tree[arguments.keywords] {
        match keyword.name {
            Some(written) if code.tree.text(written.name) == name => {
                found = match code.tree[keyword.value].kind {
                    ExprKind::Bool(value) => WrittenArgument::Bool(value),
                    _ => WrittenArgument::Other,
                };
            }
            Some(_) => {}
            None => return WrittenArgument::Other,
        }
    }
    found
}

/// IterationKind what `field(…)` gave in the body of a data class into what the class has: a default, or nothing.
pub fn settle_fields(interp: &mut Interp<'_>, addr: Addr) {
    let Some(class) = interp.class_at(addr).cloned() else { return };
    let is_field = |value: &Value| {
        interp
            .instance_of(value)
            .and_then(|instance| interp.class_at(instance.class.addr()?))
            .is_some_and(|class| class.features.is_model && &*class.name == "Field")
    };
    let fields: Vec<(Name, Value)> = class
        .attrs
        .iter()
        .filter(|(_, slot)| is_field(&slot.value))
        .map(|(name, slot)| (name, slot.value.clone()))
        .collect();
    if fields.is_empty() {
        return;
    }
    let mut class = (*class).clone();
    for (name, field) in fields {
        let default = interp
            .instance_of(&field)
            .and_then(|field| field.attrs.get(Name::new("default")))
            .map(|slot| slot.value.clone());
        match default.filter(|default| !interp.is_missing(default)) {
            Some(default) => class.attrs.set(name, default),
            None => {
                class.attrs.remove(name);
            }
        }
        class.attrs.declare(Declaration::Field, name, field);
    }
    interp.write_object(addr, Object::Class(std::sync::Arc::new(class)));
}
