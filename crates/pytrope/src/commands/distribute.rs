//! `pytrope distribute`: the verb's arguments, and what its library answers.

mod load;
mod verify;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use pytrope_distribute::recipe::{LaunchProgram, Recipe, recipe_text};
use pytrope_distribute::{DistributeOutcome, ModuleId, Project, Summary, Target};
use serde_json::{Map, Value, json};

use crate::args::{DistributeArgs, Engine, RecipeKind, ReportFormat};
use crate::exit::ExitStatus;
use crate::rewrite::{RewriteOutput, Rewritten, finish};
use crate::session::Session;
use crate::workers;

pub(super) fn run(args: &DistributeArgs, session: &Session) -> Result<ExitStatus> {
    let to = args.to.map(|engine| match engine {
        Engine::Ddp => Target::Ddp,
        Engine::Fsdp2 => Target::Fsdp2,
        Engine::Accelerate => Target::Accelerate,
        Engine::Horovod => Target::Horovod,
        Engine::TfDistribute => Target::TfDistribute,
    });
    let mut answers = workers::on_large_stack(|| load::answer(args, to))?;
    let refused = answers.iter().any(|(_, outcome)| outcome.files.is_empty());
    if let (Some(recipe), false) = (args.recipe, refused) {
        for (project, outcome) in &answers {
            print_recipe(recipe, to, project, outcome, session)?;
        }
        return Ok(ExitStatus::Success);
    }
    if let (Some(steps), false) = (args.verify, refused) {
        let [(project, outcome)] = &answers[..] else { bail!("several scripts train: name the one to verify") };
        return verify::run(args, steps, to, project, outcome, session);
    }
    let findings = answers.iter_mut().flat_map(|(_, outcome)| std::mem::take(&mut outcome.findings)).collect();
    let report = report_json(&answers[0].0, &answers[0].1);
    let mut rewrite = RewriteOutput { findings, refused, report, ..RewriteOutput::default() };
    if args.explain {
        if args.rewrite.output_format != ReportFormat::Json {
            for (project, outcome) in &answers {
                session.print(|out| {
                    write!(out, "{}", explain_changes(project, outcome.summary.as_ref(), &outcome.changes))
                })?;
            }
        }
        rewrite.refused = true;
        finish(rewrite, &args.rewrite, session)?;
        return Ok(if refused { ExitStatus::Found } else { ExitStatus::Success });
    }
    if !refused {
        for (project, outcome) in &answers {
            collect_files(&mut rewrite, args, project, outcome, answers.len() > 1)?;
        }
    }
    finish(rewrite, &args.rewrite, session)
}

/// Add the files of one script's answer; a module that two scripts share is there once.
fn collect_files(
    rewrite: &mut RewriteOutput,
    args: &DistributeArgs,
    project: &Project,
    outcome: &DistributeOutcome,
    is_one_of_many: bool,
) -> Result<()> {
    let others: Vec<ModuleId> = outcome.files.iter().map(|(id, _)| *id).filter(|&id| id != 0).collect();
    let to_folder = args.rewrite.output.as_ref().is_some_and(|output| is_folder(output));
    let shows_all = args.rewrite.in_place || args.rewrite.diff || args.rewrite.output_format == ReportFormat::Json;
    if project.from_notebook && args.rewrite.in_place {
        bail!("a notebook gives a script: use -o {}", project.modules[0].parsed.file.path());
    }
    if (is_one_of_many || !others.is_empty()) && !to_folder && !shows_all {
        if is_one_of_many {
            bail!("several scripts of this folder train: use -o DIR or --in-place, or name one of them");
        }
        let names: Vec<&str> = others.iter().map(|&id| project.modules[id].parsed.file.path()).collect();
        bail!(
            "{} must change too, because the training runs through {}: use -o DIR or --in-place",
            names.join(", "),
            if names.len() == 1 { "it" } else { "them" }
        );
    }
    if let Some(folder) = args.rewrite.output.as_ref().filter(|_| to_folder) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    for (id, module) in project.modules.iter().enumerate() {
        let changed = outcome.files.iter().find(|(changed, _)| *changed == id).map(|(_, text)| text.clone());
        // A folder gets the unchanged modules too, so that it runs by itself.
        let wanted = changed.is_some() || id == 0 || to_folder;
        let path = relative_place(project, &module.path);
        if wanted && !rewrite.files.iter().any(|file| file.path == path) {
            let text = changed.unwrap_or_else(|| module.parsed.file.text().to_owned());
            // The script of a notebook is a new file.
            let original = (id != 0 || !project.from_notebook).then(|| Arc::clone(&module.parsed.file));
            rewrite.files.push(Rewritten { path, original, text, library: false });
        }
    }
    Ok(())
}

fn is_folder(output: &Path) -> bool {
    output.is_dir() || output.extension().is_none() || output.to_string_lossy().ends_with(['/', '\\'])
}

/// A module's place beside the entry, or below the folder that a package run with `-m` is in.
fn relative_place(project: &Project, path: &Path) -> String {
    // The entry is named as the user did, from the working directory; folders of packages are absolute.
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let (folder, path) = (absolute(project.folder()), absolute(path));
    let below = path
        .strip_prefix(&folder)
        .map_or_else(|_| path.file_name().map(PathBuf::from).unwrap_or_default(), Path::to_path_buf);
    below.to_string_lossy().replace('\\', "/")
}

/// The engine that an answer is for.
fn target_of(to: Option<Target>, outcome: &DistributeOutcome) -> Target {
    to.or_else(|| outcome.summary.as_ref().map(|summary| Target::default_for(summary.pattern))).unwrap_or(Target::Ddp)
}

fn print_recipe(
    kind: Option<RecipeKind>,
    to: Option<Target>,
    project: &Project,
    outcome: &DistributeOutcome,
    session: &Session,
) -> Result<ExitStatus> {
    let target = target_of(to, outcome);
    let program = match &project.run_as {
        Some(module) => LaunchProgram::Module(module.clone()),
        None => LaunchProgram::Script(relative_place(project, &project.modules[0].path)),
    };
    let launchers: &[Target] = match kind {
        Some(RecipeKind::Torchrun) => &[Target::Ddp, Target::Fsdp2],
        Some(RecipeKind::Accelerate) => &[Target::Accelerate],
        Some(RecipeKind::Horovodrun) => &[Target::Horovod],
        Some(RecipeKind::TfConfig) => &[Target::TfDistribute],
        Some(RecipeKind::Launcher | RecipeKind::Slurm | RecipeKind::Kubernetes) | None => &Target::ALL,
    };
    if !launchers.contains(&target) {
        bail!("{} is not started this way; use --recipe launcher", target.name());
    }
    let recipes: &[Recipe] = match kind {
        None => &[Recipe::Launcher, Recipe::Slurm, Recipe::Kubernetes],
        Some(RecipeKind::Slurm) => &[Recipe::Slurm],
        Some(RecipeKind::Kubernetes) => &[Recipe::Kubernetes],
        Some(_) => &[Recipe::Launcher],
    };
    session.print(|out| {
        for (i, &recipe) in recipes.iter().enumerate() {
            if i > 0 {
                writeln!(out, "\n---")?;
            }
            write!(out, "{}", recipe_text(recipe, target, &program))?;
        }
        Ok(())
    })?;
    Ok(ExitStatus::Success)
}

fn report_json(project: &Project, outcome: &DistributeOutcome) -> Map<String, Value> {
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

fn explain_changes(project: &Project, summary: Option<&Summary>, changes: &[pytrope_distribute::Change]) -> String {
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
