//! `pytrope server`: the language server, by the configuration of `check`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use pytrope_diagnostics::page_address;
use pytrope_server::{BranchQuestion, DocumentAnalyzer, DocumentReport, DocumentText, ProgressStep, serve_stdio};
use pytrope_shapes::ShownBinding;
use pytrope_shapes::prune::{Decision, PruneRequest, prune_entry};

use crate::args::ServerArgs;
use crate::commands::check::workspace::Workspace;
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::{entry, workers};

pub(super) fn run(args: &ServerArgs, session: &Session) -> Result<ExitStatus> {
    let mut projects = OpenProjects { args, session, roots: Vec::new(), workspaces: Vec::new() };
    let in_order = serve_stdio(&mut projects)?;
    // The protocol asks for exit code 1 where `exit` comes without `shutdown`.
    Ok(if in_order { ExitStatus::Success } else { ExitStatus::Found })
}

/// The projects that an editor has documents of, each with the configuration of its own folder.
struct OpenProjects<'a> {
    args: &'a ServerArgs,
    session: &'a Session,
    /// Folders that the editor has open.
    roots: Vec<PathBuf>,
    /// Read when a document of theirs is first asked about.
    workspaces: Vec<Workspace>,
}

impl OpenProjects<'_> {
    /// The project of a target, read if it was not.
    fn open_target(&mut self, target: &Path) -> Result<usize> {
        if let Some(at) = self.workspaces.iter().position(|workspace| workspace.target == target) {
            return Ok(at);
        }
        self.workspaces.push(Workspace::open(target, self.args, self.session)?);
        Ok(self.workspaces.len() - 1)
    }

    /// The project that a document is part of, with the texts of all open documents: that of the innermost open folder, or the
    /// document's own where no folder holds it, its configuration leaves it out, or the folder is too large.
    fn workspace_of(&mut self, path: &Path, open: &[DocumentText]) -> Result<&mut Workspace> {
        let around = self.roots.iter().filter(|root| path.starts_with(root));
        let root = around.max_by_key(|root| root.components().count()).cloned();
        if let Some(root) = root {
            let at = self.open_target(&root)?;
            self.workspaces[at].set_texts(open);
            if self.workspaces[at].has_file(path) {
                return Ok(&mut self.workspaces[at]);
            }
        }
        let at = self.open_target(path)?;
        self.workspaces[at].set_texts(open);
        Ok(&mut self.workspaces[at])
    }
}

impl DocumentAnalyzer for OpenProjects<'_> {
    fn set_roots(&mut self, roots: Vec<PathBuf>) {
        self.workspaces.clear();
        self.roots = roots;
    }

    fn rescan_files(&mut self, changed: &[PathBuf]) {
        // A project whose configuration cannot be read is read again, and the error said, when it is next asked about.
        let session = self.session;
        self.workspaces.retain_mut(|workspace| workspace.rescan(changed, session).is_ok());
    }

    fn analyse_document(
        &mut self,
        path: &Path,
        open: &[DocumentText],
        progress: Option<ProgressStep>,
    ) -> Result<DocumentReport> {
        let workspace = self.workspace_of(path, open)?;
        workspace.analyse(progress);
        workspace.report_of(path)
    }

    fn shapes_of_document(&mut self, path: &Path, open: &[DocumentText]) -> Result<Vec<ShownBinding>> {
        let workspace = self.workspace_of(path, open)?;
        workspace.analyse(None);
        Ok(workspace.shapes_of(path))
    }

    fn analyse_workspace(
        &mut self,
        open: &[DocumentText],
        progress: Option<ProgressStep>,
    ) -> Result<Vec<DocumentReport>> {
        let mut reports = Vec::new();
        for root in self.roots.clone() {
            let at = self.open_target(&root)?;
            if self.workspaces[at].is_large {
                // Of a large project the open documents are analysed, each for itself.
                for document in open.iter().filter(|document| document.path.starts_with(&root)) {
                    reports.extend(self.analyse_document(&document.path, open, None).ok());
                }
                continue;
            }
            let workspace = &mut self.workspaces[at];
            workspace.set_texts(open);
            workspace.analyse(progress.clone());
            reports.extend(workspace.reports());
        }
        Ok(reports)
    }

    fn prune_document(
        &mut self,
        path: &Path,
        open: &[DocumentText],
        question: &BranchQuestion,
    ) -> Result<Option<String>> {
        let Some(document) = open.iter().find(|document| document.path == path) else { return Ok(None) };
        let Some(target) = entry::open_text(path, &document.text, &self.args.environment, self.session)? else {
            return Ok(None);
        };
        let assume: Vec<String> = question.assume.iter().cloned().collect();
        let request = PruneRequest { module: &target.module, entry: &question.entry, assume: &assume, guard: false };
        // A question about names that the entry does not have is one that nothing answers.
        let Ok(answer) = workers::on_large_stack(|| prune_entry(&target.program, &request)) else { return Ok(None) };
        let [pruned] = answer.files.as_slice() else { return Ok(None) };
        let is_decided = answer.branches.iter().any(|branch| {
            branch.range == question.test
                && branch.decision != Decision::Keep
                && branch.file.path() == pruned.file.path()
        });
        Ok((is_decided && pruned.is_target).then(|| pruned.text.clone()))
    }

    fn rule_page(&self, code: &str) -> Option<String> {
        let site = std::env::var("PYTROPE_DOCS_URL").ok().filter(|address| !address.is_empty())?;
        Some(page_address(&site, code))
    }
}
