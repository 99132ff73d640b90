//! The methods of `str` on constants. Positions are code points, as in Python.
//!
//! Where the answer needs Unicode tables whose version Python and Rust may not share, functions give `None`.

use super::{Computed, ConstantError};

/// Strings beyond this many bytes are not built.
pub const MAX_BYTES: usize = 1 << 16;

/// White space for `split` and `strip`: Unicode's, and the four information separators.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

pub fn len(s: &str) -> usize {
    if s.is_ascii() { s.len() } else { s.chars().count() }
}

/// `s * times`.
pub fn repeat(s: &str, times: i128) -> Computed<String> {
    let times = times.max(0);
    if s.is_empty() || times == 0 {
        return Computed::Value(String::new());
    }
    match usize::try_from(times) {
        Ok(times) if s.len().saturating_mul(times) <= MAX_BYTES => Computed::Value(s.repeat(times)),
        _ => Computed::TooBig,
    }
}

/// `s[i]`.
pub fn at(s: &str, index: i128) -> Result<char, ConstantError> {
    let length = len(s) as i128;
    let place = if index < 0 { index + length } else { index };
    usize::try_from(place)
        .ok()
        .and_then(|place| s.chars().nth(place))
        .ok_or_else(|| ConstantError::new("IndexError", "string index out of range"))
}

/// The indices that a slice selects, as `slice.indices` and `range` give them. The step is not zero.
pub fn slice_indices(length: usize, start: Option<i128>, stop: Option<i128>, step: i128) -> Vec<usize> {
    let n = length as i128;
    let clamp = |value: i128, low: i128, high: i128| {
        let value = if value < 0 { value.saturating_add(n) } else { value };
        value.clamp(low, high)
    };
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let start = start.map_or(if step > 0 { low } else { high }, |value| clamp(value, low, high));
    let stop = stop.map_or(if step > 0 { high } else { low }, |value| clamp(value, low, high));
    let mut out = Vec::new();
    let mut at = start;
    while (step > 0 && at < stop) || (step < 0 && at > stop) {
        out.push(at as usize);
        at = at.saturating_add(step);
    }
    out
}

/// `s[start:stop:step]`.
pub fn slice(s: &str, start: Option<i128>, stop: Option<i128>, step: i128) -> String {
    let chars: Vec<char> = s.chars().collect();
    slice_indices(chars.len(), start, stop, step).into_iter().map(|i| chars[i]).collect()
}

/// The byte range of `s[start:stop]`, or `None` when `start` lies past the end.
fn window(s: &str, start: Option<i128>, stop: Option<i128>) -> Option<(usize, usize, usize)> {
    let n = len(s) as i128;
    let clamp = |value: i128| if value < 0 { (value + n).max(0) } else { value };
    let from = start.map_or(0, clamp);
    let to = stop.map_or(n, clamp).min(n);
    if from > n || from > to {
        return None;
    }
    let byte = |chars: i128| s.char_indices().nth(chars as usize).map_or(s.len(), |(i, _)| i);
    Some((byte(from), byte(to), from as usize))
}

/// `s.find(sub, start, stop)`; -1 when it is not there.
pub fn find(s: &str, sub: &str, start: Option<i128>, stop: Option<i128>) -> i64 {
    let Some((from, to, offset)) = window(s, start, stop) else { return -1 };
    let hay = &s[from..to];
    hay.find(sub).map_or(-1, |at| (offset + len(&hay[..at])) as i64)
}

pub fn rfind(s: &str, sub: &str, start: Option<i128>, stop: Option<i128>) -> i64 {
    let Some((from, to, offset)) = window(s, start, stop) else { return -1 };
    let hay = &s[from..to];
    hay.rfind(sub).map_or(-1, |at| (offset + len(&hay[..at])) as i64)
}

pub fn count(s: &str, sub: &str, start: Option<i128>, stop: Option<i128>) -> usize {
    let Some((from, to, _)) = window(s, start, stop) else { return 0 };
    let hay = &s[from..to];
    if sub.is_empty() { len(hay) + 1 } else { hay.matches(sub).count() }
}

pub fn starts_with(s: &str, prefix: &str, start: Option<i128>, stop: Option<i128>) -> bool {
    window(s, start, stop).is_some_and(|(from, to, _)| s[from..to].starts_with(prefix))
}

pub fn ends_with(s: &str, suffix: &str, start: Option<i128>, stop: Option<i128>) -> bool {
    window(s, start, stop).is_some_and(|(from, to, _)| s[from..to].ends_with(suffix))
}

/// `s.split(sep, limit)`; a negative limit is none.
pub fn split(s: &str, sep: Option<&str>, limit: i128) -> Result<Vec<String>, ConstantError> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    match sep {
        Some("") => Err(ConstantError::new("ValueError", "empty separator")),
        Some(sep) => Ok(s.splitn(limit.saturating_add(1), sep).map(str::to_owned).collect()),
        None => {
            let mut out = Vec::new();
            let mut rest = s.trim_start_matches(is_space);
            while !rest.is_empty() {
                if out.len() == limit {
                    // The last, unsplit piece keeps the white space that ends it.
                    out.push(rest.to_owned());
                    break;
                }
                let end = rest.find(is_space).unwrap_or(rest.len());
                out.push(rest[..end].to_owned());
                rest = rest[end..].trim_start_matches(is_space);
            }
            Ok(out)
        }
    }
}

pub fn rsplit(s: &str, sep: Option<&str>, limit: i128) -> Result<Vec<String>, ConstantError> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut out: Vec<String> = match sep {
        Some("") => return Err(ConstantError::new("ValueError", "empty separator")),
        Some(sep) => s.rsplitn(limit.saturating_add(1), sep).map(str::to_owned).collect(),
        None => {
            let mut out = Vec::new();
            let mut rest = s.trim_end_matches(is_space);
            while !rest.is_empty() {
                if out.len() == limit {
                    out.push(rest.to_owned());
                    break;
                }
                let start = rest.char_indices().rev().find(|&(_, c)| is_space(c));
                let start = start.map_or(0, |(i, c)| i + c.len_utf8());
                out.push(rest[start..].to_owned());
                rest = rest[..start].trim_end_matches(is_space);
            }
            out
        }
    };
    out.reverse();
    Ok(out)
}

pub fn split_lines(s: &str, keep_ends: bool) -> Vec<String> {
    let breaks = |c: char| {
        matches!(c, '\n' | '\r' | '\x0b' | '\x0c' | '\x1c' | '\x1d' | '\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
    };
    let mut out = Vec::new();
    let mut rest = s;
    while !rest.is_empty() {
        let Some(at) = rest.find(breaks) else {
            out.push(rest.to_owned());
            break;
        };
        let width =
            if rest[at..].starts_with("\r\n") { 2 } else { rest[at..].chars().next().map_or(1, char::len_utf8) };
        out.push(rest[..if keep_ends { at + width } else { at }].to_owned());
        rest = &rest[at + width..];
    }
    out
}

pub fn partition(s: &str, sep: &str) -> Result<[String; 3], ConstantError> {
    if sep.is_empty() {
        return Err(ConstantError::new("ValueError", "empty separator"));
    }
    Ok(match s.split_once(sep) {
        Some((head, tail)) => [head.into(), sep.into(), tail.into()],
        None => [s.into(), String::new(), String::new()],
    })
}

pub fn rpartition(s: &str, sep: &str) -> Result<[String; 3], ConstantError> {
    if sep.is_empty() {
        return Err(ConstantError::new("ValueError", "empty separator"));
    }
    Ok(match s.rsplit_once(sep) {
        Some((head, tail)) => [head.into(), sep.into(), tail.into()],
        None => [String::new(), String::new(), s.into()],
    })
}

/// Which end a method works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Left,
    Right,
    Both,
}

pub fn strip(s: &str, chars: Option<&str>, side: Side) -> String {
    let drop = |c: char| chars.map_or_else(|| is_space(c), |set| set.contains(c));
    let s = if side == Side::Right { s } else { s.trim_start_matches(drop) };
    let s = if side == Side::Left { s } else { s.trim_end_matches(drop) };
    s.to_owned()
}

/// `s.replace(old, new, limit)`; a negative limit is none.
pub fn replace(s: &str, old: &str, new: &str, limit: i128) -> Computed<String> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let hits = if old.is_empty() { len(s) + 1 } else { s.matches(old).count() }.min(limit);
    if s.len() + hits.saturating_mul(new.len()) > MAX_BYTES {
        return Computed::TooBig;
    }
    Computed::Value(s.replacen(old, new, limit))
}

pub fn join(sep: &str, parts: &[impl AsRef<str>]) -> Computed<String> {
    let size: usize = parts.iter().map(|part| part.as_ref().len() + sep.len()).sum();
    if size > MAX_BYTES {
        return Computed::TooBig;
    }
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    Computed::Value(parts.join(sep))
}

pub fn remove_prefix(s: &str, prefix: &str) -> String {
    s.strip_prefix(prefix).unwrap_or(s).to_owned()
}

pub fn remove_suffix(s: &str, suffix: &str) -> String {
    s.strip_suffix(suffix).unwrap_or(s).to_owned()
}

/// `ljust` (text on the left), `rjust`, and for both sides `center` with CPython's choice of the odd place.
pub fn justify(s: &str, width: i128, fill: char, text: Side) -> Computed<String> {
    let width = match usize::try_from(width.max(0)) {
        Ok(width) if width <= MAX_BYTES => width,
        _ => return Computed::TooBig,
    };
    let pad = width.saturating_sub(len(s));
    let left = match text {
        Side::Left => 0,
        Side::Right => pad,
        Side::Both => pad / 2 + (pad & width & 1),
    };
    let fill = |n: usize| fill.to_string().repeat(n);
    Computed::Value(format!("{}{s}{}", fill(left), fill(pad - left)))
}

pub fn zfill(s: &str, width: i128) -> Computed<String> {
    let (sign, digits) = match s.chars().next() {
        Some(c @ ('+' | '-')) => (c.to_string(), &s[1..]),
        _ => (String::new(), s),
    };
    justify(digits, width - sign.len() as i128, '0', Side::Right).map(|body| sign + &body)
}

pub fn expand_tabs(s: &str, size: i128) -> Computed<String> {
    let mut out = String::new();
    let mut column = 0;
    for c in s.chars() {
        if c == '\t' {
            let add = if size > 0 { size - column % size } else { 0 };
            if out.len() as i128 + add > MAX_BYTES as i128 {
                return Computed::TooBig;
            }
            out.extend(std::iter::repeat_n(' ', add as usize));
            column += add;
        } else {
            out.push(c);
            column = if matches!(c, '\n' | '\r') { 0 } else { column + 1 };
        }
    }
    Computed::Value(out)
}

/// A method that changes letters, by name; `None` for other names and for text whose mapping is not plain.
pub fn change_case(s: &str, method: &str) -> Option<String> {
    match method {
        "upper" => return Some(s.to_uppercase()),
        "lower" => return Some(s.to_lowercase()),
        _ if !s.is_ascii() => return None,
        _ => {}
    }
    match method {
        "casefold" => Some(s.to_ascii_lowercase()),
        "capitalize" => {
            let mut out = s.to_ascii_lowercase();
            if let Some(first) = out.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            Some(out)
        }
        "swapcase" => Some(
            s.chars()
                .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
                .collect(),
        ),
        "title" => {
            let mut cased = false;
            let mut out = String::with_capacity(s.len());
            for c in s.chars() {
                out.push(if cased { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() });
                cased = c.is_ascii_alphabetic();
            }
            Some(out)
        }
        _ => None,
    }
}

/// A question about all characters (`isdigit`, `isupper`, …), by name; `None` for other names and where tables would be needed.
pub fn is_of_kind(s: &str, method: &str) -> Option<bool> {
    if method == "isascii" {
        return Some(s.is_ascii());
    }
    if method == "isspace" {
        return Some(!s.is_empty() && s.chars().all(is_space));
    }
    if !s.is_ascii() {
        return None;
    }
    let all = |test: fn(&char) -> bool| !s.is_empty() && s.chars().all(|c| test(&c));
    Some(match method {
        "isdigit" | "isdecimal" | "isnumeric" => all(char::is_ascii_digit),
        "isalpha" => all(char::is_ascii_alphabetic),
        "isalnum" => all(char::is_ascii_alphanumeric),
        "islower" => s.contains(|c: char| c.is_ascii_lowercase()) && !s.contains(|c: char| c.is_ascii_uppercase()),
        "isupper" => s.contains(|c: char| c.is_ascii_uppercase()) && !s.contains(|c: char| c.is_ascii_lowercase()),
        "isprintable" => s.chars().all(|c| (' '..='~').contains(&c)),
        "isidentifier" => {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            s.chars().all(word) && !s.starts_with(|c: char| c.is_ascii_digit()) && !s.is_empty()
        }
        "istitle" => {
            let mut cased = false;
            let mut seen = false;
            for c in s.chars() {
                let fits = !(c.is_ascii_uppercase() && cased || c.is_ascii_lowercase() && !cased);
                if !fits {
                    return Some(false);
                }
                cased = c.is_ascii_alphabetic();
                seen |= cased;
            }
            seen
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting() {
        assert_eq!(split(" a  b c ", None, -1).unwrap(), ["a", "b", "c"]);
        assert_eq!(split(" a  b c ", None, 1).unwrap(), ["a", "b c "]);
        assert_eq!(rsplit(" a  b c ", None, 1).unwrap(), [" a  b", "c"]);
        assert_eq!(split("a,b,,c", Some(","), 2).unwrap(), ["a", "b", ",c"]);
        assert_eq!(rsplit("a,b,,c", Some(","), 2).unwrap(), ["a,b", "", "c"]);
        assert_eq!(split("", None, -1).unwrap(), Vec::<String>::new());
        assert_eq!(split("", Some(","), -1).unwrap(), [""]);
        assert!(split("a", Some(""), -1).is_err());
        assert_eq!(split_lines("a\r\nb\n\nc", false), ["a", "b", "", "c"]);
        assert_eq!(split_lines("a\n", true), ["a\n"]);
    }

    #[test]
    fn positions_are_code_points() {
        assert_eq!(find("é😀x", "x", None, None), 2);
        assert_eq!(find("abc", "", Some(3), None), 3);
        assert_eq!(find("abc", "", Some(4), None), -1);
        assert_eq!(rfind("abcabc", "abc", None, Some(-1)), 0);
        assert_eq!(count("aaa", "", None, None), 4);
        assert_eq!(slice("héllo", Some(-1), None, -2), "olh");
        assert_eq!(at("abc", -1), Ok('c'));
        assert!(at("abc", 3).is_err());
    }

    #[test]
    fn padding() {
        assert_eq!(justify("ab", 5, '*', Side::Both), Computed::Value("**ab*".into()));
        assert_eq!(justify("abc", 6, '*', Side::Both), Computed::Value("*abc**".into()));
        assert_eq!(zfill("-42", 6), Computed::Value("-00042".into()));
        assert_eq!(expand_tabs("a\tb", 4), Computed::Value("a   b".into()));
        assert_eq!(repeat("a", 1_000_000_000_000), Computed::TooBig);
        assert_eq!(replace("aaa", "", "-", 2), Computed::Value("-a-aa".into()));
    }

    #[test]
    fn letters() {
        assert_eq!(change_case("they're bill's", "title").unwrap(), "They'Re Bill'S");
        assert_eq!(change_case("hELLO", "capitalize").unwrap(), "Hello");
        assert_eq!(is_of_kind("A1", "isupper"), Some(true));
        assert_eq!(is_of_kind("Ab Cd", "istitle"), Some(true));
        assert_eq!(is_of_kind("", "isdigit"), Some(false));
    }
}
