//! `pytrope prune`: the verb's arguments, and what its library answers.

use anyhow::{Result, bail};

use crate::args::PruneArgs;
use crate::exit::Exit;
use crate::session::Session;

pub(super) fn run(args: &PruneArgs, session: &Session) -> Result<Exit> {
    let _ = (args, session);
    bail!("`prune` is not part of this build yet")
}
