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

/// What stands in the folder of a project.
const MARKS: [&str; 3] = ["pyproject.toml", "setup.py", "setup.cfg"];

/// Whether a finding is about a module or a name of a library that a file near the importer may be or stand for.
pub(super) fn is_of_shadowed_module(finding: &Finding, is_library: impl Fn(&str) -> bool) -> bool {
    let mut quoted = finding.message.split('\'').skip(1).step_by(2);
    let module = match finding.rule.id {
        "missing-attribute" if finding.message.starts_with("cannot import name") => quoted.nth(1),
        "missing-attribute" if finding.message.starts_with("module ") => quoted.next(),
        _ => None,
    };
    let Some(top) = module.and_then(|module| module.split('.').next()) else { return false };
    let importer = Path::new(finding.primary.file.path());
    let (root, dotted) = place_on_disk(importer);
    if top_package(&dotted) == top && dotted != top {
        // The sources of the library itself, unless they are tests under its name, or a part of a package that was unpacked into a
        // folder with another name: `service-2.1/__init__.py` above `service-2.1/mcp/types.py`.
        return holds_tests(&root) || lies_in_package(&root);
    }
    is_library(top) && is_found_near(importer, top)
}

/// Whether a folder, or one above it within its project, is a package: what lies in it is a part of that package, though a folder between
/// them has no `__init__.py`.
fn lies_in_package(folder: &Path) -> bool {
    for folder in folder.ancestors() {
        if probes::is_file(&folder.join("__init__.py")) {
            return true;
        }
        if MARKS.iter().any(|mark| probes::is_file(&folder.join(mark))) {
            return false;
        }
    }
    false
}

/// Whether a folder holds tests or examples: a package in it that has the name of a library is not the library.
fn holds_tests(folder: &Path) -> bool {
    let name = folder.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    name.starts_with("test") || name.starts_with("example")
}

/// Whether a module of a name stands beside a file or beside one of the folders above it, within its project.
fn is_found_near(importer: &Path, top: &str) -> bool {
    for folder in importer.ancestors().skip(1) {
        let is_there = probes::is_dir(&folder.join(top)) || probes::is_file(&folder.join(format!("{top}.py")));
        if is_there && !holds_metadata(folder, top) {
            return true;
        }
        if MARKS.iter().any(|mark| probes::is_file(&folder.join(mark))) {
            return false;
        }
    }
    false
}

/// Whether a library was installed into a folder: `numpy-2.4.6.dist-info` beside `numpy`. Then the folder of its name is the library.
fn holds_metadata(folder: &Path, library: &str) -> bool {
    let is_metadata = |name: &String| {
        let rest = name.strip_prefix(library).and_then(|rest| rest.strip_prefix('-'));
        rest.is_some_and(|rest| rest.ends_with(".dist-info") || rest.ends_with(".egg-info"))
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    probes::names_in(folder).is_some_and(|names| names.iter().any(is_metadata))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use pytrope_diagnostics::rule_by_id;
    use pytrope_source::{SourceFile, Span, TextRange};

    use super::*;

    /// Whether an import of a name from a module is doubtful in the first of these files.
    fn is_shadowed(files: &[&str], module: &str) -> bool {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, "").expect("written");
        }
        let path = folder.path().join(files[0]).to_string_lossy().into_owned();
        let file = SourceFile::from_text(path, "x = 1\n");
        let message = format!("cannot import name 'x' from '{module}'");
        let finding = Finding::new(rule_by_id("missing-attribute"), Span::new(&file, TextRange::new(0, 1)), message);
        is_of_shadowed_module(&finding, |top| ["enum", "numpy"].contains(&top))
    }

    #[test]
    fn a_library_is_doubtful_beside_a_file_of_its_name() {
        assert!(!is_shadowed(&["setup.py", "clusters/enum.py"], "numpy"));
        assert!(is_shadowed(&["p/clusters/objects.py", "p/clusters/enum.py", "p/setup.py"], "enum"));
        assert!(is_shadowed(&["p/a/b/use.py", "p/a/numpy/part.py", "p/setup.py"], "numpy.linalg"));
        assert!(!is_shadowed(&["p/a/use.py", "p/setup.py", "enum.py"], "enum"));
        assert!(!is_shadowed(&["p/use.py", "p/parts.py", "p/setup.py"], "parts"));
    }

    #[test]
    fn a_part_of_a_package_is_not_the_library_of_its_name() {
        let parts = ["service-2.1/mcp/server.py", "service-2.1/mcp/__init__.py", "service-2.1/mcp/types.py"];
        assert!(!is_shadowed(&parts, "mcp.types"));
        let package = [&parts[..], &["service-2.1/__init__.py"]].concat();
        assert!(is_shadowed(&package, "mcp.types"));
        assert!(!is_shadowed(&package, "other.types"));
        let namespace =
            ["src/data/source/flow/meta.py", "src/data/source/flow/__init__.py", "src/data/source/flow/models.py"];
        assert!(!is_shadowed(&namespace, "flow.models"));
        assert!(is_shadowed(&[&namespace[..], &["src/data/__init__.py", "setup.py"]].concat(), "flow.models"));
        assert!(!is_shadowed(&[&namespace[..], &["__init__.py", "src/setup.py"]].concat(), "flow.models"));
    }

    #[test]
    fn a_library_that_is_installed_beside_a_package_is_itself() {
        let files = ["scipy/sparse/use.py", "numpy/__init__.py"];
        assert!(is_shadowed(&files, "numpy"));
        assert!(!is_shadowed(&[&files[..], &["numpy-2.4.6.dist-info/METADATA"]].concat(), "numpy"));
        assert!(is_shadowed(&[&files[..], &["numpydoc-1.0.dist-info/METADATA"]].concat(), "numpy"));
    }

    #[test]
    fn a_package_of_tests_under_the_name_of_what_it_tests_is_doubtful() {
        assert!(is_shadowed(&["tests/django/tests.py", "tests/django/__init__.py"], "django.urls"));
        assert!(!is_shadowed(&["numpy/core/use.py", "numpy/__init__.py", "numpy/core/__init__.py"], "numpy.core"));
    }
}
