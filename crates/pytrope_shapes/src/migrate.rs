//! `migrate`: shape types for an entry's parameters, or which dimension cannot have one, and why.
//!
//! The answer is searched for by [`mod@search`] over abstract runs of a [`entry_program::EntryProgram`]; [`solve`]
//! turns one run into numbers and runs the program again with them; [`annotate`] writes the answer.

pub mod annotate;
pub mod entry_program;
pub mod interpreted;
pub mod report;
pub mod search;
pub mod solve;

use std::sync::Arc;
use std::time::Duration;

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_dims::effort;
use pytrope_dims::gradual::TensorType;
use pytrope_eval::Program;
use pytrope_source::{SourceFile, Span, TextRange, parse};

use crate::entry::{EntryError, EntrySession, Expression, Mentions};
use annotate::Style;
use entry_program::{EntryProgram, Returned};
use interpreted::Interpreted;
use report::{Blocking, MigrateVerdict, RequirementConflict, show_type};
use search::{FoundRanks, search_types};
use solve::Solving;

/// How many operations that were lost a finding names.
const LOST: usize = 5;

/// What is asked.
pub struct MigrateRequest<'a> {
    /// The module, by its dotted name in the program.
    pub module: &'a str,
    pub entry: &'a str,
    pub assume: &'a [String],
    pub style: Style,
}

/// What is answered.
pub struct MigrateAnswer {
    pub verdict: MigrateVerdict,
    /// The tensor parameters with their types; `None` where there is no answer.
    pub parameters: Vec<(String, Option<TensorType>)>,
    pub ranks: Vec<(String, Vec<usize>)>,
    pub returns: Option<Returned>,
    pub blocking: Vec<Blocking>,
    pub findings: Vec<Finding>,
    /// The file the entry is defined in, and its text with the answer.
    pub file: Arc<SourceFile>,
    pub annotated: Option<String>,
    /// Time spent deciding constraints.
    pub solving: Duration,
}

/// Answers a request; an error is a mistake in the question.
pub fn migrate_entry(
    program: &Program,
    request: &MigrateRequest<'_>,
    solving: &mut Solving<'_>,
) -> Result<MigrateAnswer, EntryError> {
    let before = effort::spent();
    let entry = Expression::parse(request.entry).map_err(EntryError::Entry)?;
    let assumptions = parse_assumptions(request.assume)?;
    let session = EntrySession::open_entry(program, request.module, &entry, &assumptions)?;
    let mut mentions = Mentions::default();
    for assumption in &assumptions {
        mentions.absorb_mentions(assumption.parameter_mentions());
    }
    let known: Vec<String> =
        session.entry_parameters().iter().map(|parameter| session.name_of(parameter).to_owned()).collect();
    mentions.check(&known).map_err(EntryError::Entry)?;
    let mut program = Interpreted::new(session, &mentions);
    let found = search_types(&mut program, solving);
    let spent = effort::spent().saturating_sub(before) + solving.waited;
    Ok(answer_request(&program, found, request, spent))
}

/// Parses all assumptions.
pub(crate) fn parse_assumptions(texts: &[String]) -> Result<Vec<Expression>, EntryError> {
    texts.iter().map(|text| Expression::parse(text).map_err(EntryError::Entry)).collect()
}

fn answer_request(
    program: &Interpreted<'_>,
    found: FoundRanks,
    request: &MigrateRequest<'_>,
    solving: Duration,
) -> MigrateAnswer {
    let session = program.session();
    let file = Arc::clone(&session.function.code.file);
    let tensors: Vec<usize> =
        (0..program.parameters().len()).filter(|index| program.parameters()[*index].tensor).collect();
    let name = |index: usize| program.parameters()[index].name.clone();
    let parameters: Vec<(String, Option<TensorType>)> =
        tensors.iter().map(|index| (name(*index), found.types[*index].clone())).collect();
    let has_answer = matches!(found.verdict, MigrateVerdict::Static | MigrateVerdict::Partial);
    let annotated = session.entry_definition().filter(|_| has_answer).and_then(|definition| {
        let types: Vec<(String, TensorType)> =
            parameters.iter().filter_map(|(name, shape)| Some((name.clone(), shape.clone()?))).collect();
        annotate::annotate_parameters(&parse(&file), &definition, &types, request.style).ok()
    });
    let place = session.entry_definition().map_or(TextRange { start: 0, end: 0 }, |definition| definition.name.range);
    let findings = requirement_findings(&found, &Span::new(&file, place), program);
    MigrateAnswer {
        verdict: found.verdict,
        ranks: tensors.iter().map(|index| (name(*index), found.ranks[*index].clone())).collect(),
        parameters,
        returns: found.returned,
        blocking: found.blocking,
        findings,
        file,
        annotated,
        solving,
    }
}

fn requirement_findings(found: &FoundRanks, place: &Span, program: &Interpreted<'_>) -> Vec<Finding> {
    match found.verdict {
        MigrateVerdict::Static => Vec::new(),
        MigrateVerdict::Partial => found
            .blocking
            .iter()
            .map(|blocking| {
                let what = match blocking.dimension {
                    Some(dimension) => format!("no number fits dimension {dimension} of `{}`", blocking.parameter),
                    None => format!("no rank fits `{}`", blocking.parameter),
                };
                with_reasons(Finding::new(rule_by_id("dynamic-dimension"), place.clone(), what), &blocking.reasons)
            })
            .collect(),
        MigrateVerdict::IllTyped => {
            let finding = Finding::new(rule_by_id("ill-typed-program"), place.clone(), "no shape types make this run");
            vec![with_reasons(finding, &found.conflicts)]
        }
        MigrateVerdict::Unknown => {
            let reason = found.unknown.as_deref().unwrap_or("nothing was shown");
            let mut finding =
                Finding::new(rule_by_id("undecided-program"), place.clone(), format!("no answer: {reason}"));
            // What was lost while the entry was made comes first: it is lost to every run.
            let session = program.session();
            let lost = session.unmodelled.iter().chain(&session.lost).chain(&program.unknowns);
            for (span, reason) in lost.take(LOST) {
                finding = finding.related(span.clone(), reason.clone());
            }
            vec![finding]
        }
    }
}

fn with_reasons(mut finding: Finding, reasons: &[RequirementConflict]) -> Finding {
    for reason in reasons.iter().take(6) {
        finding = finding.related(reason.span.clone(), reason.message.clone());
    }
    finding
}

/// The answer in a few lines for people.
pub fn summarise_answer(answer: &MigrateAnswer) -> String {
    let mut text = format!("{}\n", answer.verdict.name());
    for (name, shape) in &answer.parameters {
        if let Some(shape) = shape {
            text.push_str(&format!("  {name}: {}\n", show_type(shape)));
        }
    }
    for (name, ranks) in &answer.ranks {
        let ranks: Vec<String> = ranks.iter().map(ToString::to_string).collect();
        if !ranks.is_empty() {
            text.push_str(&format!("  ranks of {name}: {}\n", ranks.join(", ")));
        }
    }
    if let Some(returned) = &answer.returns {
        text.push_str(&format!("  returns {}\n", report::shown_result(returned)));
    }
    text
}
