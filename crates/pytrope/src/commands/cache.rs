//! `pytrope cache`: removes what `check` remembers of earlier runs.

use anyhow::{Context, Result};

use crate::args::{CacheAction, CacheArgs};
use crate::cache::{self, FOLDER};
use crate::config::Config;
use crate::environment::shown;
use crate::exit::ExitStatus;
use crate::session::Session;

pub(super) fn run(args: &CacheArgs, session: &Session) -> Result<ExitStatus> {
    let CacheAction::Clear { path } = &args.action;
    let config = Config::find(session.global.config.as_deref(), session.global.isolated, path)?;
    let folder = config.folder.unwrap_or_else(|| path.clone()).join(FOLDER);
    let is_removed = cache::clear(&folder).with_context(|| format!("cannot remove {}", shown(&folder)))?;
    session.summary(&if is_removed {
        format!("Removed {}", shown(&folder))
    } else {
        format!("There is no cache at {}", shown(&folder))
    });
    Ok(ExitStatus::Success)
}
