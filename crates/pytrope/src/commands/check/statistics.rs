//! `--statistics`: a table of what is known of the arrays of each file, and the causes of what is not.

use std::io::{self, Write};
use std::sync::Arc;

use pytrope_diagnostics::render::finding_to_json;
use pytrope_diagnostics::{Finding, Place};
use pytrope_shapes::statistics::{ArrayCounts, UnknownCause, unknown_causes};
use pytrope_shapes::{CheckOptions, show_all_shapes};
use pytrope_source::SourceFile;
use serde_json::{Value, json};

use crate::environment::shown;
use crate::session::Session;

/// How many causes the table lists; the JSON report has all.
const MOST_CAUSES: usize = 12;

/// What is known of a run's arrays.
pub(super) struct Statistics {
    files: Vec<(String, ArrayCounts)>,
    total: ArrayCounts,
    causes: Vec<UnknownCause>,
}

impl Statistics {
    pub fn of(files: &[Arc<SourceFile>], options: &CheckOptions) -> Self {
        let bindings = show_all_shapes(files, options);
        let mut total = ArrayCounts::default();
        let mut counted = Vec::new();
        for (file, bindings) in files.iter().zip(&bindings) {
            let counts = ArrayCounts::of(bindings);
            total.add(counts);
            counted.push((file.path().to_owned(), counts));
        }
        Self { files: counted, total, causes: unknown_causes(bindings.iter().flatten()) }
    }

    /// The end of the summary: `shapes of 83 % of 412 arrays known`.
    pub fn summary(&self) -> String {
        match self.total.total() {
            0 => "no arrays".to_owned(),
            count => format!("shapes of {} of {count} arrays known", show_percent(self.total.shape, count)),
        }
    }

    /// The report as JSON: findings as always, and the statistics beside them.
    pub fn document(&self, findings: &[Finding], session: &Session) -> Value {
        let context = session.render_context(false);
        let diagnostics: Vec<Value> = findings.iter().map(|finding| finding_to_json(finding, &context)).collect();
        let files = self.files.iter().map(|(path, counts)| {
            let mut object = counts_to_json(*counts);
            object["path"] = path.as_str().into();
            object
        });
        let causes = self.causes.iter().map(|cause| {
            let place = cause.span.as_ref().map(|span| (shown(span.file.path().as_ref()), Place::of(span).line));
            let (path, line) = place.unzip();
            json!({"count": cause.count, "reason": cause.reason, "path": path, "line": line})
        });
        let statistics = json!({
            "total": counts_to_json(self.total),
            "files": files.collect::<Vec<_>>(),
            "causes": causes.collect::<Vec<_>>(),
        });
        json!({"version": 1, "diagnostics": diagnostics, "statistics": statistics})
    }

    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let with_arrays: Vec<_> = self.files.iter().filter(|(_, counts)| counts.total() > 0).collect();
        let width = with_arrays.iter().map(|(path, _)| path.chars().count()).max().unwrap_or(0).max("total".len());
        writeln!(out, "{:width$}  arrays   shape    rank  unknown", "")?;
        let mut line = |name: &str, counts: ArrayCounts| {
            let all = counts.total();
            let [shape, rank, unknown] =
                [counts.shape, counts.rank, counts.unknown].map(|part| show_percent(part, all));
            writeln!(out, "{name:width$}  {all:6}  {shape:>6}  {rank:>6}  {unknown:>7}")
        };
        for (path, counts) in &with_arrays {
            line(path, *counts)?;
        }
        line("total", self.total)?;
        if !self.causes.is_empty() {
            writeln!(out, "\nunknown because:")?;
        }
        for cause in self.causes.iter().take(MOST_CAUSES) {
            let place = match &cause.span {
                Some(span) => format!("  {}:{}", shown(span.file.path().as_ref()), Place::of(span).line),
                None => String::new(),
            };
            writeln!(out, "{:6}  {}{place}", cause.count, cause.reason)?;
        }
        if self.causes.len() > MOST_CAUSES {
            writeln!(out, "        and {} more causes", self.causes.len() - MOST_CAUSES)?;
        }
        writeln!(out)
    }
}

fn show_percent(part: usize, of: usize) -> String {
    (100 * part).checked_div(of).map_or_else(|| "-".to_owned(), |share| format!("{share} %"))
}

fn counts_to_json(counts: ArrayCounts) -> Value {
    json!({"arrays": counts.total(), "shape": counts.shape, "rank": counts.rank, "unknown": counts.unknown})
}
