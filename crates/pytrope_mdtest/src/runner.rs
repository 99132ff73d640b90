//! Walks a folder of Markdown files and runs each section.

use std::any::Any;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use pytrope_diagnostics::sort_findings;
use pytrope_source::{SourceFile, SourceKind};

use crate::compare::{ExpectationUpdate, TestFailure, compare_section};
use crate::document::{DocumentSection, MAIN, Role, read_sections};
use crate::{TestCase, TestOutcome};

/// Analyses recurse over expressions; tests get the stack that the command line gives.
const STACK: usize = 256 << 20;

/// Runs every section under a folder (or of one file) and panics with the differences, if there are any.
///
/// # Panics
/// If a section fails, or if there is no section at all.
pub fn run<O: Into<TestOutcome>>(root: impl AsRef<Path>, check: impl Fn(&TestCase) -> O + Sync) {
    let root = root.as_ref();
    let report = run_all(&markdown_files(root), &|case| check(case).into());
    for line in &report.failures {
        println!("{line}");
    }
    let failed = report.failed_sections;
    println!("{}: {} sections, {failed} failed", root.display(), report.sections);
    assert!(report.sections > 0, "{}: no section matches", root.display());
    assert!(failed == 0, "{failed} of {} sections failed, see above", report.sections);
}

/// Runs the sections of one file; the error is the list of differences.
pub(crate) fn run_document(path: &Path, check: &(dyn Fn(&TestCase) -> TestOutcome + Sync)) -> Result<(), String> {
    let report = run_all(&[path.to_owned()], check);
    if report.failed_sections == 0 {
        return Ok(());
    }
    let failures = report.failures.join("\n");
    Err(format!("{failures}\n{} of {} sections failed", report.failed_sections, report.sections))
}

#[derive(Default)]
struct RunnerReport {
    sections: usize,
    failed_sections: usize,
    failures: Vec<String>,
}

/// Runs the sections of files on a thread with a large stack.
fn run_all(paths: &[PathBuf], check: &(dyn Fn(&TestCase) -> TestOutcome + Sync)) -> RunnerReport {
    let update = std::env::var_os("PYTROPE_UPDATE").is_some();
    let filter = std::env::var("PYTROPE_MDTEST").unwrap_or_default();
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || run_files(paths, &filter, update, check))
            .expect("a thread can be started")
            .join()
            .expect("failures are reported, not panicked")
    })
}

fn run_files(paths: &[PathBuf], filter: &str, update: bool, check: &dyn Fn(&TestCase) -> TestOutcome) -> RunnerReport {
    let mut report = RunnerReport::default();
    for path in paths {
        let shown = path.display().to_string();
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                report.fail(&shown, "", &[TestFailure { line: 1, message: error.to_string() }]);
                continue;
            }
        };
        let sections = match read_sections(&text) {
            Ok(sections) => sections,
            Err(message) => {
                report.fail(&shown, "", &[TestFailure { line: 1, message }]);
                continue;
            }
        };
        let mut updates = Vec::new();
        for section in sections.iter().filter(|section| section.name.contains(filter)) {
            report.sections += 1;
            let (mut failures, changes) = run_section(section, check);
            if update && !changes.is_empty() {
                failures.retain(|failure| changes.iter().all(|change| change.line != failure.line));
                updates.extend(changes);
            }
            if !failures.is_empty() {
                report.fail(&shown, &section.name, &failures);
            }
        }
        if !updates.is_empty() {
            fs::write(path, update_blocks(&text, updates)).expect("the Markdown file is writable");
        }
    }
    report
}

impl RunnerReport {
    fn fail(&mut self, path: &str, section: &str, failures: &[TestFailure]) {
        self.failed_sections += 1;
        self.failures.push(format!("\n✗ {section}"));
        for TestFailure { line, message } in failures {
            self.failures.push(format!("  {path}:{line}: {}", message.replace('\n', "\n    ")));
        }
    }
}

fn run_section(
    section: &DocumentSection,
    check: &dyn Fn(&TestCase) -> TestOutcome,
) -> (Vec<TestFailure>, Vec<ExpectationUpdate>) {
    let failure = |message: String| (vec![TestFailure { line: section.line, message }], Vec::new());
    let case = match section_case(section) {
        Ok(case) => case,
        Err(message) => return failure(message),
    };
    match catch_unwind(AssertUnwindSafe(|| check(&case))) {
        Ok(mut outcome) => {
            sort_findings(&mut outcome.findings);
            compare_section(section, &case, &outcome)
        }
        Err(payload) => failure(format!("the analysis panicked: {}", panic_text(&*payload))),
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

/// The files of a section; blocks with the same path are one file.
fn section_case(section: &DocumentSection) -> Result<TestCase, String> {
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut config = None;
    for block in &section.blocks {
        match &block.role {
            Role::Input { path } => match texts.iter_mut().find(|(known, _)| known == path) {
                Some((_, text)) => text.push_str(&block.text),
                None => texts.push((path.clone(), block.text.clone())),
            },
            Role::Config => config = Some(block.text.clone()),
            Role::Output { .. } | Role::Snapshot { .. } => {}
        }
    }
    let mut case = TestCase { name: section.name.clone(), files: Vec::new(), others: Vec::new(), config };
    for (path, text) in texts {
        let python = path == MAIN || [".py", ".pyi", ".ipynb"].iter().any(|suffix| path.ends_with(suffix));
        if !python {
            case.others.push((path, text));
        } else if SourceKind::of_path(&path) == SourceKind::Notebook {
            let (file, errors) = SourceFile::from_bytes(path.as_str(), text.as_bytes());
            if let Some(error) = errors.first() {
                return Err(format!("`{path}`: {}", error.message));
            }
            case.files.push(file);
        } else {
            case.files.push(SourceFile::from_text(path, text));
        }
    }
    Ok(case)
}

/// Replaces the texts of blocks, from the last to the first so that line numbers stay true.
fn update_blocks(text: &str, mut updates: Vec<ExpectationUpdate>) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    updates.sort_by_key(|update| std::cmp::Reverse(update.line));
    for update in updates {
        let start = update.line - 1;
        lines.splice(start..start + update.old_lines, update.text.lines().map(str::to_owned));
    }
    lines.join("\n") + "\n"
}

/// All Markdown files under a folder, sorted; pages that say what the folder is (`README.md`) are no tests.
pub(crate) fn markdown_files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(path) = folders.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => folders.extend(entries.filter_map(|entry| Some(entry.ok()?.path()))),
            Err(_) if path.ends_with("README.md") => {}
            Err(_) if path.extension().is_some_and(|extension| extension == "md") => files.push(path),
            Err(_) => {}
        }
    }
    files.sort();
    files
}
