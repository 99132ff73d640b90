//! `pytrope prune`: the verb's arguments, and what its library answers.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use pytrope_shapes::prune::{Branch, Decision, PruneAnswer, PruneRequest, prune_entry};
use serde_json::{Map, Value, json};

use crate::args::PruneArgs;
use crate::entry::{self, Opened};
use crate::exit::ExitStatus;
use crate::rewrite::{RewriteOutput, Rewritten, finish};
use crate::session::Session;
use crate::workers;

pub(super) fn run(args: &PruneArgs, session: &Session) -> Result<ExitStatus> {
    let Some(entry) = &args.entry.entry else {
        return Err(entry::missing_entry("the class or function to prune", Path::new(&args.rewrite.target)));
    };
    let target = match entry::open_target(&args.rewrite, &args.environment, session)? {
        Opened::Target(target) => target,
        Opened::Broken(findings) => {
            return finish(
                RewriteOutput { findings, refused: true, ..RewriteOutput::default() },
                &args.rewrite,
                session,
            );
        }
    };
    let request = PruneRequest { module: &target.module, entry, assume: &args.entry.assume, guard: args.guard };
    let answer = workers::on_large_stack(|| prune_entry(&target.program, &request));
    let answer =
        answer.map_err(|error| entry::explain_error(&error.to_string(), entry, Path::new(&args.rewrite.target)))?;
    if let Some(reason) = &answer.refused {
        session.summary(reason);
    }
    let files = answer.files.iter().map(|file| {
        let library = target.is_library(&file.module);
        Rewritten {
            path: entry::place(file.file.path(), library),
            original: Some(Arc::clone(&file.file)),
            text: file.text.clone(),
            library,
        }
    });
    let rewrite = RewriteOutput {
        report: report_json(&answer),
        summary: summarise_answer(&answer),
        refused: answer.refused.is_some(),
        files: files.collect(),
        ..RewriteOutput::default()
    };
    finish(rewrite, &args.rewrite, session)
}

fn report_json(answer: &PruneAnswer) -> Map<String, Value> {
    let mut report = Map::new();
    let branches = answer.branches.iter().map(|branch| {
        json!({
            "path": branch.file.path(),
            "line": branch.line,
            "column": branch.column,
            "kind": branch.kind.name(),
            "condition": branch.condition,
            "decision": branch.decision.name(),
            "reason": branch.reason,
            "shape": branch.shape,
            "instances": branch.instances,
            "decided": branch.decided,
        })
    });
    report.insert("branches".into(), branches.collect());
    let mut seen = std::collections::BTreeSet::new();
    let unmodelled = answer.unmodelled.iter().filter_map(|(span, _)| {
        let line = span.start().position.line;
        seen.insert((span.file.path().to_owned(), line))
            .then(|| json!({"path": span.file.path(), "line": line, "text": span.text()}))
    });
    report.insert("unmodelled".into(), unmodelled.collect());
    report.insert("reason".into(), json!(answer.refused));
    let shape = || answer.branches.iter().filter(|branch| branch.shape && branch.counts);
    let kept = |branch: &&Branch| branch.decision == Decision::Keep;
    report.insert(
        "shape_branches".into(),
        json!({
            "source": shape().count(),
            "remaining": shape().filter(kept).count(),
            "instances": shape().map(|branch| branch.instances).sum::<usize>(),
            "remaining_instances": shape().filter(kept).map(|branch| branch.instances).sum::<usize>(),
        }),
    );
    report
}

fn summarise_answer(answer: &PruneAnswer) -> String {
    let shape: Vec<&Branch> = answer.branches.iter().filter(|branch| branch.shape && branch.counts).collect();
    let kept: Vec<&&Branch> = shape.iter().filter(|branch| branch.decision == Decision::Keep).collect();
    if answer.refused.is_some() {
        return String::new();
    }
    let branches = if shape.len() == 1 { "branch" } else { "branches" };
    let removed = shape.len() - kept.len();
    let mut text = format!("{} {branches} on shapes, {removed} removed, {} kept\n", shape.len(), kept.len());
    for branch in kept {
        text.push_str(&format!(
            "  {}:{}: `{}` stays: {}\n",
            branch.file.path(),
            branch.line,
            branch.condition,
            branch.reason
        ));
    }
    text
}
