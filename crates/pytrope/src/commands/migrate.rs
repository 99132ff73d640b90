//! `pytrope migrate`: the verb's arguments, and what its library answers.

use anyhow::{Result, bail};

use crate::args::MigrateArgs;
use crate::exit::Exit;
use crate::session::Session;

pub(super) fn run(args: &MigrateArgs, session: &Session) -> Result<Exit> {
    let _ = (args, session);
    bail!("`migrate` is not part of this build yet")
}
