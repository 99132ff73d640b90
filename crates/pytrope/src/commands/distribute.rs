//! `pytrope distribute`: the verb's arguments, and what its library answers.

use anyhow::{Result, bail};

use crate::args::DistributeArgs;
use crate::exit::Exit;
use crate::session::Session;

pub(super) fn run(args: &DistributeArgs, session: &Session) -> Result<Exit> {
    let _ = (args, session);
    bail!("`distribute` is not part of this build yet")
}
