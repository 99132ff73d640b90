//! What the server needs from the command line: an analysis of open documents.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_shapes::ShownBinding;
use pytrope_source::SourceFile;

/// The text of a document as the editor has it, saved or not.
#[derive(Debug, Clone)]
pub struct DocumentText {
    pub path: PathBuf,
    pub text: Arc<str>,
}

/// What an analysis says of one document.
pub struct DocumentReport {
    /// The file whose offsets the findings and bindings are in.
    pub file: Arc<SourceFile>,
    /// After suppression comments and levels, in the order of the text.
    pub findings: Vec<Finding>,
    pub bindings: Vec<ShownBinding>,
}

/// Analyses documents by the rules of the project that they are in.
pub trait DocumentAnalyzer {
    /// The report of one document; `open` are the texts of all open documents, which imports see instead of the files.
    fn analyse_document(&self, path: &Path, open: &[DocumentText]) -> anyhow::Result<DocumentReport>;

    /// The page of a rule on the web, or in the binary.
    fn rule_page(&self, code: &str) -> Option<String>;
}
