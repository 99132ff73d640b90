//! `pytrope report`: one self-contained page about a project.

mod page;
mod shapes;

use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Parser;
use pytrope_choreo::{Options, Siblings};
use pytrope_diagnostics::Finding;
use pytrope_shapes::{BindingKind, ShownBinding, show_shapes};
use pytrope_source::{SourceFile, write_atomic};

use super::check;
use crate::args::{Cli, Command, ReportArgs};
use crate::environment::shown;
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::workers;

/// One file of the page.
pub(super) struct ReportedFile {
    file: Arc<SourceFile>,
    findings: Vec<Finding>,
    bindings: Vec<ShownBinding>,
    /// Names and SVG pictures of the choreographies in it.
    diagrams: Vec<(String, String)>,
}

/// How much is known of the arrays in a file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coverage {
    /// Bindings of arrays whose every size is known, by number or by name.
    full: usize,
    /// Bindings of arrays of which less is known.
    partial: usize,
    /// Bindings of which nothing is known; they may be arrays or not.
    unknown: usize,
}

pub(super) fn run(args: &ReportArgs, session: &Session) -> Result<ExitStatus> {
    let check_args = check_arguments(args)?;
    let checked = check::collect(&check_args, session)?;
    let mut files: Vec<ReportedFile> = workers::map(&checked.files, session.thread_count(), |file| ReportedFile {
        file: Arc::clone(file),
        findings: Vec::new(),
        bindings: show_shapes(file, &checked.options),
        diagrams: diagrams_of(file),
    });
    for finding in checked.findings {
        if let Some(reported) = files.iter_mut().find(|reported| reported.file.path() == finding.primary.file.path()) {
            reported.findings.push(finding);
        }
    }
    let text = page::render_page(&files, session);
    write_atomic(&args.output, text.as_bytes()).with_context(|| format!("cannot write {}", args.output.display()))?;
    let found: usize = files.iter().map(|reported| reported.findings.len()).sum();
    session.summary(&format!(
        "Wrote {} in {} to {}",
        check::count_with_noun(found, "finding"),
        check::count_with_noun(files.len(), "file"),
        shown(&args.output)
    ));
    Ok(checked.exit.unwrap_or(ExitStatus::Success))
}

/// The arguments of the check that the page shows.
fn check_arguments(args: &ReportArgs) -> Result<crate::args::CheckArgs> {
    let words = ["pytrope".to_owned(), "check".to_owned(), "--".to_owned()].into_iter();
    let paths = args.paths.iter().map(|path| path.to_string_lossy().into_owned());
    match Cli::try_parse_from(words.chain(paths))?.command {
        Command::Check(mut check) => {
            check.environment = args.environment.clone();
            check.exclude.clone_from(&args.exclude);
            Ok(check)
        }
        _ => anyhow::bail!("`check` is parsed as itself"),
    }
}

/// The sequence diagrams of the choreographies that a file defines; none where it is refused.
fn diagrams_of(file: &Arc<SourceFile>) -> Vec<(String, String)> {
    if !file.text().contains("pytrope.choreo") {
        return Vec::new();
    }
    let projection = pytrope_choreo::project_file(file, &Siblings, Options { diagrams: true, ..Options::default() });
    if !projection.findings.is_empty() {
        return Vec::new();
    }
    projection.diagrams.into_iter().map(|diagram| (diagram.name, diagram.svg)).collect()
}

impl Coverage {
    fn of(bindings: &[ShownBinding]) -> Self {
        let mut coverage = Self::default();
        let variables = bindings.iter().filter(|binding| binding.kind == BindingKind::Variable);
        for value in variables.flat_map(|binding| &binding.values) {
            let sizes = ["ndarray[", "Tensor["].iter().find_map(|class| value.strip_prefix(class));
            match sizes {
                Some(sizes) if sizes.contains('?') || sizes.contains("...") => coverage.partial += 1,
                Some(_) => coverage.full += 1,
                None if value == "Unknown" => coverage.unknown += 1,
                None => {}
            }
        }
        coverage
    }

    fn add(&mut self, other: Self) {
        self.full += other.full;
        self.partial += other.partial;
        self.unknown += other.unknown;
    }

    /// The share of arrays that are known in full among all bindings that are or may be arrays.
    fn known_share(self) -> Option<usize> {
        let all = self.full + self.partial + self.unknown;
        (all > 0).then(|| 100 * self.full / all)
    }
}
