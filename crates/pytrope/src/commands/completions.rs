//! `pytrope completions`: a completion script for a shell.

use anyhow::Result;
use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::ExitStatus;
use crate::session::Session;

pub(super) fn run(args: &CompletionsArgs, session: &Session) -> Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pytrope", &mut script);
    session.print(|out| out.write_all(&script))?;
    Ok(ExitStatus::Success)
}
