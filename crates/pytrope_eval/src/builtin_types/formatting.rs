//! `format(value, spec)`, `str.format` and the fields of f-strings: what they give for constants, and what they refuse.
//!
//! ```python
//! f"{[0.5, 0.25]:.3f}"     # TypeError: only numbers know `.3f`
//! f"{'0.5':.3f}"           # ValueError
//! "{} of {}".format(1)     # IndexError
//! ```

use num_bigint::BigInt;

use crate::constants::formatting::{Spec, format_float, format_int, format_str};
use crate::constants::percent::{FormatPiece, parse_format};
use crate::constants::{Computed, ConstantError};
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::Object;
use crate::operators::as_big;
use crate::value::{BuiltinType, Value};

/// Longer texts are not built.
const MAX_TEXT: usize = 100_000;

/// How a template numbers its fields: `{}` and `{0}` do not go together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    Undecided,
    Automatic(usize),
    Manual,
}

impl Interp<'_> {
    /// The text of a value under a format specification; `None` where it is not known.
    pub(crate) fn format_value(&mut self, value: &Value, spec: &str) -> Flow<Option<String>> {
        if spec.is_empty() {
            let is_shown = matches!(
                value,
                Value::Int(_) | Value::Big(_) | Value::Bool(_) | Value::None | Value::Float(_) | Value::Str(_)
            );
            return Ok(is_shown.then(|| match value {
                Value::Str(text) => text.to_string(),
                other => self.show_value(other),
            }));
        }
        if let Some(method) = self.python_method(value, Name::FORMAT) {
            return self.format_by_method(&method, spec);
        }
        let Some(kind) = self.exact_builtin_type(value) else { return Ok(None) };
        let computed = match kind {
            BuiltinType::Str | BuiltinType::Int | BuiltinType::Bool | BuiltinType::Float => match Spec::parse(spec) {
                None => return Ok(None),
                Some(Err(raised)) => Computed::Raises(raised),
                Some(Ok(spec)) => format_scalar(value, kind, &spec),
            },
            BuiltinType::NoneType
            | BuiltinType::List
            | BuiltinType::Tuple
            | BuiltinType::Dict
            | BuiltinType::Set
            | BuiltinType::FrozenSet
            | BuiltinType::Bytes
            | BuiltinType::Range
            | BuiltinType::Function => {
                let message = format!("unsupported format string passed to {}.__format__", kind.name());
                Computed::raises("TypeError", message)
            }
            _ => return Ok(None),
        };
        match computed {
            Computed::Value(text) => Ok(value.is_scalar_constant().then_some(text)),
            Computed::Raises(raised) => self.raise_format_error(raised).map(|_| None),
            Computed::TooBig => Ok(None),
        }
    }

    /// What a `__format__` gives: that of a model is asked, arrays with axes know no format; one of the program is not followed.
    fn format_by_method(&mut self, method: &Value, spec: &str) -> Flow<Option<String>> {
        let Value::Bound(bound) = method else { return Ok(None) };
        let function = bound.function.addr().map(|addr| self.object_at(addr));
        if !matches!(function, Some(Object::Function(function)) if function.code.is_model) {
            return Ok(None);
        }
        let text = self.call_value(method, CallArgs::of(vec![Value::str(spec)]))?;
        Ok(text.as_str().map(str::to_owned))
    }

    fn raise_format_error(&mut self, raised: ConstantError) -> Flow {
        self.raise_error("other-error", raised.class, raised.message)
    }

    /// `template.format(…)` with all arguments listed; `None` where the text is not known.
    pub(super) fn format_template(&mut self, template: &str, args: &CallArgs) -> Flow<Option<String>> {
        let mut numbering = Numbering::Undecided;
        self.fill_template(template, args, &mut numbering, 2)
    }

    fn fill_template(
        &mut self,
        template: &str,
        args: &CallArgs,
        numbering: &mut Numbering,
        depth: u32,
    ) -> Flow<Option<String>> {
        let (pieces, error) = parse_format(template);
        let mut text = Some(String::new());
        for piece in &pieces {
            let part = match piece {
                FormatPiece::Literal(literal) => Some(literal.clone()),
                FormatPiece::Field { name, conversion, spec } => {
                    let (value, is_whole) = match field_argument(name, args, numbering) {
                        Ok(found) => found,
                        Err(raised) => return self.raise_format_error(raised).map(|_| None),
                    };
                    if !is_whole {
                        // The attribute or item is asked for before anything that comes later, and may raise.
                        return Ok(None);
                    }
                    if conversion.is_some_and(|conversion| !"rsa".contains(conversion)) {
                        let raised = ConstantError::new("ValueError", "Unknown conversion specifier");
                        return self.raise_format_error(raised).map(|_| None);
                    }
                    let spec = if depth > 1 && spec.contains('{') {
                        self.fill_template(spec, args, numbering, depth - 1)?
                    } else {
                        Some(spec.clone())
                    };
                    match spec {
                        Some(spec) if conversion.is_none() => self.format_value(&value, &spec)?,
                        Some(spec) if spec.is_empty() => None,
                        // What a format makes of a value that is not known may raise.
                        _ => return Ok(None),
                    }
                }
            };
            text = text.zip(part).map(|(text, part)| text + &part).filter(|text| text.len() <= MAX_TEXT);
        }
        match error {
            Some(raised) => self.raise_format_error(raised).map(|_| None),
            None => Ok(text),
        }
    }
}

/// The argument that a field names, and whether the field is all of it (`{0}`, not `{0.x}`).
fn field_argument(name: &str, args: &CallArgs, numbering: &mut Numbering) -> Result<(Value, bool), ConstantError> {
    let first = name.split(['.', '[']).next().unwrap_or_default();
    let is_whole = first.len() == name.len();
    let position = match (first.parse::<usize>().ok(), *numbering) {
        (None, _) if !first.is_empty() => {
            let found = args.keyword(first).cloned();
            return match found {
                Some(value) => Ok((value, is_whole)),
                None => Err(ConstantError::new("KeyError", format!("'{first}'"))),
            };
        }
        (Some(_), Numbering::Automatic(_)) => {
            let message = "cannot switch from automatic field numbering to manual field specification";
            return Err(ConstantError::new("ValueError", message));
        }
        (None, Numbering::Manual) => {
            let message = "cannot switch from manual field specification to automatic field numbering";
            return Err(ConstantError::new("ValueError", message));
        }
        (Some(position), _) => {
            *numbering = Numbering::Manual;
            position
        }
        (None, numbered) => {
            let position = if let Numbering::Automatic(next) = numbered { next } else { 0 };
            *numbering = Numbering::Automatic(position + 1);
            position
        }
    };
    match args.positional.get(position) {
        Some(value) => Ok((value.clone(), is_whole)),
        None => {
            let message = format!("Replacement index {position} out of range for positional args tuple");
            Err(ConstantError::new("IndexError", message))
        }
    }
}

/// `format` of a number or text. Of one that is not known, any stands for all: whether a specification is refused does not
/// depend on the value.
fn format_scalar(value: &Value, kind: BuiltinType, spec: &Spec) -> Computed<String> {
    match (kind, value) {
        (BuiltinType::Str, Value::Str(text)) => format_str(text, spec),
        (BuiltinType::Str, _) => format_str("a", spec),
        (BuiltinType::Float, Value::Float(number)) => format_float(*number, spec),
        (BuiltinType::Float, _) => format_float(1.0, spec),
        _ => format_int(&as_big(value).unwrap_or_else(|| BigInt::from(1)), spec),
    }
}
