//! Tests written as Markdown prose with Python blocks.
//!
//! `README.md` of this crate shows how tests are written, run and filtered.
//!
//! Each section of a Markdown file with a code block is one test. Its blocks become files, an analysis
//! turns them into a [`TestOutcome`], and the comments and blocks of the section say what that must be:
//!
//! ````markdown
//! ## A product of matrices that do not fit
//!
//! `lib.py`:
//!
//! ```python
//! import numpy as np
//! x = np.ones((2, 3))
//! ```
//!
//! ```python
//! from lib import x
//! reveal_type(x)  # revealed: ndarray[2, 3]
//! x @ x  # error: [matmul-mismatch] "3 ≠ 2"
//! ```
//! ````
//!
//! - A line `` `path`: `` before a block, or `title="path"` after its language, names the file; unnamed
//!   Python blocks of a section together are `main.py`. An unnamed `toml` block is the case's configuration.
//! - `# error: [rule] "text"` (also `warning`, `note`) expects a finding of that severity on its line, or,
//!   alone on a line, on the next line of code. The text is a part of `Class: message`; rule and text may be
//!   left out, and a column may stand before the rule. `# revealed: …` expects exactly that abstract value.
//! - A `snapshot` block holds the rendered findings (`snapshot concise` for another format), and a block with
//!   `output="path"` holds a file that the analysis writes. With `PYTROPE_UPDATE=1` both are rewritten.
//! - Every finding that nothing expects fails the test, unless the section has a snapshot.
//! - `ignore` after a block's language leaves it out. `PYTROPE_MDTEST=words` runs the sections whose name holds the words.

#![forbid(unsafe_code)]

mod assertion;
mod compare;
mod document;
mod harness;
mod runner;

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_source::SourceFile;

pub use harness::Suites;
pub use runner::run;

/// The input of one test: a section's files.
#[derive(Debug)]
pub struct TestCase {
    /// The headings that lead to the section, joined by ` › `.
    pub name: String,
    /// The Python files in the order of the section.
    pub files: Vec<Arc<SourceFile>>,
    /// Named files that are not Python, as path and text.
    pub others: Vec<(String, String)>,
    /// The text of the section's unnamed `toml` block.
    pub config: Option<String>,
}

/// What an analysis made of a case.
#[derive(Debug, Default)]
pub struct TestOutcome {
    pub findings: Vec<Finding>,
    /// Files the analysis writes, as path and text.
    pub outputs: Vec<(String, String)>,
}

impl From<Vec<Finding>> for TestOutcome {
    fn from(findings: Vec<Finding>) -> Self {
        Self { findings, outputs: Vec::new() }
    }
}
