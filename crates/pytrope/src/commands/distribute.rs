//! `pytrope distribute`: the verb's arguments, and what its library answers.

use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_distribute::{ModuleId, Outcome, Project, Summary, Target, distribute};
use pytrope_source::{ModuleResolver, Span, TextRange};
use serde_json::{Map, Value, json};

use crate::args::{DistributeArgs, Engine, ReportFormat};
use crate::exit::Exit;
use crate::rewrite::{Rewrite, Rewritten, finish};
use crate::session::Session;
use crate::workers;

pub(super) fn run(args: &DistributeArgs, session: &Session) -> Result<Exit> {
    let to = args.to.map(|engine| match engine {
        Engine::Horovod => Target::Horovod,
        Engine::Ddp => Target::Ddp,
    });
    let (project, outcome) = workers::on_large_stack(|| answer(args, to))?;
    let refused = outcome.files.is_empty();
    let mut rewrite =
        Rewrite { refused, report: report(&project, &outcome), findings: outcome.findings, ..Rewrite::default() };
    if args.explain {
        if args.rewrite.output_format != ReportFormat::Json {
            session.print(|out| write!(out, "{}", explain(&project, outcome.summary.as_ref(), &outcome.changes)))?;
        }
        rewrite.refused = true;
        finish(rewrite, &args.rewrite, session)?;
        return Ok(if refused { Exit::Found } else { Exit::Success });
    }
    let others: Vec<ModuleId> = outcome.files.iter().map(|(id, _)| *id).filter(|&id| id != 0).collect();
    let to_folder = args.rewrite.output.as_ref().is_some_and(|output| is_folder(output));
    if !others.is_empty()
        && !to_folder
        && !args.rewrite.in_place
        && !args.rewrite.diff
        && args.rewrite.output_format != ReportFormat::Json
    {
        let names: Vec<&str> = others.iter().map(|&id| project.modules[id].parsed.file.path()).collect();
        bail!(
            "{} must change too, because the training runs through {}: use -o DIR or --in-place",
            names.join(", "),
            if names.len() == 1 { "it" } else { "them" }
        );
    }
    if let (Some(folder), false) = (args.rewrite.output.as_ref().filter(|_| to_folder), refused) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    for (id, module) in project.modules.iter().enumerate() {
        let changed = outcome.files.iter().find(|(changed, _)| *changed == id).map(|(_, text)| text.clone());
        // A folder gets the unchanged modules too, so that it runs by itself.
        let wanted = changed.is_some() || id == 0 || (to_folder && !others.is_empty());
        if !refused && wanted {
            let text = changed.unwrap_or_else(|| module.parsed.file.text().to_owned());
            rewrite.files.push(Rewritten {
                path: relative(&project, &module.path),
                original: Some(Arc::clone(&module.parsed.file)),
                text,
                library: false,
            });
        }
    }
    finish(rewrite, &args.rewrite, session)
}

fn is_folder(output: &Path) -> bool {
    output.is_dir() || output.extension().is_none() || output.to_string_lossy().ends_with(['/', '\\'])
}

/// A module's place beside the entry.
fn relative(project: &Project, path: &Path) -> String {
    let folder = project.modules[0].path.parent().unwrap_or(Path::new(""));
    let below = path
        .strip_prefix(folder)
        .map_or_else(|_| path.file_name().map(PathBuf::from).unwrap_or_default(), Path::to_path_buf);
    below.to_string_lossy().replace('\\', "/")
}

fn answer(args: &DistributeArgs, to: Option<Target>) -> Result<(Project, Outcome)> {
    let target = &args.rewrite.target;
    if target == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("standard input cannot be read")?;
        let name = args
            .rewrite
            .stdin_filename
            .as_ref()
            .map_or("<stdin>".to_owned(), |path| path.to_string_lossy().into_owned());
        let project = Project::from_texts(&[(&name, &text)]);
        let outcome = distribute(&project, to);
        return Ok((project, outcome));
    }
    let path = Path::new(target);
    if path.is_dir() {
        return folder(path, to);
    }
    let project = load(path)?;
    let outcome = distribute(&project, to);
    Ok((project, outcome))
}

fn load(path: &Path) -> Result<Project> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let resolver = ModuleResolver::for_project(folder);
    let shown = path.to_string_lossy().replace('\\', "/");
    let shown = shown.strip_prefix("./").unwrap_or(&shown);
    let path = if path.parent().is_none_or(|parent| parent.as_os_str().is_empty()) {
        folder.join(path)
    } else {
        path.to_path_buf()
    };
    Project::load(&path, shown, resolver).with_context(|| format!("{}: cannot be read", path.display()))
}

/// The script of a folder is the one that trains and that no other imports.
fn folder(path: &Path, to: Option<Target>) -> Result<(Project, Outcome)> {
    let mut scripts: Vec<PathBuf> = std::fs::read_dir(path)
        .with_context(|| format!("{}: cannot be read", path.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .collect();
    scripts.sort();
    let mut trained: Vec<(Project, Outcome)> = Vec::new();
    let mut first = None;
    for script in scripts {
        let project = load(&script)?;
        let outcome = distribute(&project, to);
        let trains = !outcome.findings.iter().any(|finding| finding.rule.id == "no-training-loop");
        if trains {
            trained.push((project, outcome));
        } else if first.is_none() {
            first = Some((project, outcome));
        }
    }
    let imported: Vec<PathBuf> = trained
        .iter()
        .flat_map(|(project, _)| project.modules.iter().skip(1).map(|module| module.path.clone()))
        .collect();
    trained.retain(|(project, _)| !imported.contains(&project.modules[0].path));
    if trained.len() > 1 {
        let spans: Vec<Span> =
            trained.iter().map(|(project, _)| Span::new(&project.modules[0].parsed.file, TextRange::at(0))).collect();
        let mut finding =
            Finding::new(rule_by_id("loops-apart"), spans[0].clone(), "several scripts of this folder train");
        for span in &spans[1..] {
            finding = finding.related(span.clone(), "another one");
        }
        let (project, _) = trained.swap_remove(0);
        let outcome = Outcome {
            findings: vec![finding.help("name one of them")],
            files: Vec::new(),
            summary: None,
            changes: Vec::new(),
        };
        return Ok((project, outcome));
    }
    trained.pop().or(first).with_context(|| format!("{}: no Python file", path.display()))
}

fn report(project: &Project, outcome: &Outcome) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("pattern".into(), outcome.summary.as_ref().map(|summary| summary.pattern.id()).into());
    if let Some(summary) = &outcome.summary {
        object.insert("loop".into(), json!({"path": summary.path, "line": summary.line}));
        for (name, items) in summary.lists() {
            let items: Vec<Value> =
                items.iter().map(|item| json!({"path": item.path, "line": item.line, "text": item.text})).collect();
            object.insert(name.into(), items.into());
        }
    }
    let changes: Vec<Value> = outcome
        .changes
        .iter()
        .map(|change| {
            let path = project.modules[change.module].parsed.file.path();
            json!({"rule": change.rule, "path": path, "line": change.line, "message": change.what})
        })
        .collect();
    object.insert("changes".into(), changes.into());
    object
}

fn explain(project: &Project, summary: Option<&Summary>, changes: &[pytrope_distribute::Change]) -> String {
    let mut text = String::new();
    let Some(summary) = summary else { return text };
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}:{}: {}", summary.path, summary.line, summary.pattern.name());
    for (name, items) in summary.lists() {
        if !items.is_empty() {
            let _ = writeln!(text, "{name}:");
            for item in items {
                let _ = writeln!(text, "  {}:{}: {}", item.path, item.line, item.text);
            }
        }
    }
    if !changes.is_empty() {
        let _ = writeln!(text, "edits:");
        for change in changes {
            let path = project.modules[change.module].parsed.file.path();
            let _ = writeln!(text, "  {path}:{}: {}: {}", change.line, change.rule, change.what);
        }
    }
    text
}
