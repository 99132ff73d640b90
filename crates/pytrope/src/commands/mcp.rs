//! `pytrope mcp`: the verbs as tools of coding assistants, each call a run of this program of its own.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use pytrope_server::{ToolRunner, serve_tools};

use crate::args::McpArgs;
use crate::exit::ExitStatus;
use crate::session::Session;

pub(super) fn run(args: &McpArgs, session: &Session) -> Result<ExitStatus> {
    let root = args.root.clone().unwrap_or_else(|| session.base.clone());
    let root = root.canonicalize().with_context(|| format!("{} cannot be read", root.display()))?;
    let runner = ChildRunner { program: std::env::current_exe().context("the program is not found")?, root: &root };
    serve_tools(&root, &runner, BufReader::new(std::io::stdin()), std::io::stdout())?;
    Ok(ExitStatus::Success)
}

/// Runs commands as children: what one of them does wrong does not end the session.
struct ChildRunner<'a> {
    program: PathBuf,
    root: &'a Path,
}

impl ToolRunner for ChildRunner<'_> {
    fn run_command(&self, arguments: &[String], input: Option<&str>) -> Result<String> {
        let mut child = Command::new(&self.program)
            .arg("--read-below")
            .arg(self.root)
            .args(arguments)
            .current_dir(self.root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("the program cannot be started")?;
        if let (Some(mut pipe), Some(text)) = (child.stdin.take(), input) {
            // A child that does not read all of it says so by its exit code.
            let _ = pipe.write_all(text.as_bytes());
        }
        let output = child.wait_with_output().context("the program cannot be read")?;
        // Findings and refusals are answers; anything else is a failure.
        match output.status.code() {
            Some(0 | 1) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            _ => bail!("{}", String::from_utf8_lossy(&output.stderr).trim()),
        }
    }
}
