//! A file as read: its path, its decoded text, its lines, and the cells of a notebook.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::encoding::{Decoded, Encoding, decode_source};
use crate::notebook::{Notebook, NotebookError};
use crate::text::{LineColumn, LineIndex, TextRange};

/// What kind of Python a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceKind {
    Module,
    Stub,
    Notebook,
}

impl SourceKind {
    /// By the file's name; everything that is not a stub or a notebook is a module.
    pub fn of_path(path: &str) -> Self {
        let extension = path.rsplit('.').next().unwrap_or("");
        match extension {
            "pyi" => Self::Stub,
            "ipynb" => Self::Notebook,
            _ => Self::Module,
        }
    }
}

/// A defect of a file that is known before parsing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    pub range: TextRange,
    pub message: String,
    /// Python may well read the file; it is this program that does not.
    pub is_limit: bool,
}

impl ReadError {
    pub(crate) fn new(range: TextRange, message: String) -> Self {
        Self { range, message, is_limit: false }
    }

    pub(crate) fn limit(range: TextRange, message: String) -> Self {
        Self { range, message, is_limit: true }
    }
}

/// One file. It is immutable and shared (`Arc<SourceFile>`), so that spans can point into it.
#[derive(Debug)]
pub struct SourceFile {
    path: String,
    kind: SourceKind,
    text: Cow<'static, str>,
    encoding: Encoding,
    /// Found when first asked for: most files have nothing to report.
    lines: OnceLock<LineIndex>,
    notebook: Option<Notebook>,
}

impl SourceFile {
    /// A module from text, as tests and standard input give it.
    pub fn from_text(path: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Self::of_text(path.into(), Cow::Owned(text.into()))
    }

    /// A module whose text is part of the binary.
    pub fn from_static(path: impl Into<String>, text: &'static str) -> Arc<Self> {
        Self::of_text(path.into(), Cow::Borrowed(text))
    }

    fn of_text(path: String, text: Cow<'static, str>) -> Arc<Self> {
        let kind = match SourceKind::of_path(&path) {
            SourceKind::Notebook => SourceKind::Module,
            other => other,
        };
        Arc::new(Self { kind, path, text, encoding: Encoding::default(), lines: OnceLock::new(), notebook: None })
    }

    /// A file from its bytes. Bytes that do not decode, and notebooks that are not JSON, give errors beside a file whose text is what could be read.
    pub fn from_bytes(path: impl Into<String>, bytes: &[u8]) -> (Arc<Self>, Vec<ReadError>) {
        let path = path.into();
        let kind = SourceKind::of_path(&path);
        let Decoded { text, encoding, mut errors } = decode_source(bytes, kind);
        let (text, notebook) = if kind == SourceKind::Notebook && errors.is_empty() {
            match Notebook::read(text) {
                Ok(read) => (read.text, Some(read.notebook)),
                Err(NotebookError { offset, message, text }) => {
                    errors.push(ReadError::new(TextRange::at(offset), message));
                    (text, None)
                }
            }
        } else {
            (text, None)
        };
        let file = Self { path, kind, text: text.into(), encoding, lines: OnceLock::new(), notebook };
        (Arc::new(file), errors)
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn kind(&self) -> SourceKind {
        self.kind
    }

    /// The decoded text without a byte order mark; for a notebook, its Python cells one after another.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    pub fn notebook(&self) -> Option<&Notebook> {
        self.notebook.as_ref()
    }

    pub fn slice(&self, range: TextRange) -> &str {
        range.of(&self.text)
    }

    /// Line and column in the whole text, cells not considered.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        self.lines().line_column(offset, &self.text)
    }

    /// Where an offset is for people: the 1-based cell (of all cells) in a notebook, and line and column within it.
    pub fn location(&self, offset: u32) -> Location {
        let position = self.line_column(offset);
        let Some((cell, start, indent)) = self.notebook.as_ref().and_then(|n| n.cell_at(offset)) else {
            return Location { cell: None, position };
        };
        let first = self.lines().line_of(start);
        let position = LineColumn { line: position.line - first, column: position.column + indent };
        Location { cell: Some(cell), position }
    }

    /// The bytes to write when the text has become `text`: the notebook's JSON around it, the old encoding and byte order mark.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, String> {
        match &self.notebook {
            Some(notebook) => self.encoding.encode_text(&notebook.write_back(&self.text, text)?),
            None => self.encoding.encode_text(text),
        }
    }
}

/// A position for people, in a notebook relative to its cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Location {
    pub cell: Option<u32>,
    pub position: LineColumn,
}

/// A range in a file.
#[derive(Clone)]
pub struct Span {
    pub file: Arc<SourceFile>,
    pub range: TextRange,
}

impl Span {
    pub fn new(file: &Arc<SourceFile>, range: TextRange) -> Self {
        Self { file: Arc::clone(file), range }
    }

    pub fn text(&self) -> &str {
        self.file.slice(self.range)
    }

    pub fn start(&self) -> Location {
        self.file.location(self.range.start)
    }

    pub fn end(&self) -> Location {
        self.file.location(self.range.end)
    }
}

impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        self.range == other.range && self.file.path == other.file.path
    }
}

impl Eq for Span {}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}@{:?}", self.file.path, self.range)
    }
}
