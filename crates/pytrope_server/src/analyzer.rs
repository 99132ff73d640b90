//! What the server needs from the command line: an analysis of projects, of which some documents are open.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_shapes::ShownBinding;
use pytrope_source::{SourceFile, TextRange};

/// The text of a document as the editor has it, saved or not; of a notebook its JSON.
#[derive(Debug, Clone)]
pub struct DocumentText {
    pub path: PathBuf,
    pub text: Arc<str>,
}

/// What an analysis says of one document.
pub struct DocumentReport {
    /// The file whose offsets the findings are in.
    pub file: Arc<SourceFile>,
    /// After suppression comments and levels, in the order of the text.
    pub findings: Vec<Finding>,
}

/// Whether a branch goes away for some inputs of a function or model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchQuestion {
    /// The function's name, or `Net()` for a class.
    pub entry: String,
    /// A condition over the parameters of the entry; none for all inputs.
    pub assume: Option<String>,
    /// Where the test of the branch is, in the text that is analysed.
    pub test: TextRange,
}

/// Told of each analysed file: how many are done, and of how many.
pub type ProgressStep = Arc<dyn Fn(usize, usize) + Send + Sync>;

/// Analyses documents as parts of the project that they are in. Results are kept between calls; `open` are the texts of all open
/// documents, which count instead of the files.
pub trait DocumentAnalyzer {
    /// The folders that the editor has open. A document below none of them is a project of its own.
    fn set_roots(&mut self, roots: Vec<PathBuf>);

    /// Files were written, made or removed, or a configuration was; nothing is said of which if the list is empty.
    fn rescan_files(&mut self, changed: &[PathBuf]);

    /// The report of one document.
    fn analyse_document(
        &mut self,
        path: &Path,
        open: &[DocumentText],
        progress: Option<ProgressStep>,
    ) -> anyhow::Result<DocumentReport>;

    /// What the names of a document are bound to.
    fn shapes_of_document(&mut self, path: &Path, open: &[DocumentText]) -> anyhow::Result<Vec<ShownBinding>>;

    /// The reports of all files below the roots, in the order of their paths.
    fn analyse_workspace(
        &mut self,
        open: &[DocumentText],
        progress: Option<ProgressStep>,
    ) -> anyhow::Result<Vec<DocumentReport>>;

    /// The text of a document without the branches that a question decides; none if it does not decide the branch that it is about,
    /// or if another file would change with it.
    fn prune_document(
        &mut self,
        path: &Path,
        open: &[DocumentText],
        question: &BranchQuestion,
    ) -> anyhow::Result<Option<String>>;

    /// The page of a rule on the web, or in the binary.
    fn rule_page(&self, code: &str) -> Option<String>;
}
