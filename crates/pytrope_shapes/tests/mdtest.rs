//! Array libraries, messages, `migrate` and `prune`, told in Markdown: one test for each page of `tests/mdtest`.
//!
//! The `toml` block of a section of `migrate` and `prune` says `entry = "…"` and, once for each, `assume = "…"`.

use std::process::ExitCode;

use pytrope_mdtest::{Suites, TestCase, TestOutcome};
use pytrope_shapes::check::{CheckOptions, check_files};
use pytrope_shapes::entry::{EntryTarget, PackageReading};
use pytrope_shapes::migrate::annotate::Style;
use pytrope_shapes::migrate::solve::Solving;
use pytrope_shapes::{migrate, prune};
use pytrope_source::{ModuleResolver, Span};

fn outcome(case: &TestCase) -> TestOutcome {
    outcome_with(case, &CheckOptions::default())
}

/// With what may fail.
fn possible_outcome(case: &TestCase) -> TestOutcome {
    outcome_with(case, &CheckOptions { possible: true, ..CheckOptions::default() })
}

fn outcome_with(case: &TestCase, options: &CheckOptions) -> TestOutcome {
    let checked = check_files(&case.files, options);
    assert!(checked.model_bugs.is_empty(), "bugs of models: {:#?}", checked.model_bugs);
    assert!(
        checked.failures.is_empty(),
        "the analysis failed: {:?}",
        checked.failures.iter().map(|(_, message)| message).collect::<Vec<_>>()
    );
    TestOutcome::from(checked.findings)
}

/// What is printed for each finding, without the source around it.
fn explained(case: &TestCase) -> TestOutcome {
    let checked = check_files(&case.files, &CheckOptions::default());
    let mut text = String::new();
    for finding in &checked.findings {
        let line = |span: &Span| span.file.lines().line_of(span.range.start) + 1;
        let raises = finding.raises.as_deref().unwrap_or_default();
        text.push_str(&format!("line {}: {raises}: {}\n", line(&finding.primary), finding.message));
        for related in &finding.related {
            text.push_str(&format!("    line {}: {}\n", line(&related.span), related.message));
        }
        if let Some(help) = &finding.help {
            text.push_str(&format!("    help: {help}\n"));
        }
    }
    TestOutcome { findings: Vec::new(), outputs: vec![("explained".to_owned(), text)] }
}

/// The values of a key.
fn values(case: &TestCase, key: &str) -> Vec<String> {
    let config = case.config.as_deref().unwrap_or_default();
    let pairs = config.lines().filter_map(|line| line.split_once(" = "));
    pairs.filter(|(name, _)| *name == key).map(|(_, value)| value.trim_matches('"').to_owned()).collect()
}

fn target(case: &TestCase) -> EntryTarget {
    EntryTarget::beside_files(
        &case.files[0],
        &case.files[1..],
        ModuleResolver::with_roots(Vec::new()),
        PackageReading::default(),
    )
}

/// The lines of a file that were not there before.
fn changed_lines(case: &TestCase, text: &str) -> String {
    let is_new = |line: &&str| !case.files[0].text().lines().any(|old| old == *line);
    format!("{}\n", text.lines().filter(is_new).collect::<Vec<_>>().join("\n"))
}

fn migrated(case: &TestCase) -> TestOutcome {
    let target = target(case);
    if values(case, "all") == ["true"] {
        let style = Style::Jaxtyping;
        let answer = migrate::all::migrate_all(&target.program, &target.module, style, &mut Solving::default());
        let text = match answer {
            Err(error) => format!("{error}\n"),
            Ok(answer) => changed_lines(case, &answer.annotated.unwrap_or_default()),
        };
        return TestOutcome { outputs: vec![("changed".to_owned(), text)], ..TestOutcome::default() };
    }
    let entry = values(case, "entry").remove(0);
    let assume = values(case, "assume");
    let style = match values(case, "style").first().map(String::as_str) {
        Some("jaxtyping") => Style::Jaxtyping,
        Some("pyrefly") => Style::Pyrefly,
        Some("export") => Style::Export,
        Some("onnx") => Style::Onnx,
        Some("asserts") => Style::Asserts,
        Some("doc") => Style::Doc,
        _ => Style::TensorType,
    };
    let request = migrate::MigrateRequest { module: &target.module, entry: &entry, assume: &assume, style };
    match migrate::migrate_entry(&target.program, &request, &mut Solving::default()) {
        Err(error) => {
            TestOutcome { outputs: vec![("answer".to_owned(), format!("{error}\n"))], ..TestOutcome::default() }
        }
        Ok(answer) => {
            let mut outputs = vec![("answer".to_owned(), migrate::summarise_answer(&answer))];
            if let Some(text) = &answer.annotated {
                outputs.push(("changed".to_owned(), changed_lines(case, text)));
            }
            if let Some(text) = &answer.separate {
                outputs.push(("separate".to_owned(), text.clone()));
            }
            TestOutcome { findings: answer.findings, outputs }
        }
    }
}

fn pruned(case: &TestCase) -> TestOutcome {
    let target = target(case);
    let entry = values(case, "entry").remove(0);
    let assume = values(case, "assume");
    let guard = values(case, "guard") == ["true"];
    let request = prune::PruneRequest { module: &target.module, entry: &entry, assume: &assume, guard };
    let text = match prune::prune_entry(&target.program, &request) {
        Err(error) => format!("{error}\n"),
        Ok(answer) => match answer.refused {
            Some(reason) => format!("{reason}\n"),
            None => answer.files.into_iter().next().map(|file| file.text).unwrap_or_default(),
        },
    };
    TestOutcome { outputs: vec![("pruned".to_owned(), text)], ..TestOutcome::default() }
}

fn main() -> ExitCode {
    Suites::below(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest"))
        .add("numpy", outcome)
        .add("images", outcome)
        .add("torch", outcome)
        .add("keras", outcome)
        .add("jax", outcome)
        .add("pandas", outcome)
        .add("scipy", outcome)
        .add("sklearn", outcome)
        .add("choreo", outcome)
        .add("possible", possible_outcome)
        .add("explain", explained)
        .add("migrate", migrated)
        .add("prune", pruned)
        .add("../../../../docs/internals/concepts.md", outcome)
        .run()
}
