//! What the analysis of each module gives, and how the results of a run become its findings.

use std::sync::Arc;

use pytrope_diagnostics::{Finding, Severity};
use pytrope_eval::code::Code;
use pytrope_eval::interp::RunResult;
use pytrope_eval::{ModuleRequest, Program, analysis};
use pytrope_source::{SourceFile, Span};
use rustc_hash::FxHashMap;

use crate::blame::Blame;
use crate::check::CheckOptions;

/// What the analysis of one module gives, before what others say of its functions is known.
pub(crate) struct AnalysedModule {
    pub code: Arc<Code>,
    pub reported: RunResult,
}

/// Runs a module: its body, and every function with unknown arguments; none if it cannot be loaded.
pub(crate) fn analyse_module(program: &Program, key: &str, options: &CheckOptions) -> Option<AnalysedModule> {
    let ModuleRequest::EvaluatedModule(frozen) = program.load_module(key) else { return None };
    let mut functions = analysis::analyse_functions(program, frozen, options.limits, options.possible);
    let module = frozen.code.module;
    // A call in the module that catches the exception asks a question; it is no error.
    functions.findings.retain(|finding| {
        let is_own = finding.primary.file.path() == frozen.code.file.path();
        !(is_own && frozen.reported.caught.contains(&(module, finding.primary.range, finding.rule.id)))
    });
    let mut reported = frozen.reported.clone();
    for finding in std::mem::take(&mut functions.findings) {
        let known =
            reported.findings.iter().any(|other| other.primary == finding.primary && other.rule == finding.rule);
        if !known {
            reported.findings.push(finding);
        }
    }
    reported.absorb(functions);
    Some(AnalysedModule { code: Arc::clone(&frozen.code), reported })
}

/// The findings of a run: those of each file's own code, and those that calls from other files lead to, each place once.
pub(crate) fn merge_findings(
    program: &Program,
    files: &[&Arc<SourceFile>],
    analysed: &[&AnalysedModule],
) -> Vec<Finding> {
    let checked = files.iter().map(|file| file.path()).collect();
    let blame = Blame { program, checked, analysed };
    let mut by_file: FxHashMap<&str, Vec<Finding>> = FxHashMap::default();
    let mut from_elsewhere: Vec<Finding> = Vec::new();
    for &AnalysedModule { code, reported } in analysed {
        let (own, others): (Vec<_>, Vec<_>) =
            reported.findings.iter().cloned().partition(|finding| finding.primary.file.path() == code.file.path());
        by_file.entry(code.file.path()).or_default().extend(own);
        // What is not certain is said of a file's own code only.
        let others =
            others.into_iter().filter(|finding| finding.raises.is_some() && finding.severity == Severity::Error);
        from_elsewhere.extend(others.filter_map(|finding| blame.place_finding(finding, &code.file)));
    }
    // Of several callers that lead to a place the first in the order of paths is named.
    let position = |span: &Span| (span.file.path().to_owned(), span.range.start, span.range.end);
    from_elsewhere.sort_by_cached_key(|finding| finding.calls.iter().rev().map(position).collect::<Vec<_>>());
    for finding in from_elsewhere {
        let Some(file) = files.iter().find(|file| file.path() == finding.primary.file.path()) else { continue };
        let known = by_file.entry(file.path()).or_default();
        if !known.iter().any(|other| other.primary == finding.primary && other.rule == finding.rule) {
            known.push(finding);
        }
    }
    for &AnalysedModule { code, .. } in analysed {
        if let Some(findings) = by_file.get_mut(code.file.path()) {
            analysis::names_once(code, findings);
        }
    }
    by_file.into_values().flatten().collect()
}
