//! Files, parsing, positions, comments, notebooks, module lookup and text edits.
//!
//! The only crate that sees the parser (`ruff_python_parser`): its tree is lowered once into the
//! arena tree of [`tree`], and every other crate works on that. Start reading at [`parse()`].

mod depth;
mod encoding;
mod json_spans;
mod lower;
mod notebook;
mod parse;
mod source_file;
mod text;
pub mod tree;

pub use encoding::Encoding;
pub use notebook::Notebook;
pub use parse::{Parsed, SyntaxError, parse};
pub use source_file::{Location, ReadError, SourceFile, SourceKind, Span};
pub use text::{LineColumn, LineIndex, TextRange};
pub use tree::Tree;
