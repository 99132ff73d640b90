//! `pytrope project`: the verb's arguments, and what its library answers.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use pytrope_choreo::{Options, Projection, Siblings};
use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::{LineColumn, SourceFile, Span, TextRange};
use serde_json::Value;

use crate::args::{DiagramKind, ProjectArgs, TypeChecker};
use crate::discovery::suggest_path;
use crate::exit::ExitStatus;
use crate::rewrite::{RewriteOutput, Rewritten, finish};
use crate::session::Session;
use crate::sources;
use crate::workers::on_large_stack;

pub(super) fn run(args: &ProjectArgs, session: &Session) -> Result<ExitStatus> {
    let target = Path::new(&args.rewrite.target);
    let loaded = sources::load(target, args.rewrite.stdin_filename.as_deref())
        .with_context(|| format!("cannot read {}{}", args.rewrite.target, suggest_path(target)))?;
    let file = &loaded.parsed.file;
    let mut rewrite = RewriteOutput { findings: loaded.findings, ..RewriteOutput::default() };
    if let (Some(checker), true) = (args.typecheck, rewrite.findings.is_empty()) {
        rewrite.findings = run_type_checker(checker, target, file)?;
    }
    if rewrite.findings.is_empty() {
        let options = Options { diagrams: args.diagram.is_some(), asynchronous: args.asynchronous };
        let projection = on_large_stack(|| pytrope_choreo::project_file(file, &Siblings, options));
        answer_projection(args, projection, &mut rewrite)?;
    }
    rewrite.refused = !rewrite.findings.is_empty();
    let folder = args.rewrite.output.as_ref().filter(|output| output.extension().is_none());
    if let (Some(folder), None, false) = (folder, args.diagram, rewrite.refused) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    finish(rewrite, &args.rewrite, session)
}

fn answer_projection(args: &ProjectArgs, projection: Projection, rewrite: &mut RewriteOutput) -> Result<()> {
    rewrite.findings = projection.findings;
    if !rewrite.findings.is_empty() {
        return Ok(());
    }
    let roles: Vec<Value> = projection.modules.iter().map(|module| module.role.clone().into()).collect();
    rewrite.report.insert("roles".into(), roles.into());
    let new_file = |path: String, text: String| Rewritten { path, original: None, text, library: false };
    if let Some(kind) = args.diagram {
        let shown: Vec<_> = projection
            .diagrams
            .into_iter()
            .filter(|diagram| {
                args.only
                    .as_ref()
                    .is_none_or(|only| diagram.name == *only || diagram.name.split('.').next() == Some(only))
            })
            .collect();
        if shown.is_empty() {
            match &args.only {
                Some(only) => bail!("no method of `{only}` passes messages"),
                None => bail!("no messages pass in this choreography, so there is nothing to draw"),
            }
        }
        for diagram in shown {
            let (extension, text) = match kind {
                DiagramKind::Mermaid => ("mmd", diagram.mermaid),
                DiagramKind::Svg => ("svg", diagram.svg),
            };
            rewrite.files.push(new_file(format!("{}.{extension}", diagram.name), text));
        }
        return Ok(());
    }
    for role in &args.role {
        if !projection.modules.iter().any(|module| module.role == *role) {
            let known: Vec<&str> = projection.modules.iter().map(|module| module.role.as_str()).collect();
            bail!("no role {role} here; the roles are {}", known.join(", "));
        }
    }
    for module in projection.modules {
        if args.role.is_empty() || args.role.contains(&module.role) {
            rewrite.files.push(new_file(module.name, module.source));
        }
    }
    Ok(())
}

/// Runs a type checker on the file; each of its errors is a finding.
fn run_type_checker(checker: TypeChecker, path: &Path, file: &Arc<SourceFile>) -> Result<Vec<Finding>> {
    // A checker that runs in an older Python would refuse the syntax of a newer one.
    let version = pytrope_choreo::needed_version(file);
    let (name, output) = match checker {
        TypeChecker::Mypy => {
            let mut command = Command::new("mypy");
            // The project's own configuration decides how strict the check is; options would override it.
            command
                .args(["--no-error-summary", "--show-column-numbers", "--no-color-output", "--output", "json"])
                .args(version.map(|version| format!("--python-version={version}")))
                .arg(path);
            ("mypy", command.output())
        }
        TypeChecker::Pyright => {
            let mut command = Command::new("pyright");
            command.arg("--outputjson").args(version.map(|version| format!("--pythonversion={version}"))).arg(path);
            ("pyright", command.output())
        }
    };
    let output = output.with_context(|| format!("{name} cannot be started: is it on PATH?"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut errors = match checker {
        TypeChecker::Mypy => mypy_errors(&text),
        TypeChecker::Pyright => pyright_errors(&text),
    };
    let found = errors.len();
    // Roles given to a choreography without type parameters, `Quiet[A, B]`: who plays what is checked by us.
    let choreographies = pytrope_choreo::choreography_names(file, &Siblings);
    errors.retain(|(_, _, message)| {
        let class = message.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        !class.is_some_and(|(name, rest)| {
            rest.trim_start().starts_with("expects no type arguments")
                && choreographies.iter().any(|known| known.rsplit('.').next() == Some(name))
        })
    });
    if found == 0 && !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{name} failed: {}", if said.trim().is_empty() { text.trim() } else { said.trim() });
    }
    let rule = rule_by_id("typecheck-failed");
    Ok(errors
        .into_iter()
        .map(|(line, column, message)| {
            let offset = file.lines().offset(LineColumn { line, column }, file.text());
            Finding::new(rule, Span::new(file, TextRange::at(offset)), format!("{name}: {message}"))
        })
        .collect())
}

/// One JSON object per line, lines 1-based and columns 0-based.
fn mypy_errors(text: &str) -> Vec<(u32, u32, String)> {
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|error| error["severity"] == "error")
        .filter_map(|error| {
            Some((number_of(&error["line"])?, number_of(&error["column"])? + 1, error["message"].as_str()?.to_owned()))
        })
        .collect()
}

/// One JSON object, lines and columns 0-based.
fn pyright_errors(text: &str) -> Vec<(u32, u32, String)> {
    let Ok(report) = serde_json::from_str::<Value>(text) else {
        return Vec::new();
    };
    let Some(diagnostics) = report["generalDiagnostics"].as_array() else {
        return Vec::new();
    };
    diagnostics
        .iter()
        .filter(|error| error["severity"] == "error")
        .filter_map(|error| {
            let start = &error["range"]["start"];
            Some((
                number_of(&start["line"])? + 1,
                number_of(&start["character"])? + 1,
                error["message"].as_str()?.to_owned(),
            ))
        })
        .collect()
}

fn number_of(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}
