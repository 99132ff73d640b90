//! `pytrope man`: the manual page, and with `-o DIR` one page per command for packages to install.

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::exit::ExitStatus;
use crate::session::Session;

pub(super) fn run(args: &ManArgs, session: &Session) -> Result<ExitStatus> {
    if let Some(folder) = &args.output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        clap_mangen::generate_to(Cli::command(), folder)
            .with_context(|| format!("cannot write the pages to {}", folder.display()))?;
    } else {
        let mut page = Vec::new();
        Man::new(Cli::command()).render(&mut page).context("a page is written to memory")?;
        session.print(|out| out.write_all(&page))?;
    }
    Ok(ExitStatus::Success)
}
