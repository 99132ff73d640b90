//! What is distributed: a script, a notebook, a folder with its scripts, or standard input.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_distribute::{DistributeOutcome, Project, Target, distribute};
use pytrope_source::{ModuleResolver, Span, TextRange};

use crate::args::DistributeArgs;
use crate::discovery::suggest_path;

/// A script with what became of it.
pub(super) type LoadAnswer = (Project, DistributeOutcome);

/// The answer for each script that the target names, never none.
pub(super) fn answer(args: &DistributeArgs, to: Option<Target>) -> Result<Vec<LoadAnswer>> {
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
        return Ok(vec![(project, outcome)]);
    }
    let path = Path::new(target);
    if path.is_dir() {
        return folder(path, to);
    }
    let project = load_project(path)?;
    let outcome = distribute(&project, to);
    Ok(vec![(project, outcome)])
}

fn load_project(path: &Path) -> Result<Project> {
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
    Project::load(&path, shown, resolver).with_context(|| format!("cannot read {shown}{}", suggest_path(&path)))
}

/// The scripts of a folder are those that train and that no other imports.
fn folder(path: &Path, to: Option<Target>) -> Result<Vec<LoadAnswer>> {
    let mut scripts: Vec<PathBuf> = std::fs::read_dir(path)
        .with_context(|| format!("cannot read {}", path.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .collect();
    scripts.sort();
    let mut trained: Vec<LoadAnswer> = Vec::new();
    let mut first = None;
    for script in scripts {
        let project = load_project(&script)?;
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
    if let Some(finding) = find_contradiction(&trained) {
        let (project, outcome) = trained.swap_remove(0);
        return Ok(vec![(project, DistributeOutcome { findings: vec![finding], files: Vec::new(), ..outcome })]);
    }
    if trained.is_empty() {
        trained.push(first.with_context(|| format!("{}: no Python file", path.display()))?);
    }
    Ok(trained)
}

/// Two scripts that need the same module changed in two ways cannot be distributed together.
fn find_contradiction(trained: &[LoadAnswer]) -> Option<Finding> {
    for (i, (project, outcome)) in trained.iter().enumerate() {
        for (other, others) in &trained[i + 1..] {
            for (id, module) in project.modules.iter().enumerate() {
                let Some(theirs) = other.modules.iter().position(|m| m.path == module.path) else { continue };
                let changed = |outcome: &DistributeOutcome, id| {
                    outcome.files.iter().find(|(file, _)| *file == id).map(|(_, text)| text.clone())
                };
                let unlike = changed(outcome, id) != changed(others, theirs);
                if unlike && !outcome.files.is_empty() && !others.files.is_empty() {
                    let entry = |project: &Project| Span::new(&project.modules[0].parsed.file, TextRange::at(0));
                    let message =
                        format!("two scripts train, and they need different changes to {}", module.parsed.file.path());
                    return Some(
                        Finding::new(rule_by_id("loops-apart"), entry(project), message)
                            .related(entry(other), "the other script")
                            .help("name one of the scripts"),
                    );
                }
            }
        }
    }
    None
}
