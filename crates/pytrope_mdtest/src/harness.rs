//! The tests of a crate as a test program of its own: one test for each Markdown file, named by its path.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::runner::{markdown_files, run_document};
use crate::{TestCase, TestOutcome};

/// What turns a section into its outcome.
type SectionCheck = Arc<dyn Fn(&TestCase) -> TestOutcome + Send + Sync>;

/// The Markdown files of a crate, and the analysis that each folder is for.
pub struct Suites {
    root: &'static str,
    suites: Vec<(&'static str, SectionCheck)>,
}

impl Suites {
    /// Suites below a folder, which tests are named from.
    pub fn below(root: &'static str) -> Self {
        Self { root, suites: Vec::new() }
    }

    /// Runs the files of a folder by an analysis.
    #[must_use]
    pub fn add(
        mut self,
        folder: &'static str,
        check: impl Fn(&TestCase) -> TestOutcome + Send + Sync + 'static,
    ) -> Self {
        self.suites.push((folder, Arc::new(check)));
        self
    }

    /// Runs the tests that the arguments choose, as Rust's own test programs do: `-- loops/` runs those whose path holds
    /// the word, `--list` lists them.
    ///
    /// # Panics
    /// If a folder holds no Markdown file, or if a file below the root is in no suite.
    pub fn run(self) -> ExitCode {
        let arguments = Arguments::from_args();
        let mut trials = Vec::new();
        let mut unclaimed = markdown_files(Path::new(self.root));
        for (folder, check) in self.suites {
            let files = markdown_files(&Path::new(self.root).join(folder));
            assert!(!files.is_empty(), "{}/{folder} has no Markdown file", self.root);
            unclaimed.retain(|path| !files.contains(path));
            for path in files {
                let name = path.strip_prefix(self.root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                let check = Arc::clone(&check);
                trials.push(Trial::test(name, move || run_document(&path, &*check).map_err(Failed::from)));
            }
        }
        assert!(unclaimed.is_empty(), "no suite runs these pages: {unclaimed:?}");
        libtest_mimic::run(&arguments, trials).exit_code()
    }
}
