//! `pytrope server`: the language server, by the configuration of `check`.

use std::path::Path;

use anyhow::Result;
use pytrope_server::{DocumentAnalyzer, DocumentReport, DocumentText, serve_stdio};

use crate::args::ServerArgs;
use crate::commands::check::documents::check_document;
use crate::exit::ExitStatus;
use crate::session::Session;

pub(super) fn run(args: &ServerArgs, session: &Session) -> Result<ExitStatus> {
    let in_order = serve_stdio(&ProjectAnalyzer { args, session })?;
    // The protocol asks for exit code 1 where `exit` comes without `shutdown`.
    Ok(if in_order { ExitStatus::Success } else { ExitStatus::Found })
}

/// Analyses each document with the configuration of its own project.
struct ProjectAnalyzer<'a> {
    args: &'a ServerArgs,
    session: &'a Session,
}

impl DocumentAnalyzer for ProjectAnalyzer<'_> {
    fn analyse_document(&self, path: &Path, open: &[DocumentText]) -> Result<DocumentReport> {
        check_document(path, open, self.args, self.session)
    }

    fn rule_page(&self, code: &str) -> Option<String> {
        let site = std::env::var("PYTROPE_DOCS_URL").ok().filter(|address| !address.is_empty())?;
        Some(format!("{}/rules/{code}/", site.trim_end_matches('/')))
    }
}
