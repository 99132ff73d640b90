//! `pytrope solve`: answers a file of integer constraints (a developer command).

use anyhow::{Result, bail};

use crate::args::SolveArgs;
use crate::exit::Exit;
use crate::session::Session;

pub(super) fn run(args: &SolveArgs, session: &Session) -> Result<Exit> {
    let _ = (args, session);
    bail!("`solve` is not part of this build yet")
}
