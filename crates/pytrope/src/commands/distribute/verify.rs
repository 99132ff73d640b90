//! `--verify`: the one place where Pytrope runs the code that it is given, because it was asked to.
//!
//! The runner is Python (`python/pytrope/distribute_verify`, the same that the tests use). It is carried in the program,
//! written to a temporary folder, and started with the interpreter that has the framework.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use pytrope_distribute::{DistributeOutcome, Project, Target};
use serde_json::{Map, Value, json};

use crate::args::{DistributeArgs, ReportFormat};
use crate::exit::ExitStatus;
use crate::session::Session;

/// The runner's files.
const RUNNER: &[(&str, &str)] = &[
    ("__init__.py", include_str!("../../../../../python/pytrope/distribute_verify/__init__.py")),
    ("__main__.py", include_str!("../../../../../python/pytrope/distribute_verify/__main__.py")),
    ("compare.py", include_str!("../../../../../python/pytrope/distribute_verify/compare.py")),
    ("launch.py", include_str!("../../../../../python/pytrope/distribute_verify/launch.py")),
    ("observe.py", include_str!("../../../../../python/pytrope/distribute_verify/observe.py")),
    ("observe_tensorflow.py", include_str!("../../../../../python/pytrope/distribute_verify/observe_tensorflow.py")),
    ("draw_torch.py", include_str!("../../../../../python/pytrope/distribute_verify/draw_torch.py")),
    ("observe_torch.py", include_str!("../../../../../python/pytrope/distribute_verify/observe_torch.py")),
    ("ranks.py", include_str!("../../../../../python/pytrope/distribute_verify/ranks.py")),
    ("session.py", include_str!("../../../../../python/pytrope/distribute_verify/session.py")),
    ("synthetic.py", include_str!("../../../../../python/pytrope/distribute_verify/synthetic.py")),
];

pub(super) fn run(
    args: &DistributeArgs,
    steps: u32,
    to: Option<Target>,
    project: &Project,
    outcome: &DistributeOutcome,
    session: &Session,
) -> Result<ExitStatus> {
    if cfg!(windows) {
        bail!("--verify starts ranks by fork, which Windows does not have");
    }
    if args.rewrite.target == "-" {
        bail!("--verify runs a file, not standard input");
    }
    let target = super::target_of(to, outcome);
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let runner = folder.path().join("distribute_verify");
    std::fs::create_dir(&runner)?;
    for (name, text) in RUNNER {
        std::fs::write(runner.join(name), text)?;
    }
    let job = folder.path().join("job.json");
    std::fs::write(&job, serde_json::to_vec(&describe_run(args, steps, target, project, outcome)?)?)?;
    let python = find_interpreter(args.environment.python.as_deref())?;
    session.summary(&format!("running {} with {}", args.rewrite.target, python.display()));
    let mut command = Command::new(&python);
    command.arg(&runner).arg(&job);
    if args.rewrite.output_format == ReportFormat::Json {
        command.arg("json");
    }
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", python.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    if args.rewrite.output_format == ReportFormat::Json {
        let rows: Value = serde_json::from_str(&said).context("the runner printed no table")?;
        let mut object = Map::new();
        object.insert("version".into(), 1.into());
        object.insert("diagnostics".into(), Value::Array(Vec::new()));
        object.insert("verify".into(), rows);
        session.print(|out| {
            serde_json::to_writer_pretty(&mut *out, &Value::Object(object))?;
            writeln!(out)
        })?;
    } else {
        session.print(|out| write!(out, "{said}"))?;
    }
    match output.status.code() {
        Some(0) => Ok(ExitStatus::Success),
        Some(1) => Ok(ExitStatus::Found),
        _ => bail!("the runner ended with {}", output.status),
    }
}

fn describe_run(
    args: &DistributeArgs,
    steps: u32,
    target: Target,
    project: &Project,
    outcome: &DistributeOutcome,
) -> Result<Value> {
    let root = std::path::absolute(project.folder())?;
    let mut files = Map::new();
    for (id, text) in &outcome.files {
        files.insert(super::relative_place(project, &project.modules[*id].path), text.as_str().into());
    }
    if project.from_notebook {
        // The original of a notebook is the script that its cells make.
        bail!("--verify runs scripts: write the notebook as a script first (-o FILE.py), and verify that");
    }
    Ok(json!({
        "root": root,
        "entry": super::relative_place(project, &project.modules[0].path),
        "module": project.run_as,
        "files": files,
        "framework": match target {
            Target::Ddp | Target::Fsdp2 | Target::Accelerate => "torch",
            Target::Horovod => "horovod",
            Target::TfDistribute => "tensorflow",
        },
        "target": target.option(),
        "steps": if steps == 0 { Value::Null } else { steps.into() },
        "arguments": args.script_arguments,
    }))
}

/// The interpreter of `--python`, which may be a virtual environment; else the active environment's, or `python3`.
fn find_interpreter(given: Option<&Path>) -> Result<PathBuf> {
    let active = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from);
    let Some(path) = given.map(Path::to_path_buf).or(active) else { return Ok(PathBuf::from("python3")) };
    if path.is_file() {
        return Ok(path);
    }
    let python = path.join("bin").join("python");
    if python.is_file() {
        return Ok(python);
    }
    bail!("{}: --verify needs an interpreter or a virtual environment here", path.display())
}
