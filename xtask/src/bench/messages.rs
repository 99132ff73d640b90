//! Round trips of messages, beside raw sockets with pickle, pyzmq, gRPC and PyChor.

use anyhow::Result;

use super::BenchSection;
use super::usage::describe_machine;
use crate::process::{command, command_output};
use crate::venv::Venv;

pub(super) const SECTION: BenchSection =
    BenchSection { name: "messages", about: "Messages between roles, beside raw sockets, pyzmq, gRPC and PyChor", run };

fn run() -> Result<String> {
    let venv = Venv::ready("choreo-runtime")?;
    let mut bench = command(venv.python(), &["tests/bench/ping_pong.py"]);
    bench.env("PYTROPE_REQUIRE_PEERS", "1");
    Ok(format!("{}\n\n{}.", command_output(bench)?.trim_end(), describe_machine()))
}
