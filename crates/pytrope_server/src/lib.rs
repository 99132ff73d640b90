//! The language server: what editors ask over standard input and output, answered from analyses of open documents.
//!
//! One thread owns everything. It applies all messages that have arrived, then has the projects analysed whose documents changed,
//! and answers: a request is answered from the text that the editor sees, and an analysis that a later edit has
//! overtaken is never begun. Invariant: every request gets exactly one response, a cancelled one included.
//!
//! ```text
//! didChange ─→ documents ─→ DocumentAnalyzer ─→ DocumentReport ─┬→ diagnostics
//!                                                               ├→ inlay hints, hover, code lenses, type definition
//!                                                               └→ code actions
//! ```
//!
//! [`mcp`] serves coding assistants, over a protocol of their own.
//!
//! What an analysis is (configuration, roots, rules) is the command line's matter, given as a [`DocumentAnalyzer`]. Start
//! reading at [`serve`].

#![forbid(unsafe_code)]

mod analyzer;
mod branches;
mod capabilities;
mod code_actions;
mod code_lenses;
mod diagnostics;
mod documents;
mod main_loop;
mod mcp;
mod notebooks;
mod places;
mod positions;
mod progress;
mod requests;
mod shape_hints;

pub use analyzer::{BranchQuestion, DocumentAnalyzer, DocumentReport, DocumentText, ProgressStep};
pub use main_loop::{serve, serve_stdio};
pub use mcp::{ToolRunner, serve_tools};
