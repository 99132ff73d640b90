//! `repr` of strings and the mini-language of `format`.

use num_bigint::BigInt;
use num_traits::Signed;

use super::strings::MAX_BYTES;
use super::{Computed, ConstantError, floats, integers};

/// `repr(s)`, with CPython's choice of quotes.
pub fn repr_str(s: &str) -> String {
    let quote = if s.contains('\'') && !s.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(s.len() + 2);
    out.push(quote);
    for c in s.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            c if (c as u32) < 0x100 && (c.is_control() || matches!(c, '\u{a0}' | '\u{ad}')) => {
                out.push_str(&format!("\\x{:02x}", c as u32));
            }
            c if c.escape_debug().count() == 1 || !c.is_whitespace() && !c.is_control() => out.push(c),
            c if (c as u32) < 0x10000 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push_str(&format!("\\U{:08x}", c as u32)),
        }
    }
    out.push(quote);
    out
}

/// `repr(b)` of bytes.
pub fn repr_bytes(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { b'"' } else { b'\'' };
    let mut out = format!("b{}", quote as char);
    for &b in bytes {
        match b {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b if b == quote => out.push_str(&format!("\\{}", b as char)),
            b' '..=b'~' => out.push(b as char),
            b => out.push_str(&format!("\\x{b:02x}")),
        }
    }
    out.push(quote as char);
    out
}

/// A parsed format specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    pub fill: char,
    /// `<`, `>`, `^` or `=`.
    pub align: Option<char>,
    pub sign: char,
    pub alternate: bool,
    pub width: usize,
    pub grouping: Option<char>,
    pub precision: Option<usize>,
    pub kind: Option<char>,
}

impl Spec {
    /// Read `[[fill]align][sign][#][0][width][grouping][.precision][type]`; `None` for what is rare enough to leave (`z`, `n`).
    pub fn parse(text: &str) -> Option<Result<Self, ConstantError>> {
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        let mut spec = Self {
            fill: ' ',
            align: None,
            sign: '-',
            alternate: false,
            width: 0,
            grouping: None,
            precision: None,
            kind: None,
        };
        let is_align = |c: Option<&char>| matches!(c, Some('<' | '>' | '^' | '='));
        let has_fill = is_align(chars.get(1));
        if has_fill {
            (spec.fill, spec.align) = (chars[0], Some(chars[1]));
            at = 2;
        } else if is_align(chars.first()) {
            spec.align = Some(chars[0]);
            at = 1;
        }
        if chars.get(at) == Some(&'-') {
            // What numbers have anyway, and text refuses.
            return None;
        }
        if let Some(&c @ ('+' | ' ')) = chars.get(at) {
            spec.sign = c;
            at += 1;
        }
        if chars.get(at) == Some(&'z') {
            return None;
        }
        if chars.get(at) == Some(&'#') {
            spec.alternate = true;
            at += 1;
        }
        if chars.get(at) == Some(&'0') {
            if spec.align.is_none() {
                (spec.fill, spec.align) = ('0', Some('='));
            } else if !has_fill {
                spec.fill = '0';
            }
            at += 1;
        }
        spec.width = read_number(&chars, &mut at)?.unwrap_or(0);
        if let Some(&c @ (',' | '_')) = chars.get(at) {
            spec.grouping = Some(c);
            at += 1;
        }
        if chars.get(at) == Some(&'.') {
            at += 1;
            match read_number(&chars, &mut at)? {
                Some(digits) => spec.precision = Some(digits),
                None => return Some(Err(ConstantError::new("ValueError", "Format specifier missing precision"))),
            }
        }
        if let Some(&kind) = chars.get(at) {
            spec.kind = Some(kind);
            at += 1;
        }
        if at < chars.len() {
            return Some(Err(ConstantError::new("ValueError", "Invalid format specifier")));
        }
        if spec.kind == Some('n') || spec.width > MAX_BYTES || spec.precision.is_some_and(|p| p > 1000) {
            return None;
        }
        Some(Ok(spec))
    }

    fn unknown_code<T>(&self, of: &str) -> Computed<T> {
        let code = self.kind.unwrap_or(' ');
        Computed::raises("ValueError", format!("Unknown format code '{code}' for object of type '{of}'"))
    }

    /// Digits with their sign and prefix, grouped and padded.
    fn lay_out(&self, negative: bool, prefix: &str, digits: &str, group: usize) -> String {
        let sign = match (negative, self.sign) {
            (true, _) => "-",
            (false, '+') => "+",
            (false, ' ') => " ",
            (false, _) => "",
        };
        let align = self.align.unwrap_or('>');
        let room = self.width.saturating_sub(sign.len() + prefix.len());
        let body = match self.grouping {
            Some(separator) => {
                let zeros = if align == '=' && self.fill == '0' { room } else { 0 };
                group_digits(digits, separator, group, zeros)
            }
            None => digits.to_owned(),
        };
        let lead = format!("{sign}{prefix}");
        let missing = self.width.saturating_sub(lead.len() + body.chars().count());
        let fill = |n: usize| self.fill.to_string().repeat(n);
        match align {
            '<' => format!("{lead}{body}{}", fill(missing)),
            '^' => format!("{}{lead}{body}{}", fill(missing / 2), fill(missing - missing / 2)),
            '=' => format!("{lead}{}{body}", fill(missing)),
            _ => format!("{}{lead}{body}", fill(missing)),
        }
    }
}

/// Digits at a place: none, a number, or (the outer `None`) a number that is too large to read.
#[expect(clippy::option_option, reason = "no digits and too many digits are different answers")]
fn read_number(chars: &[char], at: &mut usize) -> Option<Option<usize>> {
    let start = *at;
    while chars.get(*at).is_some_and(char::is_ascii_digit) {
        *at += 1;
    }
    if start == *at {
        return Some(None);
    }
    let text: String = chars[start..*at].iter().collect();
    text.parse().ok().map(Some)
}

/// Separators between groups of digits before the point, after filling with zeros to a width.
fn group_digits(digits: &str, separator: char, group: usize, width: usize) -> String {
    let split = digits.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(digits.len());
    let split = digits.find(['.', 'e', '%']).filter(|_| group == 3).map_or(split, |at| at.min(split));
    let (whole, rest) = digits.split_at(split);
    let mut whole: Vec<char> = whole.chars().collect();
    let shown = |len: usize| len + len.saturating_sub(1) / group;
    while shown(whole.len()) + rest.len() < width {
        whole.insert(0, '0');
    }
    let mut out = String::new();
    for (i, c) in whole.iter().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(group) {
            out.push(separator);
        }
        out.push(*c);
    }
    out + rest
}

/// `format(s, spec)`.
pub fn format_str(s: &str, spec: &Spec) -> Computed<String> {
    if spec.kind.is_some_and(|kind| kind != 's') {
        return spec.unknown_code("str");
    }
    if spec.align == Some('=') && spec.fill != '0' {
        return Computed::raises("ValueError", "'=' alignment not allowed in string format specifier");
    }
    if spec.sign != '-' || spec.alternate || spec.grouping.is_some() || spec.align == Some('=') {
        return Computed::TooBig;
    }
    let cut: String = s.chars().take(spec.precision.unwrap_or(usize::MAX)).collect();
    let left = Spec { align: Some(spec.align.unwrap_or('<')), ..spec.clone() };
    Computed::Value(left.lay_out(false, "", &cut, 3))
}

/// `format(n, spec)`.
pub fn format_int(n: &BigInt, spec: &Spec) -> Computed<String> {
    let kind = spec.kind.unwrap_or('d');
    let magnitude = n.magnitude();
    let (digits, prefix, group) = match kind {
        'd' => (magnitude.to_str_radix(10), "", 3),
        'b' => (magnitude.to_str_radix(2), "0b", 4),
        'o' => (magnitude.to_str_radix(8), "0o", 4),
        'x' => (magnitude.to_str_radix(16), "0x", 4),
        'X' => (magnitude.to_str_radix(16).to_uppercase(), "0X", 4),
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%' => {
            return match integers::to_float(n) {
                Ok(x) => format_float(x, spec),
                Err(raised) => Computed::Raises(raised),
            };
        }
        'c' => return Computed::TooBig,
        _ => return spec.unknown_code("int"),
    };
    if spec.precision.is_some() {
        return Computed::raises("ValueError", "Precision not allowed in integer format specifier");
    }
    if spec.grouping == Some(',') && group == 4 {
        return Computed::raises("ValueError", format!("Cannot specify ',' with '{kind}'."));
    }
    let prefix = if spec.alternate { prefix } else { "" };
    Computed::Value(spec.lay_out(n.is_negative(), prefix, &digits, group))
}

/// `format(x, spec)`.
pub fn format_float(x: f64, spec: &Spec) -> Computed<String> {
    let kind = spec.kind;
    let magnitude = x.abs();
    if kind.is_some_and(|kind| !"fF%eEgG".contains(kind)) {
        return spec.unknown_code("float");
    }
    if kind.is_none() && spec.alternate {
        return Computed::TooBig;
    }
    let digits = if x.is_nan() || x.is_infinite() {
        let name = if x.is_nan() { "nan" } else { "inf" };
        let upper = matches!(kind, Some('E' | 'F' | 'G'));
        let suffix = if kind == Some('%') { "%" } else { "" };
        format!("{}{suffix}", if upper { name.to_uppercase() } else { name.into() })
    } else {
        let precision = spec.precision.unwrap_or(6);
        match kind {
            Some('f' | 'F') => format_fixed(magnitude, precision, spec.alternate),
            Some('%') => format!("{}%", format_fixed(magnitude * 100.0, precision, spec.alternate)),
            Some('e') => format_scientific(magnitude, precision, spec.alternate),
            Some('E') => format_scientific(magnitude, precision, spec.alternate).to_uppercase(),
            Some('g') => general(magnitude, precision, spec.alternate),
            Some('G') => general(magnitude, precision, spec.alternate).to_uppercase(),
            None => match spec.precision {
                None => floats::repr(magnitude),
                Some(precision) => with_point(magnitude, precision),
            },
            Some(_) => return spec.unknown_code("float"),
        }
    };
    Computed::Value(spec.lay_out(x.is_sign_negative() && !x.is_nan(), "", &digits, 3))
}

fn format_fixed(x: f64, precision: usize, alternate: bool) -> String {
    let point = if alternate && precision == 0 { "." } else { "" };
    format!("{x:.precision$}{point}")
}

fn format_scientific(x: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if alternate && precision == 0 { "." } else { "" };
    let mark = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{mark}{:02}", exponent.abs())
}

fn exponent_at(x: f64, precision: usize) -> i32 {
    let text = format!("{x:.*e}", precision - 1);
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// `%g`: fixed or scientific by the exponent, without trailing zeros.
pub(super) fn general(x: f64, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1);
    let exponent = exponent_at(x, precision);
    let trim = |text: String| {
        if alternate || !text.contains('.') {
            return text;
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if exponent < -4 || exponent >= precision as i32 {
        let text = format_scientific(x, precision - 1, alternate);
        let (mantissa, tail) = text.split_once('e').unwrap_or((&text, "+00"));
        format!("{}e{tail}", trim(mantissa.to_owned()))
    } else {
        trim(format_fixed(x, (precision as i32 - 1 - exponent) as usize, alternate))
    }
}

/// A precision without a type: like `g`, but with a digit after the point, and scientific one exponent earlier.
fn with_point(x: f64, precision: usize) -> String {
    let precision = precision.max(1);
    let exponent = exponent_at(x, precision);
    if x != 0.0 && (exponent < -4 || exponent >= precision as i32 - 1 && exponent + 1 > precision as i32 - 1) {
        let general = general(x, precision, false);
        if exponent >= precision as i32 - 1 && !general.contains('e') {
            return format_scientific(x, precision - 1, false);
        }
        return general;
    }
    let text = general(x, precision, false);
    if text.contains(['.', 'e']) { text } else { format!("{text}.0") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Spec {
        Spec::parse(text).expect("known").expect("parses")
    }

    fn int(n: i64, text: &str) -> String {
        match format_int(&BigInt::from(n), &spec(text)) {
            Computed::Value(shown) => shown,
            other => panic!("{other:?}"),
        }
    }

    fn float(x: f64, text: &str) -> String {
        match format_float(x, &spec(text)) {
            Computed::Value(shown) => shown,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn integers_format() {
        assert_eq!(int(1_234_567, ","), "1,234,567");
        assert_eq!(int(-42, "06d"), "-00042");
        assert_eq!(int(255, "#x"), "0xff");
        assert_eq!(int(255, "_b"), "1111_1111");
        assert_eq!(int(5, "^5"), "  5  ");
        assert_eq!(int(5, "*>+4"), "**+5");
        assert_eq!(int(1234, "010,"), "00,001,234");
        assert_eq!(int(3, ".2f"), "3.00");
    }

    #[test]
    fn floats_format() {
        assert_eq!(float(2.71999, ".2f"), "2.72");
        assert_eq!(float(1234.5, ",.1f"), "1,234.5");
        assert_eq!(float(0.000_012_3, "g"), "1.23e-05");
        assert_eq!(float(100_000.0, "g"), "100000");
        assert_eq!(float(1e6, "g"), "1e+06");
        assert_eq!(float(0.256, ".1%"), "25.6%");
        assert_eq!(float(1.5, "e"), "1.500000e+00");
        assert_eq!(float(-1.5, "8.2f"), "   -1.50");
        assert_eq!(float(f64::INFINITY, "5"), "  inf");
        assert_eq!(float(1.5, ""), "1.5");
    }

    #[test]
    fn strings_format_and_quote() {
        assert_eq!(format_str("abc", &spec(".2")), Computed::Value("ab".into()));
        assert_eq!(format_str("abc", &spec("*^7")), Computed::Value("**abc**".into()));
        assert!(matches!(format_str("abc", &spec("d")), Computed::Raises(_)));
        assert_eq!(repr_str("it's"), "\"it's\"");
        assert_eq!(repr_str("a'b\"c\n\x00é"), "'a\\'b\"c\\n\\x00é'");
        assert_eq!(repr_bytes(b"a\xff'"), "b\"a\\xff'\"");
    }
}
