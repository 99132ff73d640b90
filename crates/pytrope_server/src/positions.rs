//! Positions of the protocol, which count UTF-8 bytes or UTF-16 units, and byte offsets of a text.

use lsp_types::{Position, PositionEncodingKind, Range};
use pytrope_source::{LineIndex, TextRange};

/// What a column of the protocol counts; agreed on when the server starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PositionEncoding {
    Utf8,
    Utf16,
}

impl PositionEncoding {
    /// UTF-8 where the editor offers it: columns are then offsets. UTF-16 is what every editor understands.
    pub fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Self {
        match offered {
            Some(offered) if offered.contains(&PositionEncodingKind::UTF8) => Self::Utf8,
            _ => Self::Utf16,
        }
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The position of an offset.
    pub fn position_of(self, offset: u32, lines: &LineIndex, text: &str) -> Position {
        let line = lines.line_of(offset);
        let column = match self {
            Self::Utf8 => offset - lines.line_start(line, text),
            Self::Utf16 => lines.utf16_column(offset, text),
        };
        Position::new(line, column)
    }

    pub fn range_of(self, range: TextRange, lines: &LineIndex, text: &str) -> Range {
        Range::new(self.position_of(range.start, lines, text), self.position_of(range.end, lines, text))
    }

    /// The offset of a position; one past the end of a line is the end of the line, as the protocol asks.
    pub fn offset_of(self, position: Position, lines: &LineIndex, text: &str) -> u32 {
        if position.line >= lines.line_count() {
            return u32::try_from(text.len()).unwrap_or(u32::MAX);
        }
        let range = lines.line_range(position.line, text);
        let line = range.of(text);
        let content = u32::try_from(line.trim_end_matches(['\r', '\n']).len()).unwrap_or(u32::MAX);
        match self {
            Self::Utf8 => {
                let mut column = position.character.min(content);
                while !line.is_char_boundary(column as usize) {
                    column -= 1;
                }
                range.start + column
            }
            Self::Utf16 => lines.offset_of_utf16(position.line, position.character, text).min(range.start + content),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_was_agreed_on() {
        let text = "a = 'é😀'\nb\r\n";
        let lines = LineIndex::new(text);
        let end = u32::try_from(text.find('\n').unwrap()).unwrap();
        for (encoding, column) in [(PositionEncoding::Utf8, 12), (PositionEncoding::Utf16, 9)] {
            let position = encoding.position_of(end, &lines, text);
            assert_eq!(position, Position::new(0, column));
            assert_eq!(encoding.offset_of(position, &lines, text), end);
            assert_eq!(encoding.offset_of(Position::new(0, 99), &lines, text), end, "past the end of a line");
            assert_eq!(encoding.offset_of(Position::new(1, 9), &lines, text), end + 2, "before a line ending");
            assert_eq!(
                encoding.offset_of(Position::new(9, 0), &lines, text) as usize,
                text.len(),
                "past the last line"
            );
        }
        assert_eq!(PositionEncoding::Utf8.offset_of(Position::new(0, 6), &lines, text), 5, "inside a character");
    }
}
