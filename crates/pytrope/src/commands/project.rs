//! `pytrope project`: the verb's arguments, and what its library answers.

use anyhow::{Result, bail};

use crate::args::ProjectArgs;
use crate::exit::Exit;
use crate::session::Session;

pub(super) fn run(args: &ProjectArgs, session: &Session) -> Result<Exit> {
    let _ = (args, session);
    bail!("`project` is not part of this build yet")
}
