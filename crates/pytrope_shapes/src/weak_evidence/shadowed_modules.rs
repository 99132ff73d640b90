//! Names that a module lacks where it is open which module is meant.
//!
//! ```text
//! tests/django/tests.py        from django.urls import resolve      the library, though the file stands in a folder `django`
//! clusters/objects.py          from enum import IntFlag             beside `clusters/enum.py`, in a folder without `__init__.py`
//! ```
//!
//! Which of two modules of one name an import finds is decided by how the program is started. A folder or a file of the name of
//! a library, beside the importer or beside a folder above it, makes it doubtful which one lacks the name.

use std::path::Path;

use pytrope_diagnostics::Finding;
use pytrope_source::probes;

use crate::roots::{place_on_disk, top_package};

/// Whether a finding is about a module or a name of a library that a file near the importer may be or stand for.
pub(super) fn is_of_shadowed_module(finding: &Finding, is_library: impl Fn(&str) -> bool) -> bool {
    let mut quoted = finding.message.split('\'').skip(1).step_by(2);
    let module = match finding.rule.id {
        "missing-attribute" if finding.message.starts_with("cannot import name") => quoted.nth(1),
        "missing-attribute" if finding.message.starts_with("module ") => quoted.next(),
        _ => None,
    };
    let Some(top) = module.and_then(|module| module.split('.').next()) else { return false };
    is_library(top) && is_found_near(Path::new(finding.primary.file.path()), top)
}

/// Whether a folder holds tests or examples: a package in it that has the name of a library is not the library.
fn holds_tests(folder: &Path) -> bool {
    let name = folder.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    name.starts_with("test") || name.starts_with("example")
}

/// Whether a module of a name stands beside a file or beside one of the folders above it, within its project.
fn is_found_near(importer: &Path, top: &str) -> bool {
    const MARKS: [&str; 3] = ["pyproject.toml", "setup.py", "setup.cfg"];
    let (root, dotted) = place_on_disk(importer);
    // The sources of the library itself.
    if top_package(&dotted) == top && dotted != top && !holds_tests(&root) {
        return false;
    }
    for folder in importer.ancestors().skip(1) {
        if probes::is_dir(&folder.join(top)) || probes::is_file(&folder.join(format!("{top}.py"))) {
            return true;
        }
        if MARKS.iter().any(|mark| probes::is_file(&folder.join(mark))) {
            return false;
        }
    }
    false
}
