//! f-strings: constant when their parts are; in models they show abstract values, so that messages read well.

use pytrope_source::tree::{Conversion, List, StringPart};

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::value::{BuiltinType, Value};

impl Interp<'_> {
    pub(super) fn f_string(&mut self, parts: List<StringPart>) -> Flow {
        let text = self.string_parts(parts)?;
        Ok(match text {
            Some(text) => Value::str(&text),
            None => Value::Top(BuiltinType::Str),
        })
    }

    fn string_parts(&mut self, parts: List<StringPart>) -> Flow<Option<String>> {
        let code = self.current_code();
        let in_model = self.in_model();
        let mut text = Some(String::new());
        for part in &code.tree[parts] {
            match *part {
                StringPart::Literal(literal) => {
                    if let Some(text) = &mut text {
                        text.push_str(code.tree.text(literal));
                    }
                }
                StringPart::Interpolation { value, conversion, format, debug } => {
                    let value = self.eval_expr(value)?;
                    let spec = match format {
                        Some(format) => self.string_parts(format)?,
                        None => Some(String::new()),
                    };
                    self.havocs_unseen_methods(&value, &[Name::FORMAT, Name::STR, Name::REPR]);
                    let shown = match (&value, conversion, spec.as_deref()) {
                        (Value::Str(text), Conversion::None, _) if in_model => Some(text.to_string()),
                        (value, _, _) if in_model => Some(self.show_value(value)),
                        (
                            Value::Int(_) | Value::Big(_) | Value::Bool(_) | Value::None | Value::Float(_),
                            Conversion::Str | Conversion::Repr,
                            Some(""),
                        ) => Some(self.show_value(&value)),
                        (Value::Str(text), Conversion::Str, Some("")) => Some(text.to_string()),
                        (_, Conversion::None, Some(spec)) => self.format_value(&value, spec)?,
                        _ => None,
                    };
                    let shown = shown.filter(|_| debug.is_none());
                    text = text.zip(shown).map(|(text, shown)| text + &shown);
                    if text.as_ref().is_some_and(|text| text.len() > 100_000) {
                        text = None;
                    }
                }
            }
        }
        Ok(text)
    }
}
