//! `migrate`: shape types for an entry's parameters, or which dimension cannot have one, and why.
//!
//! The answer is searched for by [`mod@search`] over abstract runs of a [`entry_program::EntryProgram`]; [`solve`]
//! turns one run into numbers and runs the program again with them; [`annotate`] writes the answer.

pub mod all;
pub mod annotate;
mod demands;
pub mod entry_program;
pub mod general;
pub mod interpreted;
pub mod proof;
pub mod report;
pub mod returned;
pub mod search;
pub mod solve;
pub mod styles;

use std::sync::Arc;
use std::time::Duration;

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_dims::effort;
use pytrope_dims::gradual::TensorType;
use pytrope_eval::Program;
use pytrope_source::tree::FunctionDefinition;
use pytrope_source::{SourceFile, Span, TextRange, parse};

use crate::entry::{EntryError, EntrySession, Expression, Mentions};
use annotate::{Style, TypedFunction};
use entry_program::{EntryProgram, Undecided};
use general::GeneralType;
use interpreted::{InputCounts, Interpreted};
use report::{Blocking, MigrateVerdict, RequirementConflict, show_type};
use returned::Returned;
use search::{FoundRanks, search_types};
use solve::Solving;
use styles::ParameterType;

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
    /// The dtypes of these parameters that the answer holds for.
    pub dtypes: Vec<(String, Option<&'static str>)>,
    pub ranks: Vec<(String, Vec<usize>)>,
    pub returns: Option<Returned>,
    /// The most general type that was shown, with the names of the parameters.
    pub general: Option<(Vec<String>, GeneralType)>,
    pub blocking: Vec<Blocking>,
    pub findings: Vec<Finding>,
    /// The file the entry is defined in, and its text with the answer.
    pub file: Arc<SourceFile>,
    pub annotated: Option<String>,
    /// The function that was typed, and the types of its parameters.
    pub definition: Option<FunctionDefinition>,
    pub types: Vec<ParameterType>,
    /// The text of a style that leaves the source as it is.
    pub separate: Option<String>,
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
    let mut mentions = Mentions::default();
    for assumption in &assumptions {
        mentions.absorb_mentions(assumption.parameter_mentions());
    }
    // `forward(self, *xs)` is given as few tensors as it takes, and `x=None` one where the entry does not run without.
    let mut first: Option<MigrateAnswer> = None;
    let mut without_tensors = false;
    for counts in ATTEMPTS {
        let session = EntrySession::open_entry(program, request.module, &entry, &assumptions)?;
        let known: Vec<String> =
            session.entry_parameters().iter().map(|parameter| session.name_of(parameter).to_owned()).collect();
        mentions.check(&known).map_err(EntryError::Entry)?;
        let takes_more = session.takes_any_number().is_some();
        let mut interpreted = Interpreted::new(session, &mentions, counts);
        let varies = takes_more || interpreted.has_lists();
        let is_other_call = if counts.optional > 0 { without_tensors } else { varies };
        if first.is_some() && !is_other_call {
            continue;
        }
        without_tensors |= first.is_none() && interpreted.lacks_tensors();
        let mut found = search_types(&mut interpreted, solving);
        let has_answer = matches!(found.verdict, MigrateVerdict::Static | MigrateVerdict::Partial);
        if varies && found.verdict == MigrateVerdict::IllTyped {
            found.verdict = MigrateVerdict::Unknown;
            found.unknown =
                Some(Undecided::without_place("it takes any number of arguments, and none was shown to run"));
        }
        let spent = effort::spent().saturating_sub(before) + solving.waited;
        if has_answer || !varies && !without_tensors {
            return Ok(answer_request(&interpreted, found, request, spent));
        }
        // Why it does not run with tensors says more than why it does not run without.
        let answer = answer_request(&interpreted, found, request, spent);
        if first.as_ref().is_none_or(|first| first.parameters.is_empty() && !answer.parameters.is_empty()) {
            first = Some(answer);
        }
    }
    first.ok_or_else(|| EntryError::Entry("no combination of arguments could be run".to_owned()))
}

/// How many tensors are tried for `*xs`, for lists, and for parameters that may be None.
const ATTEMPTS: [InputCounts; 6] = [
    InputCounts { spread: 0, listed: 1, optional: 0 },
    InputCounts { spread: 1, listed: 2, optional: 0 },
    InputCounts { spread: 2, listed: 3, optional: 0 },
    InputCounts { spread: 3, listed: 4, optional: 0 },
    InputCounts { spread: 0, listed: 1, optional: 1 },
    InputCounts { spread: 0, listed: 1, optional: 2 },
];

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
    let of = |index: &usize| {
        Some(ParameterType {
            name: name(*index),
            shape: found.types[*index].clone()?,
            dtype: found.dtypes.get(*index).copied().flatten(),
            sizes: found.general.as_ref().and_then(|general| general.parameters[*index].clone()),
        })
    };
    let types: Vec<ParameterType> = tensors.iter().filter_map(of).collect();
    let general = found.general.as_ref();
    let separate = match request.style {
        Style::Export if has_answer => Some(styles::export_text(&types, general)),
        Style::Onnx if has_answer => Some(styles::onnx_text(&types, general)),
        _ => None,
    };
    let definition = session.entry_definition();
    let annotated = definition.filter(|_| has_answer && !request.style.is_separate()).and_then(|definition| {
        let function = TypedFunction { definition, types: &types, general };
        annotate::annotate_functions(&parse(&file), &[function], request.style).ok()
    });
    let place = definition.map_or(TextRange { start: 0, end: 0 }, |definition| definition.name.range);
    let findings = requirement_findings(&found, &Span::new(&file, place), program);
    MigrateAnswer {
        verdict: found.verdict,
        dtypes: tensors.iter().map(|index| (name(*index), found.dtypes.get(*index).copied().flatten())).collect(),
        ranks: tensors.iter().map(|index| (name(*index), found.ranks[*index].clone())).collect(),
        parameters,
        returns: found.returned,
        general: found
            .general
            .map(|general| (program.parameters().iter().map(|parameter| parameter.name.clone()).collect(), general)),
        blocking: found.blocking,
        findings,
        file,
        annotated,
        definition,
        types,
        separate,
        solving,
    }
}

fn requirement_findings(found: &FoundRanks, place: &Span, program: &Interpreted<'_>) -> Vec<Finding> {
    match found.verdict {
        MigrateVerdict::Static => Vec::new(),
        MigrateVerdict::Partial => undecided_result(found, place)
            .into_iter()
            .chain(found.blocking.iter().map(|blocking| {
                let mut what = match blocking.dimension {
                    Some(dimension) => format!("no number fits dimension {dimension} of `{}`", blocking.parameter),
                    None => format!("no rank fits `{}`", blocking.parameter),
                };
                if found.always_raises {
                    what.push_str(", so every call raises");
                }
                with_reasons(Finding::new(rule_by_id("dynamic-dimension"), place.clone(), what), &blocking.reasons)
            }))
            .collect(),
        MigrateVerdict::IllTyped => {
            let finding = Finding::new(rule_by_id("ill-typed-program"), place.clone(), "no shape types make this run");
            vec![with_reasons(finding, &found.conflicts)]
        }
        MigrateVerdict::Unknown => {
            let reason = found.unknown.as_ref().map_or("no types were proved", |undecided| &undecided.message);
            let mut finding =
                Finding::new(rule_by_id("undecided-program"), place.clone(), format!("no answer: {reason}"));
            if let Some(span) = found.unknown.as_ref().and_then(|undecided| undecided.span.clone()) {
                finding = finding.related(span, "not decided here first");
            }
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

/// A result that has one shape or another.
fn undecided_result(found: &FoundRanks, place: &Span) -> Option<Finding> {
    let returned = found.returned.as_ref().filter(|returned| returned.is_undecided())?;
    let what = format!("the shape of the result depends on values: {}", report::shown_result(returned));
    Some(Finding::new(rule_by_id("undecided-result"), place.clone(), what))
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
    if let Some((names, general)) = &answer.general {
        text.push_str(&report::shown_general(names, general));
    }
    text
}
