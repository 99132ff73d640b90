//! `pytrope migrate`: the verb's arguments, and what its library answers.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use pytrope_dims::Dim;
use pytrope_dims::gradual::{DimType, TensorType};
use pytrope_shapes::entry::EntryTarget;
use pytrope_shapes::migrate::all::migrate_all;
use pytrope_shapes::migrate::annotate::Style;
use pytrope_shapes::migrate::general::GeneralType;
use pytrope_shapes::migrate::report::{MigrateVerdict, RequirementConflict};
use pytrope_shapes::migrate::returned::Returned;
use pytrope_shapes::migrate::solve::Solving;
use pytrope_shapes::migrate::{MigrateAnswer, MigrateRequest, migrate_entry, summarise_answer};
use serde_json::{Map, Value, json};

use crate::args::{AnnotationStyle, MigrateArgs, Solver};
use crate::entry::{self, Opened};
use crate::exit::ExitStatus;
use crate::rewrite::{RewriteOutput, Rewritten, finish};
use crate::session::Session;
use crate::{workers, z3};

pub(super) fn run(args: &MigrateArgs, session: &Session) -> Result<ExitStatus> {
    if args.entry.entry.is_none() && !args.all {
        let path = Path::new(&args.rewrite.target);
        bail!("{}; `--all` takes every one", entry::missing_entry("the class or function to annotate", path));
    }
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
    if args.solver.solver == Some(Solver::Z3) {
        z3::find()?;
    }
    let style = match args.style {
        AnnotationStyle::TensorType => Style::TensorType,
        AnnotationStyle::Jaxtyping => Style::Jaxtyping,
        AnnotationStyle::Pyrefly => Style::Pyrefly,
        AnnotationStyle::Export => Style::Export,
        AnnotationStyle::Onnx => Style::Onnx,
        AnnotationStyle::Asserts => Style::Asserts,
        AnnotationStyle::Doc => Style::Doc,
        AnnotationStyle::Json => Style::Json,
    };
    if style.is_separate() && args.rewrite.in_place {
        bail!("this style prints a text of its own and changes no source: use -o to write it to a file")
    }
    let Some(entry) = &args.entry.entry else { return run_all(args, &target, style, session) };
    let mut queries: Vec<String> = Vec::new();
    let mut ask = |target: &EntryTarget| {
        let request = MigrateRequest { module: &target.module, entry, assume: &args.entry.assume, style };
        workers::on_large_stack(|| {
            let mut keep = |text: &str| queries.push(text.to_owned());
            let mut solving = Solving::default();
            if args.solver.dump_smt2.is_some() {
                solving.dump = Some(&mut keep);
            }
            if args.solver.solver == Some(Solver::Z3) {
                solving.second = Some(&z3::ask_z3);
            }
            migrate_entry(&target.program, &request, &mut solving)
        })
    };
    let mut answer = ask(&target);
    // What was lost may be in packages that are installed beside the entry's own, which are read where they are needed.
    if answer.as_ref().map_or(true, |answer| answer.verdict == MigrateVerdict::Unknown)
        && let Some(wider) = target.with_unread_followed()
    {
        let second = ask(&wider);
        let is_answered = second.as_ref().is_ok_and(|second| second.verdict != MigrateVerdict::Unknown);
        if answer.is_err() && second.is_ok() || is_answered {
            answer = second;
        }
    }
    let answer =
        answer.map_err(|error| entry::explain_error(&error.to_string(), entry, Path::new(&args.rewrite.target)))?;
    if let Some(folder) = &args.solver.dump_smt2 {
        dump_queries(folder, &queries)?;
    }
    let library = target.library;
    let has_answer = matches!(answer.verdict, MigrateVerdict::Static | MigrateVerdict::Partial);
    let separate = match style {
        Style::Json if has_answer => Some(("types.json", format!("{:#}\n", Value::Object(report_json(&answer))))),
        Style::Export => answer.separate.clone().map(|text| ("dynamic_shapes.py", text)),
        _ => answer.separate.clone().map(|text| ("dynamic_axes.py", text)),
    };
    let separate = separate.map(|(path, text)| Rewritten { path: path.to_owned(), original: None, text, library });
    let file = answer.annotated.as_ref().map(|text| Rewritten {
        path: entry::place(answer.file.path(), library),
        original: Some(Arc::clone(&answer.file)),
        text: text.clone(),
        library,
    });
    let rewrite = RewriteOutput {
        report: report_json(&answer),
        summary: summarise_answer(&answer),
        refused: matches!(answer.verdict, MigrateVerdict::IllTyped | MigrateVerdict::Unknown),
        findings: answer.findings,
        files: file.into_iter().chain(separate).collect(),
    };
    finish(rewrite, &args.rewrite, session)
}

/// Types every module and function of the target's file.
fn run_all(args: &MigrateArgs, target: &EntryTarget, style: Style, session: &Session) -> Result<ExitStatus> {
    if style.is_separate() && style != Style::Json {
        bail!("this style describes one entry: name it with `--entry`")
    }
    let answer =
        workers::on_large_stack(|| migrate_all(&target.program, &target.module, style, &mut Solving::default()))
            .map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut summary = String::new();
    let mut listed: Vec<Value> = Vec::new();
    for one in &answer.definitions {
        let types: Vec<String> = one.shown.iter().map(|(name, shape)| format!("{name}: {shape}")).collect();
        let told = if types.is_empty() { one.reason.clone().unwrap_or_default() } else { types.join(", ") };
        summary.push_str(&format!("{} (line {}): {}  {told}\n", one.name, one.line, one.verdict.name()));
        let types: Map<String, Value> = one.shown.iter().map(|(name, shape)| (name.clone(), json!(shape))).collect();
        let reason = one.reason.as_ref().filter(|_| types.is_empty());
        listed.push(json!({
            "name": one.name, "line": one.line, "verdict": one.verdict.name(), "types": types, "reason": reason,
        }));
    }
    let is_typed = answer.definitions.iter().any(|one| !one.shown.is_empty());
    let report: Map<String, Value> = [("definitions".to_owned(), Value::Array(listed))].into_iter().collect();
    let file = match (style, answer.annotated) {
        (Style::Json, _) => Some(Rewritten {
            path: "types.json".to_owned(),
            original: None,
            text: format!("{:#}\n", Value::Object(report.clone())),
            library: target.library,
        }),
        (_, Some(text)) => Some(Rewritten {
            path: entry::place(answer.file.path(), target.library),
            original: Some(Arc::clone(&answer.file)),
            text,
            library: target.library,
        }),
        (_, None) => None,
    };
    let rewrite =
        RewriteOutput { report, summary, refused: !is_typed, findings: Vec::new(), files: file.into_iter().collect() };
    finish(rewrite, &args.rewrite, session)
}

fn report_json(answer: &MigrateAnswer) -> Map<String, Value> {
    let mut report = Map::new();
    report.insert("verdict".into(), answer.verdict.name().into());
    let parameters = answer.parameters.iter().map(|(name, shape)| {
        let dims = match shape {
            Some(TensorType::Dims(dims)) => dims.iter().map(size_value).collect(),
            Some(TensorType::Dyn) | None => Value::Null,
        };
        let mut parameter = json!({"dims": dims});
        let dtype = answer.dtypes.iter().find(|(known, _)| known == name).and_then(|(_, dtype)| *dtype);
        if let Some(dtype) = dtype {
            parameter["dtype"] = json!(dtype);
        }
        (name.clone(), parameter)
    });
    report.insert("parameters".into(), Value::Object(parameters.collect()));
    let ranks = answer.ranks.iter().map(|(name, ranks)| (name.clone(), json!(ranks)));
    report.insert("ranks".into(), Value::Object(ranks.collect()));
    report.insert("returns".into(), answer.returns.as_ref().map_or(Value::Null, returned_value));
    report.insert(
        "general".into(),
        answer.general.as_ref().map_or(Value::Null, |(names, general)| general_json(names, general)),
    );
    let blocking = answer.blocking.iter().map(|blocking| {
        json!({
            "parameter": blocking.parameter,
            "dimension": blocking.dimension,
            "reasons": blocking.reasons.iter().map(reason_value).collect::<Vec<_>>(),
        })
    });
    report.insert("blocking".into(), blocking.collect());
    report.insert("solving_seconds".into(), json!(answer.solving.as_secs_f64()));
    report
}

/// Sizes are numbers or expressions over names; relations are Python expressions over them.
fn general_json(names: &[String], general: &GeneralType) -> Value {
    let size = |dim: &Dim| match dim.as_const() {
        Some(number) => json!(number as i64),
        None if general.is_named(dim) => json!(general.show_size(dim)),
        None => Value::Null,
    };
    let parameters = names
        .iter()
        .zip(&general.parameters)
        .filter_map(|(name, sizes)| Some((name.clone(), sizes.as_ref()?.iter().map(size).collect::<Value>())));
    let places = general.relations.iter().filter_map(|relation| {
        let span = relation.span.as_ref()?;
        Some(json!({
            "relation": relation.text,
            "path": span.file.path(),
            "line": span.start().position.line,
        }))
    });
    json!({
        "parameters": parameters.collect::<Map<String, Value>>(),
        "relations": general.relations.iter().map(|relation| relation.text.clone()).collect::<Vec<_>>(),
        "reasons": places.collect::<Vec<_>>(),
        "result": returned_sizes(&general.result, &size),
    })
}

fn returned_sizes(value: &Returned, size: &dyn Fn(&Dim) -> Value) -> Value {
    match value {
        Returned::Tensor(dims) => json!({"dims": dims.iter().map(size).collect::<Vec<_>>()}),
        Returned::Unranked => json!({"dims": null}),
        Returned::Several(parts) => parts.iter().map(|part| returned_sizes(part, size)).collect(),
        Returned::Named(parts) => {
            Value::Object(parts.iter().map(|(name, part)| (name.clone(), returned_sizes(part, size))).collect())
        }
        Returned::Either(choices) => {
            json!({"either": choices.iter().map(|part| returned_sizes(part, size)).collect::<Vec<_>>()})
        }
        Returned::Plain | Returned::Other => Value::Null,
    }
}

fn size_value(dim: &DimType) -> Value {
    match dim {
        DimType::Dyn => Value::Null,
        DimType::Size(size) => json!(size),
    }
}

fn reason_value(conflict: &RequirementConflict) -> Value {
    let place = conflict.span.start();
    json!({"path": conflict.span.file.path(), "line": place.position.line, "message": conflict.message})
}

fn returned_value(value: &Returned) -> Value {
    returned_sizes(value, &|dim| dim.as_const().map_or(Value::Null, |size| json!(size as i64)))
}

fn dump_queries(folder: &Path, queries: &[String]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for (number, query) in queries.iter().enumerate() {
        let path = folder.join(format!("query-{number:03}.smt2"));
        std::fs::write(&path, query).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(())
}
