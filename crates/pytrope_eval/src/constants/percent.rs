//! `%`-formatting and the templates of `str.format`.

use num_bigint::BigInt;
use num_traits::Signed;

use super::formatting::{self, Spec};
use super::{Computed, Const, ConstantError, floats, integers};

/// One conversion of a `%` template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PercentConversion {
    /// `%(name)s`.
    pub key: Option<String>,
    flags: String,
    /// `None` is `*`.
    width: Option<usize>,
    /// None without a point, `Some(None)` for `.*`.
    #[expect(clippy::option_option, reason = "`.*` is neither no precision nor a number")]
    precision: Option<Option<usize>>,
    pub kind: char,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PercentPiece {
    Literal(String),
    Conversion(PercentConversion),
}

/// The pieces of a `%` template.
pub fn parse(template: &str) -> Result<Vec<PercentPiece>, ConstantError> {
    let chars: Vec<char> = template.chars().collect();
    let mut pieces = Vec::new();
    let mut literal = String::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at] != '%' {
            literal.push(chars[at]);
            at += 1;
            continue;
        }
        at += 1;
        if chars.get(at) == Some(&'%') {
            literal.push('%');
            at += 1;
            continue;
        }
        let conversion = conversion(&chars, &mut at)?;
        if !literal.is_empty() {
            pieces.push(PercentPiece::Literal(std::mem::take(&mut literal)));
        }
        pieces.push(PercentPiece::Conversion(conversion));
    }
    if !literal.is_empty() {
        pieces.push(PercentPiece::Literal(literal));
    }
    Ok(pieces)
}

fn conversion(chars: &[char], at: &mut usize) -> Result<PercentConversion, ConstantError> {
    let incomplete = || ConstantError::new("ValueError", "incomplete format");
    let mut key = None;
    if chars.get(*at) == Some(&'(') {
        let mut depth = 0;
        let start = *at + 1;
        loop {
            match chars.get(*at) {
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some(_) => {}
                None => return Err(ConstantError::new("ValueError", "incomplete format key")),
            }
            *at += 1;
            if depth == 0 {
                break;
            }
        }
        key = Some(chars[start..*at - 1].iter().collect());
    }
    let mut flags = String::new();
    while let Some(&c @ ('#' | '0' | '-' | ' ' | '+')) = chars.get(*at) {
        flags.push(c);
        *at += 1;
    }
    let width = amount(chars, at);
    let mut precision = None;
    if chars.get(*at) == Some(&'.') {
        *at += 1;
        precision = Some(amount(chars, at));
    }
    while matches!(chars.get(*at), Some('h' | 'l' | 'L')) {
        *at += 1;
    }
    let kind = *chars.get(*at).ok_or_else(incomplete)?;
    *at += 1;
    if !"diouxXeEfFgGcrsa%".contains(kind) {
        let message = format!("unsupported format character '{kind}' (0x{:x})", kind as u32);
        return Err(ConstantError::new("ValueError", message));
    }
    Ok(PercentConversion { key, flags, width, precision, kind })
}

fn amount(chars: &[char], at: &mut usize) -> Option<usize> {
    if chars.get(*at) == Some(&'*') {
        *at += 1;
        return None;
    }
    let start = *at;
    while chars.get(*at).is_some_and(char::is_ascii_digit) {
        *at += 1;
    }
    let digits: String = chars[start..*at].iter().collect();
    Some(digits.parse().unwrap_or(0))
}

/// How many arguments a template without keys takes; `None` with keys.
pub fn argument_count(pieces: &[PercentPiece]) -> Option<usize> {
    let mut count = 0;
    for piece in pieces {
        if let PercentPiece::Conversion(conversion) = piece {
            if conversion.key.is_some() {
                return None;
            }
            if conversion.kind != '%' {
                count += 1;
            }
            count += usize::from(conversion.width.is_none());
            count += usize::from(conversion.precision == Some(None));
        }
    }
    Some(count)
}

/// A template applied to constants; `TooBig` for what is not computed (keys, `*`, `%a`).
pub fn apply(pieces: &[PercentPiece], args: &[Const]) -> Computed<String> {
    let mut out = String::new();
    let mut args = args.iter();
    for piece in pieces {
        match piece {
            PercentPiece::Literal(text) => out.push_str(text),
            PercentPiece::Conversion(conversion) => {
                let (Some(width), None) = (conversion.width, &conversion.key) else { return Computed::TooBig };
                if conversion.kind == '%' {
                    out.push('%');
                    continue;
                }
                let Some(arg) = args.next() else {
                    return Computed::raises("TypeError", "not enough arguments for format string");
                };
                match one(conversion, width, arg) {
                    Computed::Value(text) => out.push_str(&text),
                    other => return other,
                }
            }
        }
    }
    if args.next().is_some() {
        return Computed::raises("TypeError", "not all arguments converted during string formatting");
    }
    Computed::Value(out)
}

fn one(conversion: &PercentConversion, width: usize, arg: &Const) -> Computed<String> {
    let precision = match conversion.precision {
        Some(None) => return Computed::TooBig,
        Some(Some(digits)) => Some(digits),
        None => None,
    };
    if width > 4096 || precision.is_some_and(|digits| digits > 1000) {
        return Computed::TooBig;
    }
    let has = |flag: char| conversion.flags.contains(flag);
    let left = has('-');
    let zero = has('0') && !left;
    let mut spec = Spec {
        fill: ' ',
        align: Some(if left { '<' } else { '>' }),
        sign: if has('+') {
            '+'
        } else if has(' ') {
            ' '
        } else {
            '-'
        },
        alternate: has('#'),
        width,
        grouping: None,
        precision,
        kind: None,
    };
    let number = |spec: &mut Spec| {
        if zero {
            (spec.fill, spec.align) = ('0', Some('='));
        }
    };
    match conversion.kind {
        's' | 'r' => {
            let Some(text) = text_of(arg, conversion.kind == 'r') else { return Computed::TooBig };
            (spec.sign, spec.alternate) = ('-', false);
            formatting::format_str(&text, &spec)
        }
        'd' | 'i' | 'u' => {
            let value = match arg {
                Const::Float(x) => match floats::to_int(*x) {
                    Ok(value) => value,
                    Err(raised) => return Computed::Raises(raised),
                },
                other => match other.as_int() {
                    Some(value) => value,
                    None => return wrong_type(conversion.kind, "a real number is required", arg),
                },
            };
            integer(&value, 'd', &mut spec, number)
        }
        'x' | 'X' | 'o' => match arg.as_int() {
            Some(value) => integer(&value, conversion.kind, &mut spec, number),
            None => wrong_type(conversion.kind, "an integer is required", arg),
        },
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
            let x = match arg {
                Const::Float(x) => *x,
                other => match other.as_int().map(|n| integers::to_float(&n)) {
                    Some(Ok(x)) => x,
                    Some(Err(raised)) => return Computed::Raises(raised),
                    None => {
                        return Computed::raises("TypeError", format!("must be real number, not {}", arg.type_name()));
                    }
                },
            };
            number(&mut spec);
            spec.kind = Some(conversion.kind);
            formatting::format_float(x, &spec)
        }
        _ => Computed::TooBig,
    }
}

fn integer(value: &BigInt, kind: char, spec: &mut Spec, number: impl Fn(&mut Spec)) -> Computed<String> {
    if let Some(digits) = spec.precision.take() {
        if value.magnitude().to_str_radix(10).len() < digits || value.is_negative() {
            return Computed::TooBig;
        }
    } else {
        number(spec);
    }
    spec.kind = Some(kind);
    formatting::format_int(value, spec)
}

fn wrong_type(kind: char, needs: &str, arg: &Const) -> Computed<String> {
    Computed::raises("TypeError", format!("%{kind} format: {needs}, not {}", arg.type_name()))
}

/// `str(x)` or `repr(x)` of a scalar constant.
pub fn text_of(value: &Const, repr: bool) -> Option<String> {
    Some(match value {
        Const::None => "None".into(),
        Const::Bool(value) => if *value { "True" } else { "False" }.into(),
        Const::Int(value) => value.to_string(),
        Const::Float(value) => floats::repr(*value),
        Const::Str(text) if repr => formatting::repr_str(text),
        Const::Str(text) => text.to_string(),
        Const::Tuple(_) => return None,
    })
}

/// A field of a `str.format` template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatPiece {
    Literal(String),
    Field {
        /// What stands before `!` and `:`: empty, a number, a name, with `.attr` and `[item]` after it.
        name: String,
        conversion: Option<char>,
        spec: String,
    },
}

/// The pieces of a `str.format` template, and the error in which they end: fields before it are filled first.
pub fn parse_format(template: &str) -> (Vec<FormatPiece>, Option<ConstantError>) {
    let chars: Vec<char> = template.chars().collect();
    let mut pieces = Vec::new();
    let error = |pieces, message: &str| (pieces, Some(ConstantError::new("ValueError", message)));
    let mut literal = String::new();
    let mut at = 0;
    while at < chars.len() {
        let (c, next) = (chars[at], chars.get(at + 1));
        at += 1;
        match c {
            '{' | '}' if next == Some(&c) => {
                literal.push(c);
                at += 1;
            }
            '}' => return error(pieces, "Single '}' encountered in format string"),
            '{' => {
                if !literal.is_empty() {
                    pieces.push(FormatPiece::Literal(std::mem::take(&mut literal)));
                }
                let start = at;
                at = match field_end(&chars, start) {
                    Ok(end) => end + 1,
                    Err(message) => return error(pieces, message),
                };
                let body: String = chars[start..at - 1].iter().collect();
                pieces.push(field(&body));
            }
            _ => literal.push(c),
        }
    }
    if !literal.is_empty() {
        pieces.push(FormatPiece::Literal(literal));
    }
    (pieces, None)
}

/// Where the field that begins behind a brace ends. An index in brackets is text up to its end: `{[{]}` is a whole field.
fn field_end(chars: &[char], start: usize) -> Result<usize, &'static str> {
    if start == chars.len() {
        return Err("Single '{' encountered in format string");
    }
    let unfinished = "expected '}' before end of string";
    let mut at = start;
    loop {
        match chars.get(at) {
            None => return Err(unfinished),
            Some('{') => return Err("unexpected '{' in field name"),
            Some('}') => return Ok(at),
            Some(':' | '!') => break,
            Some('[') => match chars[at..].iter().position(|&c| c == ']') {
                Some(length) => at += length + 1,
                None => return Err(unfinished),
            },
            Some(_) => at += 1,
        }
    }
    let mut depth = 1;
    loop {
        match chars.get(at) {
            Some('{') => depth += 1,
            Some('}') => depth -= 1,
            Some(_) => {}
            None => return Err(unfinished),
        }
        if depth == 0 {
            return Ok(at);
        }
        at += 1;
    }
}

fn field(body: &str) -> FormatPiece {
    let bracket = body.find('[').zip(body.find(']')).filter(|(open, close)| open < close);
    let from = bracket.map_or(0, |(_, close)| close);
    let split = body[from..].find(['!', ':']).map_or(body.len(), |at| from + at);
    let (name, rest) = body.split_at(split);
    let (conversion, spec) = match rest.strip_prefix('!') {
        Some(rest) => (rest.chars().next(), rest.get(1..).and_then(|tail| tail.strip_prefix(':')).unwrap_or("")),
        None => (None, rest.strip_prefix(':').unwrap_or("")),
    };
    FormatPiece::Field { name: name.into(), conversion, spec: spec.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(n: i64) -> Const {
        Const::Int(BigInt::from(n))
    }

    fn percent(template: &str, args: &[Const]) -> Computed<String> {
        apply(&parse(template).expect("parses"), args)
    }

    #[test]
    fn conversions() {
        let s = |text: &str| Const::Str(text.into());
        assert_eq!(percent("%s=%05d|%-4d|", &[s("x"), int(42), int(7)]), Computed::Value("x=00042|7   |".into()));
        assert_eq!(percent("%.2f%%", &[Const::Float(12.345)]), Computed::Value("12.35%".into()));
        assert_eq!(percent("%r %x", &[s("a"), int(255)]), Computed::Value("'a' ff".into()));
        assert_eq!(argument_count(&parse("%d %*d %%").expect("parses")), Some(3));
    }

    #[test]
    fn wrong_counts_and_types_raise() {
        let class = |computed: Computed<String>| match computed {
            Computed::Raises(raised) => raised.class,
            other => panic!("{other:?}"),
        };
        assert_eq!(class(percent("%d", &[])), "TypeError");
        assert_eq!(class(percent("x", &[int(1)])), "TypeError");
        assert_eq!(class(percent("%d", &[Const::Str("a".into())])), "TypeError");
        assert!(parse("%y").is_err());
        assert!(parse("100%").is_err());
    }

    #[test]
    fn format_templates() {
        let (pieces, error) = parse_format("a{{}}{0!r:>{1}}{x[y:z].w}");
        assert!(error.is_none());
        let field = |name: &str, conversion, spec: &str| FormatPiece::Field {
            name: name.into(),
            conversion,
            spec: spec.into(),
        };
        assert_eq!(
            pieces,
            [FormatPiece::Literal("a{}".into()), field("0", Some('r'), ">{1}"), field("x[y:z].w", None, "")]
        );
        assert!(parse_format("{").1.is_some());
        assert!(parse_format("a}").1.is_some());
    }
}
