//! Byte ranges in a text, and the lines and columns people read.

/// A half-open range of byte offsets in a file's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TextRange {
    pub start: u32,
    pub end: u32,
}

impl TextRange {
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty range at an offset.
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest range that holds both.
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub const fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    pub const fn contains_range(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The text at this range; empty if the range does not fit the text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

impl std::fmt::Debug for TextRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A position as people read it: both 1-based, the column in code points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineColumn {
    pub line: u32,
    pub column: u32,
}

/// Where each line of a text starts. Lines end at `\n`, `\r\n` or a lone `\r`, as in Python.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    ascii: bool,
}

impl LineIndex {
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (i, &b) in bytes.iter().enumerate() {
            let ends_line = b == b'\n' || (b == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
            if ends_line {
                starts.push(i as u32 + 1);
            }
        }
        Self { starts, ascii: text.is_ascii() }
    }

    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The 0-based line that holds an offset.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32 - 1
    }

    /// The offset at which a 0-based line starts; the text's length past the last line.
    pub fn line_start(&self, line: u32, text: &str) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(text.len() as u32)
    }

    /// The range of a 0-based line, its line ending included.
    pub fn line_range(&self, line: u32, text: &str) -> TextRange {
        TextRange::new(self.line_start(line, text), self.line_start(line + 1, text))
    }

    pub fn line_column(&self, offset: u32, text: &str) -> LineColumn {
        let offset = offset.min(text.len() as u32);
        let line = self.line_of(offset);
        let start = self.starts[line as usize];
        let column = if self.ascii { offset - start } else { count_chars(text, start, offset) };
        LineColumn { line: line + 1, column: column + 1 }
    }

    /// The byte offset of a 1-based line and column, clamped to the text.
    pub fn offset(&self, position: LineColumn, text: &str) -> u32 {
        let range = self.line_range(position.line.saturating_sub(1), text);
        let line = range.of(text);
        let skip = position.column.saturating_sub(1) as usize;
        let within = line.char_indices().nth(skip).map_or(line.len(), |(i, _)| i);
        range.start + within as u32
    }

    /// The 0-based UTF-16 column that editors speak of.
    pub fn utf16_column(&self, offset: u32, text: &str) -> u32 {
        let start = self.starts[self.line_of(offset) as usize];
        let upto = TextRange::new(start, floor_char(text, offset)).of(text);
        upto.chars().map(|c| c.len_utf16() as u32).sum()
    }

    /// The byte offset of a 0-based line and 0-based UTF-16 column, clamped to the line.
    pub fn offset_of_utf16(&self, line: u32, column: u32, text: &str) -> u32 {
        let range = self.line_range(line, text);
        let mut left = column;
        for (i, c) in range.of(text).char_indices() {
            if left == 0 || c == '\n' || c == '\r' {
                return range.start + i as u32;
            }
            left = left.saturating_sub(c.len_utf16() as u32);
        }
        range.end
    }
}

fn floor_char(text: &str, offset: u32) -> u32 {
    let mut at = (offset as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}

fn count_chars(text: &str, start: u32, end: u32) -> u32 {
    TextRange::new(start, floor_char(text, end)).of(text).chars().count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_python() {
        let text = "a\r\nb\rc\n";
        let index = LineIndex::new(text);
        assert_eq!(index.line_count(), 4);
        assert_eq!(index.line_column(3, text), LineColumn { line: 2, column: 1 });
        assert_eq!(index.line_column(5, text), LineColumn { line: 3, column: 1 });
    }

    #[test]
    fn columns_count_code_points_and_utf16_units() {
        let text = "x = '😀é' + y";
        let index = LineIndex::new(text);
        let at = text.find('y').expect("y is there") as u32;
        assert_eq!(index.line_column(at, text).column, 12);
        assert_eq!(index.utf16_column(at, text), 12);
        assert_eq!(index.offset(LineColumn { line: 1, column: 12 }, text), at);
        assert_eq!(index.offset_of_utf16(0, 12, text), at);
    }
}
