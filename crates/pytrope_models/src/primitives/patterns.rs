//! Patterns of einops: their words with positions, and the places of those in the program's text.

use pytrope_eval::{CallArgs, Flow, Interp, Value};
use pytrope_source::{Span, TextRange};

/// `pattern_tokens(text)`: `(word, start, end)` for each word, bracket, comma and arrow; an ellipsis is one word.
pub(super) fn pattern_tokens(_: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(text) = args.first().and_then(Value::as_str) else { return Ok(super::unknown_because("a pattern")) };
    let found = words(text).map(|(start, end)| {
        Value::tuple(vec![Value::str(&text[start..end]), Value::Int(start as i64), Value::Int(end as i64)])
    });
    Ok(Value::tuple(found.collect()))
}

fn words(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let start = at + rest.find(|c: char| !c.is_whitespace())?;
        let rest = &text[start..];
        let length = match rest.chars().next()? {
            '(' | ')' | ',' | '*' | '\u{2026}' => rest.chars().next()?.len_utf8(),
            _ if rest.starts_with("->") => 2,
            _ if rest.starts_with("...") => 3,
            _ => {
                let stop = |(at, c): (usize, char)| {
                    let ends = c.is_whitespace()
                        || matches!(c, '(' | ')' | ',' | '*' | '\u{2026}')
                        || rest[at..].starts_with("->")
                        || rest[at..].starts_with("...");
                    (ends && at > 0).then_some(at)
                };
                rest.char_indices().find_map(stop).unwrap_or(rest.len())
            }
        };
        at = start + length;
        Some((start, at))
    })
}

/// Where a part of a text stands in the call that is evaluated, if the text is written there once as a plain string.
pub(super) fn place_in_call(interp: &Interp<'_>, text: &str, start: usize, end: usize) -> Option<Span> {
    let call = interp.user_span();
    let source = call.text();
    let mut places = source.match_indices(text).filter(|(at, _)| {
        let before = source[..*at].chars().next_back();
        let after = source[at + text.len()..].chars().next();
        matches!(before, Some('"' | '\'')) && before == after
    });
    let (at, _) = places.next()?;
    if places.next().is_some() || text.contains('\\') {
        return None;
    }
    let first = call.range.start + u32::try_from(at + start).ok()?;
    let last = call.range.start + u32::try_from(at + end).ok()?;
    Some(Span::new(&call.file, TextRange { start: first, end: last }))
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_have_positions() {
        let text = "b (h w)c -> ... 1";
        let found: Vec<&str> = words(text).map(|(start, end)| &text[start..end]).collect();
        assert_eq!(found, ["b", "(", "h", "w", ")", "c", "->", "...", "1"]);
    }
}
