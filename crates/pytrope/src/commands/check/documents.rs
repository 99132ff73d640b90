//! Checks of documents that an editor has open: their texts count instead of the files.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use pytrope_diagnostics::sort_findings;
use pytrope_server::{DocumentReport, DocumentText};
use pytrope_shapes::{CheckOptions, show_shapes};

use super::{CheckSource, Setup};
use crate::args::{CheckArgs, ServerArgs};
use crate::session::Session;
use crate::sources;

/// The findings and bindings of one document. Other open documents can be imported and are not checked.
pub(crate) fn check_document(
    path: &Path,
    open: &[DocumentText],
    args: &ServerArgs,
    session: &Session,
) -> Result<DocumentReport> {
    let check_args = CheckArgs {
        paths: vec![path.to_owned()],
        environment: args.environment.clone(),
        levels: args.levels.clone(),
        possible: args.possible,
        ..CheckArgs::default()
    };
    let setup = Setup::new(&check_args, session)?;
    let (documents, others): (Vec<_>, Vec<_>) = open.iter().partition(|document| document.path == path);
    let document = documents.first().context("the document is not open")?;
    let load = |document: &DocumentText| {
        CheckSource::of(sources::from_bytes(&document.path, document.text.as_bytes().to_vec()))
    };
    let mut source = load(document);
    let mut findings = std::mem::take(&mut source.findings);
    let mut bindings = Vec::new();
    // What does not compile does not run: half-typed code has its syntax error and nothing else.
    if findings.is_empty() {
        let others: Vec<CheckSource> = others.into_iter().map(load).collect();
        let broken = others.iter().filter(|other| !other.findings.is_empty());
        let options = CheckOptions {
            broken: broken.map(|other| other.file.path().to_owned()).collect(),
            beside: others.iter().map(|other| Arc::clone(&other.file)).collect(),
            threads: 1,
            is_last: false,
            ..setup.check_options(&check_args, session)?
        };
        let checked = pytrope_shapes::check_files(std::slice::from_ref(&source.file), &options);
        findings
            .extend(checked.findings.into_iter().filter(|finding| finding.primary.file.path() == source.file.path()));
        bindings = show_shapes(&source.file, &options);
    }
    let mut findings = setup.filter_findings(&source, findings);
    sort_findings(&mut findings);
    Ok(DocumentReport { file: Arc::clone(&source.file), findings, bindings })
}
