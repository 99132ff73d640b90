//! Methods of `str`.

use crate::constants::strings::Side;
use crate::constants::{Computed, ConstantError, strings};
use crate::interp::{Flow, Interp};
use crate::native::CallArgs;
use crate::value::IntoValue;
use crate::value::{BuiltinType, Seq, Value};
use pytrope_dims::ThreeValued;

impl Interp<'_> {
    fn text_result(&mut self, result: Computed<String>) -> Flow<Option<Value>> {
        match result {
            Computed::Value(text) => Ok(Some(Value::str(&text))),
            Computed::Raises(raised) => self.text_error(raised),
            Computed::TooBig => Ok(Some(Value::Top(BuiltinType::Str))),
        }
    }

    fn text_error(&mut self, raised: ConstantError) -> Flow<Option<Value>> {
        self.raise_error("other-error", raised.class, raised.message).map(Some)
    }

    pub(super) fn str_method(&mut self, receiver: &Value, name: &str, args: &CallArgs) -> Flow<Option<Value>> {
        if let Value::Str(template) = receiver
            && args.is_exact()
            && name == "format"
        {
            let text = self.format_template(template, args)?;
            return Ok(Some(text.map_or(Value::Top(BuiltinType::Str), |text| Value::str(&text))));
        }
        if let Value::Str(text) = receiver
            && args.is_exact()
            && args.keywords.is_empty()
            && let Some(result) = self.str_method_exact(text, name, &args.positional)?
        {
            return Ok(Some(result));
        }
        Ok(match name {
            "upper" | "lower" | "title" | "capitalize" | "swapcase" | "casefold" | "strip" | "lstrip" | "rstrip"
            | "replace" | "join" | "format" | "format_map" | "center" | "ljust" | "rjust" | "zfill" | "expandtabs"
            | "removeprefix" | "removesuffix" | "translate" => Some(Value::Top(BuiltinType::Str)),
            "startswith" | "endswith" | "isdigit" | "isalpha" | "isalnum" | "isnumeric" | "isdecimal" | "islower"
            | "isupper" | "isspace" | "istitle" | "isidentifier" | "isprintable" | "isascii" => {
                Some(ThreeValued::opaque().into_value())
            }
            "find" | "rfind" => Some(self.any_int()),
            "index" | "rindex" | "count" => Some(self.any_natural()),
            "split" | "rsplit" | "splitlines" => {
                let seq = self.open_seq(Value::Top(BuiltinType::Str));
                Some(self.new_object(crate::object::Object::List(seq)))
            }
            "partition" | "rpartition" => Some(Value::tuple(vec![Value::Top(BuiltinType::Str); 3])),
            "encode" => Some(Value::Top(BuiltinType::Bytes)),
            _ => None,
        })
    }

    fn str_method_exact(&mut self, text: &str, name: &str, args: &[Value]) -> Flow<Option<Value>> {
        if args.is_empty() {
            if let Some(changed) = strings::change_case(text, name) {
                return Ok(Some(Value::str(&changed)));
            }
            if let Some(verdict) = strings::is_of_kind(text, name) {
                return Ok(Some(Value::Bool(verdict)));
            }
        }
        let strings_of = |values: &[Value]| -> Option<Vec<std::sync::Arc<str>>> {
            values
                .iter()
                .map(|value| match value {
                    Value::Str(text) => Some(std::sync::Arc::clone(text)),
                    _ => None,
                })
                .collect()
        };
        let side = |name: &str| match name {
            "lstrip" | "ljust" => Side::Left,
            "rstrip" | "rjust" => Side::Right,
            _ => Side::Both,
        };
        let list = |interp: &mut Self, parts: Vec<String>| {
            let items = parts.iter().map(|part| Value::str(part)).collect();
            Some(interp.new_list(items))
        };
        match (name, args) {
            ("strip" | "lstrip" | "rstrip", [] | [Value::None]) => {
                Ok(Some(Value::str(&strings::strip(text, None, side(name)))))
            }
            ("strip" | "lstrip" | "rstrip", [Value::Str(chars)]) => {
                Ok(Some(Value::str(&strings::strip(text, Some(chars), side(name)))))
            }
            ("split" | "rsplit", [] | [Value::None]) => match strings::split(text, None, -1) {
                Ok(parts) => Ok(list(self, parts)),
                Err(raised) => self.text_error(raised),
            },
            ("split" | "rsplit", [Value::Str(sep)]) => match strings::split(text, Some(sep), -1) {
                Ok(parts) => Ok(list(self, parts)),
                Err(raised) => self.text_error(raised),
            },
            ("split", [Value::Str(sep), Value::Int(limit)]) => {
                match strings::split(text, Some(sep), i128::from(*limit)) {
                    Ok(parts) => Ok(list(self, parts)),
                    Err(raised) => self.text_error(raised),
                }
            }
            ("rsplit", [Value::Str(sep), Value::Int(limit)]) => {
                match strings::rsplit(text, Some(sep), i128::from(*limit)) {
                    Ok(parts) => Ok(list(self, parts)),
                    Err(raised) => self.text_error(raised),
                }
            }
            ("splitlines", []) => Ok(list(self, strings::split_lines(text, false))),
            ("partition", [Value::Str(sep)]) => match strings::partition(text, sep) {
                Ok(parts) => Ok(Some(Value::tuple(parts.iter().map(|part| Value::str(part)).collect()))),
                Err(raised) => self.text_error(raised),
            },
            ("rpartition", [Value::Str(sep)]) => match strings::rpartition(text, sep) {
                Ok(parts) => Ok(Some(Value::tuple(parts.iter().map(|part| Value::str(part)).collect()))),
                Err(raised) => self.text_error(raised),
            },
            ("replace", [Value::Str(old), Value::Str(new)]) => self.text_result(strings::replace(text, old, new, -1)),
            ("replace", [Value::Str(old), Value::Str(new), Value::Int(limit)]) => {
                self.text_result(strings::replace(text, old, new, i128::from(*limit)))
            }
            ("find", [Value::Str(part)]) => Ok(Some(Value::Int(strings::find(text, part, None, None)))),
            ("rfind", [Value::Str(part)]) => Ok(Some(Value::Int(strings::rfind(text, part, None, None)))),
            ("index" | "rindex", [Value::Str(part)]) => {
                let at = if name == "index" {
                    strings::find(text, part, None, None)
                } else {
                    strings::rfind(text, part, None, None)
                };
                if at < 0 {
                    return self.raise_error("other-error", "ValueError", "substring not found").map(Some);
                }
                Ok(Some(Value::Int(at)))
            }
            ("count", [Value::Str(part)]) => Ok(Some(Value::Int(strings::count(text, part, None, None) as i64))),
            ("startswith", [Value::Str(part)]) => Ok(Some(Value::Bool(text.starts_with(&**part)))),
            ("endswith", [Value::Str(part)]) => Ok(Some(Value::Bool(text.ends_with(&**part)))),
            ("startswith" | "endswith", [Value::Tuple(Seq::Exact(parts))]) => {
                Ok(strings_of(parts).map(|parts| {
                    Value::Bool(parts.iter().any(|part| {
                        if name == "startswith" { text.starts_with(&**part) } else { text.ends_with(&**part) }
                    }))
                }))
            }
            ("removeprefix", [Value::Str(part)]) => Ok(Some(Value::str(&strings::remove_prefix(text, part)))),
            ("removesuffix", [Value::Str(part)]) => Ok(Some(Value::str(&strings::remove_suffix(text, part)))),
            ("zfill", [Value::Int(width)]) => self.text_result(strings::zfill(text, i128::from(*width))),
            ("center" | "ljust" | "rjust", [Value::Int(width)]) => {
                self.text_result(strings::justify(text, i128::from(*width), ' ', side(name)))
            }
            ("center" | "ljust" | "rjust", [Value::Int(width), Value::Str(fill)]) if fill.chars().count() == 1 => {
                let fill = fill.chars().next().unwrap_or(' ');
                self.text_result(strings::justify(text, i128::from(*width), fill, side(name)))
            }
            ("join", [iterable]) => {
                let Some(Seq::Exact(items)) = self.iterate_value(&iterable.clone())? else { return Ok(None) };
                if let Some(position) = items.iter().position(|item| {
                    !matches!(item.kind(), Some(BuiltinType::Str) | None) && !matches!(item, Value::Top(_))
                }) {
                    let kind = self.exact_type_name(&items[position]).unwrap_or_default();
                    let message = format!("sequence item {position}: expected str instance, {kind} found");
                    return self.raise_error("other-error", "TypeError", message).map(Some);
                }
                match strings_of(&items) {
                    Some(parts) => self.text_result(strings::join(text, &parts)),
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }
}
