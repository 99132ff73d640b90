//! Files, parsing, positions, comments, notebooks, module lookup and text edits.
//!
//! The only crate that sees the parser (`ruff_python_parser`): its tree is lowered once into the
//! arena tree of [`tree`], and every other crate works on that. Start reading at [`parse()`].

mod depth;
mod diff;
pub mod edits;
mod encoding;
mod ipython;
mod json_spans;
mod lower;
mod misplaced;
pub mod modules;
mod notebook;
mod parse;
pub mod probes;
pub mod reading;
pub mod scopes;
mod source_file;
mod stored;
mod suppressions;
mod text;
pub mod tree;
mod walk;
mod write;

pub use diff::unified_diff;
pub use edits::{Edit, Edits, Overlap, original_offset};
pub use encoding::Encoding;
pub use modules::{ModuleFile, ModuleKind, ModuleResolver};
pub use notebook::Notebook;
pub use parse::{Parsed, SyntaxError, parse, parse_to_store};
pub use scopes::ScopedTree;
pub use source_file::{Location, ReadError, SourceFile, SourceKind, Span};
pub use suppressions::{Suppression, SuppressionScope, suppressions};
pub use text::{LineColumn, LineIndex, TextRange};
pub use tree::Tree;
pub use walk::Node;
pub use write::write_atomic;
