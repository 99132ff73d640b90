//! How abstract values are shown to people: `5`, `int`, `[1, int, 'a']`, `ndarray[n, 3]`.

use pytrope_dims::Constraint;
use pytrope_source::tree::{ExprId, ExprKind};

use crate::cond::Cond;
use crate::constants::{floats, formatting};
use crate::interp::Interp;
use crate::object::{Array, Mapping, Object, Shape};
use crate::value::{Reason, Seq, Value};

const DEPTH: u32 = 4;
const ITEMS: usize = 24;

impl Interp<'_> {
    pub fn show_value(&self, value: &Value) -> String {
        self.show_to(value, DEPTH)
    }

    /// What a comparison compared.
    pub(crate) fn show_compared(&self, test: ExprId, left: &Value, right: &Value) -> String {
        let code = self.current_code();
        let operator = match code.tree[test].kind {
            ExprKind::Compare { ops, .. } => code.tree[ops].first().map_or("and", |op| op.symbol()),
            _ => "and",
        };
        format!("{} {operator} {}", self.show_value(left), self.show_value(right))
    }

    /// A condition in terms of sizes; none where it speaks of something that has no name.
    pub(crate) fn show_condition(&self, cond: &Cond) -> Option<String> {
        let joined = |parts: &[Cond], word: &str| {
            let parts: Option<Vec<String>> = parts.iter().map(|part| self.show_condition(part)).collect();
            parts.map(|parts| parts.join(word))
        };
        match cond {
            Cond::Opaque => None,
            Cond::Atom(constraint) => {
                let dim = self.run.state.store.simplify(&constraint.dim);
                if dim.any_symbol(&mut |sym| self.run.symbols.given(sym).is_none()) {
                    return None;
                }
                let name = |sym| self.run.symbols.given(sym).map_or_else(|| "?".to_owned(), |name| name.to_string());
                Some(Constraint::new(constraint.relation, dim).display_with(&name))
            }
            Cond::All(parts) => joined(parts, " and "),
            Cond::Any(parts) => joined(parts, " or "),
        }
    }

    pub fn show_shape(&self, shape: &Shape) -> String {
        let parts = self.show_sizes(shape);
        if parts.len() == 1 && shape.rank() == Some(1) {
            format!("({},)", parts[0])
        } else {
            format!("({})", parts.join(", "))
        }
    }

    fn show_array(&self, array: &Array) -> String {
        let class =
            array.class.addr().and_then(|addr| self.class_at(addr)).map_or("array", |class| &class.name).to_owned();
        if array.shape.rank() == Some(0) {
            return match &array.values {
                Some(values) if values.len() == 1 && class != "ndarray" && class != "Tensor" => {
                    format!("{class}({})", self.show_value(&values[0]))
                }
                _ if class != "ndarray" && class != "Tensor" => class,
                _ => format!("{class}[()]"),
            };
        }
        format!("{class}[{}]", self.show_sizes(&array.shape).join(", "))
    }

    /// Each size, with `...` where the rank is open.
    fn show_sizes(&self, shape: &Shape) -> Vec<String> {
        let (Shape::Known(dims) | Shape::Prefix(dims) | Shape::Suffix(dims)) = shape;
        let mut parts: Vec<String> =
            dims.iter().map(|dim| self.run.symbols.show(&self.run.state.store.simplify(dim))).collect();
        match shape {
            Shape::Known(_) => {}
            Shape::Prefix(_) => parts.push("...".to_owned()),
            Shape::Suffix(_) => parts.insert(0, "...".to_owned()),
        }
        parts
    }

    fn show_to(&self, value: &Value, depth: u32) -> String {
        match value {
            Value::Unknown(_) | Value::UnknownNotNone(_) => "Unknown".to_owned(),
            Value::None => "None".to_owned(),
            Value::Ellipsis => "Ellipsis".to_owned(),
            Value::NotImplemented => "NotImplemented".to_owned(),
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::SymbolicBool(_) => "bool".to_owned(),
            Value::Int(value) => value.to_string(),
            Value::Big(value) => {
                if value.bits() > 2_000 {
                    "int".to_owned()
                } else {
                    value.to_string()
                }
            }
            Value::Dim(dim) => {
                let simple = self.run.state.store.simplify(dim);
                let shown = self.run.symbols.show(&simple);
                if shown == "?" { "int".to_owned() } else { shown }
            }
            Value::Float(value) => floats::repr(*value),
            Value::Complex(value) => {
                if value.0 == 0.0 && value.0.is_sign_positive() {
                    format!("{}j", trim_float(value.1))
                } else {
                    let sign = if value.1.is_sign_negative() { "" } else { "+" };
                    format!("({}{sign}{}j)", trim_float(value.0), trim_float(value.1))
                }
            }
            Value::Str(text) => formatting::repr_str(text),
            Value::Bytes(bytes) => formatting::repr_bytes(bytes),
            Value::Top(kind) => kind.name().to_owned(),
            Value::Tuple(seq) => self.show_seq(seq, "(", ")", "tuple", depth),
            Value::Range(parts) => {
                let [start, stop, step] = &**parts;
                if *step == Value::Int(1) {
                    format!("range({}, {})", self.show_to(start, depth), self.show_to(stop, depth))
                } else {
                    format!(
                        "range({}, {}, {})",
                        self.show_to(start, depth),
                        self.show_to(stop, depth),
                        self.show_to(step, depth)
                    )
                }
            }
            Value::Slice(parts) => {
                let [start, stop, step] = &**parts;
                format!(
                    "slice({}, {}, {})",
                    self.show_to(start, depth),
                    self.show_to(stop, depth),
                    self.show_to(step, depth)
                )
            }
            Value::Native(native) => format!("<function {}>", native.name),
            Value::Bound(_) | Value::Method(_) => "method".to_owned(),
            Value::Union(values) => {
                let parts: Vec<String> = values.iter().map(|value| self.show_to(value, depth)).collect();
                parts.join(" | ")
            }
            Value::Obj(addr) => {
                if depth == 0 {
                    return "...".to_owned();
                }
                match self.object_at(*addr) {
                    Object::List(seq) => self.show_seq(seq, "[", "]", "list", depth),
                    Object::Dict(mapping) => self.show_mapping(mapping, "dict", true, depth),
                    Object::Set(mapping) => self.show_mapping(mapping, "set", false, depth),
                    Object::FrozenSet(_) => "frozenset".to_owned(),
                    Object::Instance(instance) => match instance.class.addr().and_then(|addr| self.class_at(addr)) {
                        Some(class) => class.name.to_string(),
                        None => "Unknown".to_owned(),
                    },
                    Object::Class(class) => format!("type[{}]", class.name),
                    Object::Function(function) => format!("<function {}>", function.name),
                    Object::Module(module) => format!("<module {}>", module.name),
                    Object::Array(array) => self.show_array(array),
                    Object::Iter(_) => "iterator".to_owned(),
                    Object::Property(_) => "property".to_owned(),
                    Object::StaticMethod(_) => "staticmethod".to_owned(),
                    Object::ClassMethod(_) => "classmethod".to_owned(),
                    Object::Super { .. } => "super".to_owned(),
                    Object::Coroutine { .. } => "coroutine".to_owned(),
                    Object::Scope(_) | Object::Unknown => "Unknown".to_owned(),
                }
            }
        }
    }

    fn show_seq(&self, seq: &Seq, open: &str, close: &str, kind: &str, depth: u32) -> String {
        if depth == 0 {
            return "...".to_owned();
        }
        match seq {
            Seq::Exact(items) if items.len() <= ITEMS => {
                let parts: Vec<String> = items.iter().map(|item| self.show_to(item, depth - 1)).collect();
                let comma = if parts.len() == 1 && kind == "tuple" { "," } else { "" };
                format!("{open}{}{comma}{close}", parts.join(", "))
            }
            Seq::Open(items) if !items.prefix.is_empty() && kind == "tuple" => {
                let parts: Vec<String> = items.prefix.iter().map(|item| self.show_to(item, depth - 1)).collect();
                format!("{open}{}, ...{close}", parts.join(", "))
            }
            _ => kind.to_owned(),
        }
    }

    fn show_mapping(&self, mapping: &Mapping, kind: &str, with_values: bool, depth: u32) -> String {
        let exact = mapping.open.is_none() && mapping.entries.values().all(|entry| entry.definite);
        if !exact || mapping.entries.len() > ITEMS {
            return kind.to_owned();
        }
        if mapping.entries.is_empty() {
            return if with_values { "{}".to_owned() } else { "set()".to_owned() };
        }
        let parts: Vec<String> = mapping
            .entries
            .values()
            .map(|entry| {
                let key = self.show_to(&entry.key, depth - 1);
                if with_values { format!("{key}: {}", self.show_to(&entry.value, depth - 1)) } else { key }
            })
            .collect();
        format!("{{{}}}", parts.join(", "))
    }
}

impl Reason {
    /// Why nothing is known of a value, for people.
    pub fn reason_text(self) -> String {
        match self {
            Self::Parameter | Self::Lazy(_) => "an argument of a function that is not called here".to_owned(),
            Self::Call => "the result of a call that is not followed".to_owned(),
            Self::Lookup(name) => format!("`{name}` is not known here"),
            Self::Joined => "too many different values are joined here".to_owned(),
            Self::Changed => "unknown code may have changed it".to_owned(),
            Self::Limit => "a limit of the analysis was reached".to_owned(),
            Self::Finding => "computing it raises an exception".to_owned(),
            Self::Import(name) => format!("`{name}` comes from a library that is not modelled"),
            Self::Operand => "depends on an unknown value".to_owned(),
            Self::Tested(_) => "depends on an undecided condition".to_owned(),
            Self::Standard => "comes from a part of the standard library that is not modelled".to_owned(),
            Self::Model(why) => why.text().to_owned(),
        }
    }
}

/// The parts of a complex number are shown without a trailing `.0`.
fn trim_float(value: f64) -> String {
    let text = floats::repr(value);
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}
