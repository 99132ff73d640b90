//! One-process training scripts become distributed ones.
//!
//! [`distribute`] reads a [`Project`], finds its training loop ([`identify`]), checks the restrictions
//! (`restrict`), and applies the rules of the loop's pattern (`rules`, one file each). What the rules write is
//! proved (`proof`) by a bounded run of it over abstract values (`flow`). It promises that a
//! refused project is left alone, that every byte outside an edit survives, and that the output imports
//! nothing of Pytrope. Start reading at [`distribute`].

#![forbid(unsafe_code)]

mod data;
mod environments;
mod flow;
mod frameworks;
pub mod identify;
mod index;
mod outputs;
mod project;
mod proof;
mod reachable;
pub mod recipe;
mod report;
mod restrict;
mod rewrite;
mod rules;
mod target;
mod trace;
mod wrap;

pub use project::{ModuleId, Project, ScriptModule};
pub use report::Summary;
pub use rewrite::{Change, Corrections};
pub use target::Target;

use identify::{FoundTraining, TrainingPattern, identify_training};
use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::{Span, TextRange};
use rewrite::{GradientReduction, Rewrite};
use rules::prelude::PreludeFacts;
use trace::Trace;

/// What became of a project.
#[derive(Default)]
pub struct DistributeOutcome {
    /// All that stands in the way is that the engine's wrapper does not see how a module is trained.
    pub unwatched: bool,
    /// Why it was refused; empty if it was rewritten.
    pub findings: Vec<Finding>,
    /// The new texts of the modules that change.
    pub files: Vec<(ModuleId, String)>,
    /// What was identified; `None` when there is no one training loop.
    pub summary: Option<Summary>,
    pub changes: Vec<Change>,
    /// What another attempt would have to take into account; of an output, what it took.
    pub corrections: Corrections,
}

impl DistributeOutcome {
    fn refused(findings: Vec<Finding>) -> Self {
        Self { findings, ..Self::default() }
    }
}

/// Rewrite a project for many processes; `to` chooses the engine, by default what fits the framework.
pub fn distribute(project: &Project, to: Option<Target>) -> DistributeOutcome {
    let outcome = rewrite_with(project, to, GradientReduction::Wrapper);
    if !outcome.unwatched || !matches!(to, None | Some(Target::Ddp)) {
        return outcome;
    }
    let hooked = rewrite_with(project, to, GradientReduction::Hooks);
    if hooked.files.is_empty() { outcome } else { hooked }
}

/// How often an output is corrected by what its proof shows.
const ATTEMPTS: usize = 4;

/// Rewrite a project with one way of averaging gradients; again where the proof finds losses that are sums over the samples, or numbers
/// that can be reduced before they are shown.
fn rewrite_with(project: &Project, to: Option<Target>, reduction: GradientReduction) -> DistributeOutcome {
    let mut corrections = Corrections::default();
    let mut first: Option<DistributeOutcome> = None;
    for _ in 0..ATTEMPTS {
        let outcome = rewrite_corrected(project, to, reduction, &corrections);
        if !outcome.files.is_empty() {
            return DistributeOutcome { corrections, ..outcome };
        }
        let goes_on = corrections.extend_by(&outcome.corrections);
        // What is said is what is wrong with the script, and not with an attempt.
        first.get_or_insert(outcome);
        if !goes_on {
            break;
        }
    }
    DistributeOutcome { corrections: Corrections::default(), ..first.expect("at least one attempt") }
}

fn rewrite_corrected(
    project: &Project,
    to: Option<Target>,
    reduction: GradientReduction,
    corrections: &Corrections,
) -> DistributeOutcome {
    let broken = restrict::unreadable_sources(project);
    if !broken.is_empty() {
        return DistributeOutcome::refused(broken);
    }
    let trace = Trace::new(project);
    if let Some(finding) = frameworks::find_framework(&trace) {
        return DistributeOutcome::refused(vec![finding]);
    }
    if let Some(finding) = restrict::already_distributed(&trace) {
        return DistributeOutcome::refused(vec![finding]);
    }
    if let Some(finding) = environments::find_environment(&trace) {
        return DistributeOutcome::refused(vec![finding]);
    }
    let dynamic = restrict::dynamic_code(&trace);
    if !dynamic.is_empty() {
        return DistributeOutcome::refused(dynamic);
    }
    let training = match identify_training(&trace) {
        FoundTraining::Training(training) => training,
        FoundTraining::Mixed(parts) => return DistributeOutcome::refused(vec![mixed_patterns(project, &parts)]),
        FoundTraining::Apart(parts) => return DistributeOutcome::refused(vec![loops_apart(project, &parts)]),
        FoundTraining::Nothing => return DistributeOutcome::refused(vec![no_loop_found(project)]),
    };
    let fits = Target::default_for(training.pattern);
    let target = to.unwrap_or(fits);
    let summary = Summary::new(&trace, &training);
    if let Some(objection) = target.objection_to(training.pattern) {
        let message =
            format!("this is a {}, which {} does not run here: {objection}", training.pattern.name(), target.name());
        let span = Span::new(&project.modules[training.home].parsed.file, trace.tree(training.home)[training.at].range);
        let finding =
            Finding::new(rule_by_id("wrong-engine"), span, message).help(format!("use `--to {}`", fits.option()));
        return DistributeOutcome { summary: Some(summary), ..DistributeOutcome::refused(vec![finding]) };
    }
    let mut wrapper_options: Vec<&'static str> = Vec::new();
    let mut corrections = corrections.clone();
    if matches!(target, Target::Fsdp2 | Target::Accelerate) {
        // What is proved of the output for DistributedDataParallel holds for the same loop under its relatives.
        let proved = rewrite_with(project, Some(Target::Ddp), GradientReduction::Wrapper);
        if proved.files.is_empty() {
            return DistributeOutcome { summary: Some(summary), ..proved };
        }
        corrections.clone_from(&proved.corrections);
        let is_written = |option: &&str| proved.files.iter().any(|(_, text)| text.contains(*option));
        wrapper_options
            .extend(["find_unused_parameters=True", "broadcast_buffers=False"].iter().filter(|o| is_written(o)));
    }
    let mut findings = restrict::handed_loops(&trace, &training);
    findings.extend(restrict::hidden_updates(&trace, &training));
    findings.extend(restrict::misplaced_imports(&trace, &training));
    let mut first = Rewrite::new(&trace, &training, (target, reduction));
    first.wrapper_options.clone_from(&wrapper_options);
    first.corrections.clone_from(&corrections);
    rules::apply_rules(&mut first, None);
    let unwatched = first.unwatched > 0
        && findings.is_empty()
        && first.unwatched == first.refusals.len()
        && !rules::ddp::devices::has_data_parallel(&first);
    findings.append(&mut first.refusals);
    if !findings.is_empty() {
        return DistributeOutcome { unwatched, summary: Some(summary), ..DistributeOutcome::refused(findings) };
    }
    // What every rank must compute inside a guarded statement gets a name before any other rule sees the statement.
    let mut hoisting = Rewrite::new(&trace, &training, (target, reduction));
    hoisting.wrapped.clone_from(&first.wrapped);
    rules::rank_zero::hoist_computations(&mut hoisting);
    if hoisting.edits.iter().any(|edits| !edits.is_empty()) {
        let texts: Result<Vec<Option<String>>, _> = hoisting
            .edits
            .iter()
            .map(|edits| if edits.is_empty() { Ok(None) } else { edits.apply().map(Some) })
            .collect();
        match texts {
            Ok(texts) => {
                let mut outcome = rewrite_with(&project.with_texts(texts), to, reduction);
                outcome.summary = Some(summary);
                if !outcome.files.is_empty() {
                    // Lines are those of the text that was given.
                    outcome.changes = hoisting.log.into_iter().chain(first.log).collect();
                    outcome.changes.sort_by_key(|change| (change.module, change.line));
                }
                return outcome;
            }
            Err(overlap) => return edit_conflict(project, 0, &overlap, summary),
        }
    }
    let facts = PreludeFacts::of(&first);
    let mut second = Rewrite::new(&trace, &training, (target, reduction));
    second.wrapper_options = wrapper_options;
    second.corrections = corrections;
    rules::apply_rules(&mut second, Some(&facts));
    finish_rewrite(project, second, summary)
}

fn finish_rewrite(project: &Project, rewrite: Rewrite, summary: Summary) -> DistributeOutcome {
    let mut texts: Vec<Option<String>> = Vec::new();
    for (id, edits) in rewrite.edits.iter().enumerate() {
        match edits.apply() {
            Ok(text) => texts.push((!edits.is_empty()).then_some(text)),
            Err(overlap) => return edit_conflict(project, id, &overlap, summary),
        }
    }
    // Fsdp2 and Accelerate are proved by what is written for DistributedDataParallel.
    if matches!(rewrite.target, Target::Ddp | Target::Horovod | Target::TfDistribute) {
        let refused = prove_rewrite(project, &rewrite, &mut texts);
        if !refused.findings.is_empty() {
            let unwatched = refused.unwatched && !rules::ddp::devices::has_data_parallel(&rewrite);
            return DistributeOutcome { unwatched, summary: Some(summary), ..refused };
        }
    }
    let files: Vec<(ModuleId, String)> = texts
        .into_iter()
        .enumerate()
        .filter_map(|(id, text)| Some((id, wrap::long_lines(project.modules[id].parsed.file.text(), &text?))))
        .collect();
    if let Some(finding) = files.iter().find_map(|(id, text)| no_python(project, &rewrite, *id, text)) {
        return DistributeOutcome { summary: Some(summary), ..DistributeOutcome::refused(vec![finding]) };
    }
    let mut changes = rewrite.log;
    changes.sort_by_key(|change| (change.module, change.line));
    DistributeOutcome {
        findings: rewrite.notes,
        files,
        summary: Some(summary),
        changes,
        ..DistributeOutcome::default()
    }
}

/// A text that the rules have made and that is no Python: the place in the original that the first error belongs to.
fn no_python(project: &Project, rewrite: &Rewrite, id: ModuleId, text: &str) -> Option<Finding> {
    let written = pytrope_source::parse(&pytrope_source::SourceFile::from_text("output", text.to_owned()));
    let error = written.errors.first()?;
    let offset = pytrope_source::original_offset(rewrite.edits[id].list(), error.range.start);
    let file = &project.modules[id].parsed.file;
    let at = TextRange::at(offset.min(file.text().len() as u32));
    let message = format!("the rewrite would not be valid Python here: {}", error.message);
    Some(Finding::new(rule_by_id("conflicting-edits"), Span::new(file, at), message).help("split the statement"))
}

/// Prove what was written, and tell wrappers about parameters that a loss may not reach. What was not proved is refused.
fn prove_rewrite(project: &Project, rewrite: &Rewrite, texts: &mut [Option<String>]) -> DistributeOutcome {
    let output = project.with_texts(texts.to_vec());
    let verdict = proof::prove_output(&output, rewrite.target);
    let origin = |(module, expr): trace::ExprPlace| {
        let range = output.modules[module].parsed.tree[expr].range;
        let edits = rewrite.edits[module].list();
        let start = pytrope_source::original_offset(edits, range.start);
        let end = pytrope_source::original_offset(edits, range.end).max(start);
        Span::new(&project.modules[module].parsed.file, TextRange::new(start, end))
    };
    let mut inserted: Vec<(ModuleId, u32, String)> = verdict
        .unused
        .iter()
        .map(|&(module, call)| {
            (module, output.modules[module].parsed.tree[call].range.end - 1, ", find_unused_parameters=True".to_owned())
        })
        .collect();
    inserted.extend(verdict.unwritten.iter().map(|(module, stmt, wait)| {
        let parsed = &output.modules[*module].parsed;
        let start = parsed.tree[*stmt].range.start;
        let before = &parsed.file.text()[..start as usize];
        let indent: String = before.chars().rev().take_while(|c| *c == ' ' || *c == '\t').collect();
        (*module, start, format!("{wait}  # wait until rank 0 has written\n{indent}"))
    }));
    inserted.sort_unstable_by(|a, b| b.cmp(a));
    for (module, at, part) in inserted {
        let text = texts[module].get_or_insert_with(|| output.modules[module].parsed.file.text().to_owned());
        text.insert_str(at as usize, &part);
    }
    // Nothing stands in the way but gradients that have to be added up and numbers that have to be reduced.
    let is_corrected = |failure: &proof::Failure| {
        verdict.sums.contains(&failure.at) || verdict.shown.iter().any(|(place, _)| *place == failure.at)
    };
    let mut corrections = Corrections::default();
    if verdict.failures.iter().all(is_corrected) {
        let place = |at: trace::ExprPlace| (at.0, origin(at).range);
        corrections.sums = verdict.sums.iter().map(|&call| (call.0, place(call).1.start)).collect();
        let shown = verdict.shown.iter().map(|&(at, how)| (at.0, place(at).1, how == flow::Reduction::Mean));
        corrections.shown = shown.collect();
    }
    let unwatched = !verdict.failures.is_empty() && verdict.failures.iter().all(|failure| failure.unwatched);
    let findings = verdict
        .failures
        .into_iter()
        .map(|failure| {
            let finding = Finding::new(rule_by_id(failure.rule), origin(failure.at), failure.message);
            match failure.related {
                Some((place, note)) => finding.related(origin(place), note),
                None => finding,
            }
            .help(failure.help)
        })
        .collect();
    DistributeOutcome { unwatched, corrections, ..DistributeOutcome::refused(findings) }
}

fn edit_conflict(
    project: &Project,
    id: ModuleId,
    overlap: &pytrope_source::Overlap,
    summary: Summary,
) -> DistributeOutcome {
    let span = |range| Span::new(&project.modules[id].parsed.file, range);
    let finding =
        Finding::new(rule_by_id("conflicting-edits"), span(overlap.second), "two rules would change the same code")
            .related(span(overlap.first), "changed here")
            .help("split the statement");
    DistributeOutcome { summary: Some(summary), ..DistributeOutcome::refused(vec![finding]) }
}

fn mixed_patterns(project: &Project, parts: &[(TrainingPattern, trace::ExprPlace)]) -> Finding {
    let span = |&(module, expr): &trace::ExprPlace| {
        let file = &project.modules[module].parsed;
        Span::new(&file.file, file.tree[expr].range)
    };
    let names: Vec<&str> = parts.iter().map(|(pattern, _)| pattern.name()).collect();
    let message = format!("training loops of different patterns: {}", names.join(", "));
    let mut finding = Finding::new(rule_by_id("mixed-patterns"), span(&parts[0].1), message);
    for (pattern, place) in &parts[1..] {
        finding = finding.related(span(place), format!("a {}", pattern.name()));
    }
    finding.help("keep one way of training per script")
}

fn loops_apart(project: &Project, parts: &[(ModuleId, trace::ExprPlace)]) -> Finding {
    let span = |&(module, expr): &trace::ExprPlace| {
        let file = &project.modules[module].parsed;
        Span::new(&file.file, file.tree[expr].range)
    };
    let mut finding =
        Finding::new(rule_by_id("loops-apart"), span(&parts[0].1), "training loops in more than one file");
    for (_, place) in &parts[1..] {
        finding = finding.related(span(place), "another loop is here");
    }
    finding.help("keep the training loop in one file")
}

fn no_loop_found(project: &Project) -> Finding {
    let span = Span::new(&project.modules[0].parsed.file, TextRange::at(0));
    Finding::new(rule_by_id("no-training-loop"), span, "no training loop is found").help(
        "the patterns that are found are gradient tapes, Keras `fit`, TF1 sessions, monitored sessions, estimators, and `loss.backward()` loops",
    )
}
