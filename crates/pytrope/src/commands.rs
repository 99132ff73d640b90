//! One file per verb; each reads its arguments, calls its library and prints what comes back.

mod cache;
pub(crate) mod check;
mod completions;
mod distribute;
mod draw;
mod explain;
mod man;
mod mcp;
mod migrate;
mod parse;
mod project;
mod prune;
mod report;
mod rules;
mod server;
mod solve;

use anyhow::{Context, Result};
use pytrope_source::reading::confine_reading;

use crate::args::{Cli, Command};
use crate::config::Config;
use crate::exit::ExitStatus;
use crate::session::Session;

/// Runs the command that was asked for.
pub(crate) fn run(cli: &Cli) -> Result<ExitStatus> {
    if let Some(folder) = &cli.global.read_below {
        confine_reading(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    }
    let session = Session::new(&cli.global)?;
    match &cli.command {
        Command::Check(args) => check::run(args, &session),
        Command::Migrate(args) => migrate::run(args, &session),
        Command::Prune(args) => prune::run(args, &session),
        Command::Draw(args) => draw::run(args, &session),
        Command::Report(args) => report::run(args, &session),
        Command::Distribute(args) => distribute::run(args, &session),
        Command::Project(args) => project::run(args, &session),
        Command::Server(args) => server::run(args, &session),
        Command::Mcp(args) => mcp::run(args, &session),
        Command::Cache(args) => cache::run(args, &session),
        Command::Explain(args) => explain::run(args, &session),
        Command::Rules(args) => rules::run(args, &session),
        Command::Completions(args) => completions::run(args, &session),
        Command::Man(args) => man::run(args, &session),
        Command::Solve(args) => solve::run(args, &session),
        Command::Schema => session.print(|out| write!(out, "{}", Config::json_schema())).map(|()| ExitStatus::Success),
        Command::Parse(args) => parse::run(args, &session),
    }
}
