//! A line of source as a terminal can show it: tabs expanded, control characters pictured, long lines cut around the span.

use std::borrow::Cow;

/// The widest piece of a line that is shown.
const WIDEST: usize = 140;
/// How much of a cut line is kept before the span.
const BEFORE: usize = 40;

/// A line with a marked part, in columns of a terminal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub text: String,
    /// Columns before the mark.
    pub indent: usize,
    /// Width of the mark, at least 1.
    pub width: usize,
}

impl Excerpt {
    /// Shows `line` with the bytes `start..end` marked.
    pub fn new(line: &str, start: usize, end: usize) -> Self {
        let (mut text, mut column) = (String::new(), 0);
        let (mut indent, mut stop) = (None, None);
        // A line of megabytes is walked only as far as it is shown.
        let from = window_start(line, start);
        if from > 0 {
            text.push('…');
            column = 1;
        }
        for (offset, character) in line[from..].char_indices().map(|(offset, c)| (offset + from, c)) {
            if offset >= start && indent.is_none() {
                indent = Some(column);
            }
            if offset >= end && stop.is_none() {
                stop = Some(column);
            }
            if column >= WIDEST {
                text.push('…');
                column += 1;
                break;
            }
            column += push_character(&mut text, character, column);
        }
        let indent = indent.unwrap_or(column);
        let stop = stop.unwrap_or(column);
        Self { text: text.trim_end().to_owned(), indent, width: stop.saturating_sub(indent).max(1) }
    }
}

/// Where the shown piece of a line starts, so that the span is within it.
fn window_start(line: &str, start: usize) -> usize {
    if start <= WIDEST - BEFORE {
        return 0;
    }
    let mut from = start - BEFORE;
    while !line.is_char_boundary(from) {
        from -= 1;
    }
    from
}

/// Adds a character as a terminal shows it and returns its width.
fn push_character(text: &mut String, character: char, column: usize) -> usize {
    if character == '\t' {
        let width = 4 - column % 4;
        text.extend(std::iter::repeat_n(' ', width));
        return width;
    }
    let shown = visible_character(character);
    text.push(shown);
    width_of(shown)
}

/// Control characters as their pictures, so that source text cannot steer the terminal.
fn visible_character(character: char) -> char {
    match character {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + character as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    }
}

/// Text of one line without control characters.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| visible_character(character) == character) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(visible_character).collect())
    }
}

/// The columns a character takes: none for combining marks, two for East Asian wide characters and emoji.
fn width_of(character: char) -> usize {
    match character as u32 {
        0x0300..=0x036f | 0x200b..=0x200d | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f => 0,
        0x1100..=0x115f
        | 0x2e80..=0x303e
        | 0x3041..=0x33ff
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xa000..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1f64f
        | 0x1f680..=0x1f6ff
        | 0x1f900..=0x1f9ff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_follow_tabs_and_wide_characters() {
        let line = "\tx = '数' + y";
        let at = line.find('y').expect("y is there");
        let excerpt = Excerpt::new(line, at, at + 1);
        assert_eq!(excerpt, Excerpt { text: "    x = '数' + y".into(), indent: 15, width: 1 });
    }

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let line = format!("{}WRONG{}", "a".repeat(1000), "b".repeat(1000));
        let excerpt = Excerpt::new(&line, 1000, 1005);
        assert!(excerpt.text.starts_with("…a") && excerpt.text.ends_with("b…"), "{}", excerpt.text);
        let marked: String = excerpt.text.chars().skip(excerpt.indent).take(excerpt.width).collect();
        assert_eq!(marked, "WRONG");
    }

    #[test]
    fn control_characters_are_pictured() {
        assert_eq!(Excerpt::new("a\u{1b}[31m", 0, 1).text, "a␛[31m");
        assert_eq!(printable("a\nb"), "a␊b");
    }

    #[test]
    fn an_empty_span_at_the_end_has_a_mark() {
        assert_eq!(Excerpt::new("x =", 3, 3), Excerpt { text: "x =".into(), indent: 3, width: 1 });
    }
}
