//! f-strings: constant when their parts are; in models they show abstract values, so that messages read well.

use std::sync::Arc;

use pytrope_source::tree::{Conversion, List, StringPart};

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::value::{BuiltinType, Value};

/// One of more texts than this is not followed.
const MOST_TEXTS: usize = 4;

impl Interp<'_> {
    pub(super) fn f_string(&mut self, parts: List<StringPart>) -> Flow {
        let texts = self.string_parts(parts)?;
        Ok(match texts.as_deref() {
            Some([text]) => Value::str(text),
            Some(texts) if !texts.is_empty() => {
                Value::Union(Arc::new(texts.iter().map(|text| Value::str(text)).collect()))
            }
            _ => Value::Top(BuiltinType::Str),
        })
    }

    /// The text that some parts make, or one of several where shapes are shown.
    fn string_parts(&mut self, parts: List<StringPart>) -> Flow<Option<Vec<String>>> {
        let code = self.current_code();
        let mut texts = Some(vec![String::new()]);
        for part in &code.tree[parts] {
            match *part {
                StringPart::Literal(literal) => {
                    for text in texts.iter_mut().flatten() {
                        text.push_str(code.tree.text(literal));
                    }
                }
                StringPart::Interpolation { value, conversion, format, debug } => {
                    let value = self.eval_expr(value)?;
                    let spec = match format {
                        Some(format) => self.string_parts(format)?.filter(|specs| specs.len() == 1),
                        None => Some(vec![String::new()]),
                    };
                    self.havocs_unseen_methods(&value, &[Name::FORMAT, Name::STR, Name::REPR]);
                    let mut shown = Some(Vec::new());
                    let is_text = |one: &Value| matches!(one, Value::Str(_));
                    let is_followed = self.analysis.assumes && value.alternatives().iter().all(is_text);
                    let values = if is_followed { value.alternatives() } else { std::slice::from_ref(&value) };
                    for one in values {
                        let one =
                            self.interpolated_text(one, conversion, spec.as_ref().and_then(|spec| spec.first()))?;
                        shown = shown.zip(one).map(|(mut shown, one)| {
                            shown.push(one);
                            shown
                        });
                    }
                    let shown = shown.filter(|_| debug.is_none());
                    texts = texts.zip(shown).map(|(texts, shown)| {
                        texts.iter().flat_map(|text| shown.iter().map(move |shown| format!("{text}{shown}"))).collect()
                    });
                    let is_long =
                        |texts: &Vec<String>| texts.len() > MOST_TEXTS || texts.iter().any(|text| text.len() > 100_000);
                    if texts.as_ref().is_some_and(is_long) {
                        texts = None;
                    }
                }
            }
        }
        Ok(texts)
    }

    fn interpolated_text(
        &mut self,
        value: &Value,
        conversion: Conversion,
        spec: Option<&String>,
    ) -> Flow<Option<String>> {
        Ok(match (value, conversion, spec.map(String::as_str)) {
            (Value::Str(text), Conversion::None, _) if self.in_model() => Some(text.to_string()),
            (value, _, _) if self.in_model() => Some(self.show_value(value)),
            (
                Value::Int(_) | Value::Big(_) | Value::Bool(_) | Value::None | Value::Float(_),
                Conversion::Str | Conversion::Repr,
                Some(""),
            ) => Some(self.show_value(value)),
            (Value::Str(text), Conversion::Str, Some("")) => Some(text.to_string()),
            (_, Conversion::None, Some(spec)) => self.format_value(value, spec)?,
            _ => None,
        })
    }
}
