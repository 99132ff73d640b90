//! The loop that receives messages, keeps documents analysed, and sends what the editor waits for.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use anyhow::{Context, Result};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use lsp_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders,
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, LogMessage, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{RegisterCapability, Request as _};
use lsp_types::{
    Diagnostic, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, InitializeParams,
    LogMessageParams, MessageType, PublishDiagnosticsParams, Registration, RegistrationParams, Url, WorkspaceFolder,
};
use pytrope_diagnostics::Finding;
use pytrope_shapes::ShownBinding;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::analyzer::{DocumentAnalyzer, DocumentReport};
use crate::capabilities::{EditorAbilities, server_capabilities};
use crate::diagnostics::to_diagnostic;
use crate::documents::OpenDocuments;
use crate::notebooks::{NotebookChanged, NotebookClosed, NotebookOpened, Notebooks, OpenNotebook};
use crate::places::Places;
use crate::positions::PositionEncoding;
use crate::progress::AnalysisProgress;

/// Files whose changes on disk may change an answer.
const WATCHED: [&str; 5] = ["**/*.py", "**/*.pyi", "**/*.ipynb", "**/pytrope.toml", "**/pyproject.toml"];

/// Serves an editor over standard input and output until it ends the session; whether it did so in order.
///
/// The reader of `lsp_server` waits with each message until it is taken. A relay takes them all, so that during an analysis the
/// loop sees every message that has arrived: a request that is taken back, and the edit that makes an analysis needless.
pub fn serve_stdio(analyzer: &mut dyn DocumentAnalyzer) -> Result<bool> {
    let (stdio, threads) = Connection::stdio();
    let (relay, relayed) = Connection::memory();
    let connection = Connection { sender: stdio.sender, receiver: relayed.receiver };
    let incoming = stdio.receiver;
    std::thread::spawn(move || {
        for message in incoming {
            // After the end of the session messages are still read, and lost.
            drop(relay.sender.send(message));
        }
    });
    let in_order = serve(&connection, analyzer)?;
    // The writer ends when its channel closes.
    drop(connection);
    threads.join()?;
    Ok(in_order)
}

/// Serves one connection until `exit` or the end of input; `true` if `shutdown` came before.
pub fn serve(connection: &Connection, analyzer: &mut dyn DocumentAnalyzer) -> Result<bool> {
    let (id, given) = connection
        .initialize_start()
        .context("no editor has sent `initialize` over standard input; `pytrope server` is started by an editor")?;
    let editor = EditorAbilities::of(&given);
    let params: InitializeParams = serde_json::from_value(given)?;
    let offered = params.capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref());
    let encoding = PositionEncoding::negotiate(offered);
    let answer = json!({
        "capabilities": server_capabilities(encoding)?,
        "serverInfo": {"name": "pytrope", "version": env!("CARGO_PKG_VERSION")},
    });
    connection.initialize_finish(id, answer)?;
    let roots = roots_of(&params);
    analyzer.set_roots(roots.clone());
    let mut server = LanguageServer {
        connection,
        analyzer,
        encoding,
        editor,
        roots,
        documents: OpenDocuments::default(),
        notebooks: Notebooks::default(),
        queue: VecDeque::new(),
        has_analysed: false,
        is_shut_down: false,
    };
    if editor.watches_files {
        server.watch_files()?;
    }
    server.run_loop()
}

/// The folders that an editor has open.
fn roots_of(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten().filter_map(folder_path);
    let mut roots: Vec<PathBuf> = folders.collect();
    #[expect(deprecated, reason = "older editors name one root and no folders")]
    if roots.is_empty() {
        roots.extend(params.root_uri.as_ref().and_then(|uri| uri.to_file_path().ok()));
    }
    roots
}

fn folder_path(folder: &WorkspaceFolder) -> Option<PathBuf> {
    folder.uri.to_file_path().ok()
}

pub(crate) struct LanguageServer<'a> {
    pub connection: &'a Connection,
    pub analyzer: &'a mut dyn DocumentAnalyzer,
    pub encoding: PositionEncoding,
    pub editor: EditorAbilities,
    roots: Vec<PathBuf>,
    pub documents: OpenDocuments,
    pub notebooks: Notebooks,
    /// Messages that have arrived and were not handled yet, in order.
    queue: VecDeque<Message>,
    /// The first analysis is over, which is the long one.
    has_analysed: bool,
    pub is_shut_down: bool,
}

impl LanguageServer<'_> {
    fn run_loop(&mut self) -> Result<bool> {
        loop {
            self.receive_arrived();
            let message = match self.queue.pop_front() {
                Some(message) => message,
                // Nothing waits: documents that changed are analysed, one by one while nothing arrives.
                None if self.analyse_next()? => continue,
                None => match self.connection.receiver.recv() {
                    Ok(message) => message,
                    Err(_) => return Ok(self.is_shut_down),
                },
            };
            match message {
                Message::Request(request) => self.handle_request(&request)?,
                Message::Notification(notification) if notification.method == Exit::METHOD => {
                    return Ok(self.is_shut_down);
                }
                Message::Notification(notification) => self.handle_notification(notification)?,
                // To a registration, which the editor may refuse: then nothing is watched.
                Message::Response(_) => {}
            }
        }
    }

    fn receive_arrived(&mut self) {
        self.queue.extend(self.connection.receiver.try_iter());
    }

    /// Whether the editor has taken a request back before it was answered.
    pub fn is_cancelled(&mut self, id: &RequestId) -> bool {
        self.receive_arrived();
        let names = |params: &Value| {
            let given = params.get("id").cloned().unwrap_or_default();
            serde_json::from_value::<RequestId>(given).is_ok_and(|given| given == *id)
        };
        self.queue.iter().any(|message| match message {
            Message::Notification(notification) => {
                notification.method == "$/cancelRequest" && names(&notification.params)
            }
            _ => false,
        })
    }

    /// Analyses one document that changed and, where the editor waits for that, sends its diagnostics.
    fn analyse_next(&mut self) -> Result<bool> {
        if self.editor.pulls_diagnostics {
            return Ok(false);
        }
        let Some(uri) = self.documents.unanalysed().into_iter().next() else { return Ok(false) };
        self.publish_diagnostics(&uri)?;
        Ok(true)
    }

    /// Sends the diagnostics of a document, or of all cells of a notebook.
    fn publish_diagnostics(&mut self, uri: &Url) -> Result<()> {
        let version = self.documents.get(uri).map(|document| document.version);
        let cells: Vec<Url> = match self.notebooks.notebook_of(uri) {
            Some(notebook) => notebook.cells.iter().map(|cell| cell.uri.clone()).collect(),
            None => vec![uri.clone()],
        };
        for cell in cells {
            let diagnostics = self.diagnostics_of(&cell)?;
            self.notify::<PublishDiagnostics>(PublishDiagnosticsParams::new(cell, diagnostics, version))?;
        }
        Ok(())
    }

    /// How places are named for the editor.
    pub fn places(&self) -> Places<'_> {
        Places { encoding: self.encoding, notebooks: &self.notebooks }
    }

    pub fn diagnostics_of(&mut self, uri: &Url) -> Result<Vec<Diagnostic>> {
        let file_uri = self.file_uri(uri);
        self.analyse_open(&file_uri)?;
        let Some(report) = self.documents.get(&file_uri).and_then(|document| document.report.as_ref()) else {
            return Ok(Vec::new());
        };
        let places = self.places();
        let is_here = |finding: &&Finding| {
            file_uri == *uri || places.location_of(&finding.primary).is_some_and(|location| location.uri == *uri)
        };
        Ok(report.findings.iter().filter(is_here).map(|finding| self.to_diagnostic(finding)).collect())
    }

    pub fn to_diagnostic(&self, finding: &Finding) -> Diagnostic {
        to_diagnostic(finding, self.places(), self.analyzer.rule_page(finding.rule.code).as_deref())
    }

    /// The address of the file that a document is: for a cell, its notebook.
    pub fn file_uri(&self, uri: &Url) -> Url {
        self.notebooks.notebook_of(uri).map_or_else(|| uri.clone(), |notebook| notebook.uri.clone())
    }

    /// Runs a step that may take long the first time, with progress then.
    pub fn with_progress<T>(
        &mut self,
        step: impl FnOnce(&mut dyn DocumentAnalyzer, Option<crate::analyzer::ProgressStep>) -> Result<T>,
    ) -> std::thread::Result<Result<T>> {
        let is_shown = self.editor.shows_progress && !self.has_analysed;
        self.has_analysed = true;
        let progress = is_shown.then(|| AnalysisProgress::begin(self.connection));
        let (_ends, step_done) = progress.unzip();
        catch_unwind(AssertUnwindSafe(|| step(self.analyzer, step_done)))
    }

    /// Makes sure that an open document has the report of its present text.
    pub fn analyse_open(&mut self, uri: &Url) -> Result<()> {
        let Some(document) = self.documents.get(uri).filter(|document| document.report.is_none()) else {
            return Ok(());
        };
        let path = document.path.clone();
        let texts = self.documents.texts();
        let analysed = self.with_progress(|analyzer, step| analyzer.analyse_document(&path, &texts, step));
        let report = match analysed {
            Ok(Ok(report)) => report,
            Ok(Err(error)) => return self.report_failure(uri, &format!("{error:#}")),
            Err(_) => return self.report_failure(uri, "internal error; please report it"),
        };
        if let Some(document) = self.documents.get_mut(uri) {
            document.report = Some(report);
        }
        Ok(())
    }

    /// The report of a document with its bindings; none if it is not open.
    pub fn shapes_of(&mut self, uri: &Url) -> Result<Option<(&DocumentReport, &[ShownBinding])>> {
        self.analyse_open(uri)?;
        let Some(document) = self.documents.get(uri) else { return Ok(None) };
        if document.bindings.is_none() {
            let (path, texts) = (document.path.clone(), self.documents.texts());
            let analyzer = &mut *self.analyzer;
            let shown = catch_unwind(AssertUnwindSafe(|| analyzer.shapes_of_document(&path, &texts)));
            let bindings = shown.ok().and_then(Result::ok).unwrap_or_default();
            if let Some(document) = self.documents.get_mut(uri) {
                document.bindings = Some(bindings);
            }
        }
        let document = self.documents.get(uri);
        Ok(document.and_then(|document| Some((document.report.as_ref()?, document.bindings.as_deref()?))))
    }

    /// Says that a document could not be analysed, and takes it for one without findings until it changes.
    fn report_failure(&mut self, uri: &Url, message: &str) -> Result<()> {
        let message = format!("{uri}: {message}");
        self.notify::<LogMessage>(LogMessageParams { typ: MessageType::ERROR, message })?;
        if let Some(document) = self.documents.get_mut(uri) {
            let file = pytrope_source::SourceFile::from_text(document.path.to_string_lossy(), &*document.text);
            document.report = Some(DocumentReport { file, findings: Vec::new() });
        }
        Ok(())
    }

    fn handle_notification(&mut self, notification: Notification) -> Result<()> {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(params) = params_of::<DidOpenTextDocument>(params) {
                    let document = params.text_document;
                    self.documents.open_document(document.uri, document.version, document.text.into());
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(params) = params_of::<DidChangeTextDocument>(params) {
                    let (uri, version) = (params.text_document.uri, params.text_document.version);
                    self.documents.edit_document(&uri, version, params.content_changes, self.encoding);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(params) = params_of::<DidCloseTextDocument>(params) {
                    self.close_document(&params.text_document.uri)?;
                }
            }
            "notebookDocument/didOpen" => {
                if let Some(opened) = read_params::<NotebookOpened>(params) {
                    let notebook = OpenNotebook::new(opened);
                    self.documents.open_document(notebook.uri.clone(), notebook.version, notebook.document_text().text);
                    self.notebooks.open.push(notebook);
                }
            }
            "notebookDocument/didChange" => self.change_notebook(params),
            "notebookDocument/didClose" => {
                if let Some(closed) = read_params::<NotebookClosed>(params) {
                    self.close_notebook(&closed.notebook_document.uri)?;
                }
            }
            DidChangeWorkspaceFolders::METHOD => {
                if let Some(params) = params_of::<DidChangeWorkspaceFolders>(params) {
                    let removed: Vec<PathBuf> = params.event.removed.iter().filter_map(folder_path).collect();
                    self.roots.retain(|root| !removed.contains(root));
                    self.roots.extend(params.event.added.iter().filter_map(folder_path));
                    self.analyzer.set_roots(self.roots.clone());
                    self.ask_again()?;
                }
            }
            // What is on disk has changed: an import may lead to other code, the configuration to other rules.
            DidChangeWatchedFiles::METHOD => {
                let changes =
                    params_of::<DidChangeWatchedFiles>(params).map(|params| params.changes).unwrap_or_default();
                let paths: Vec<PathBuf> = changes.iter().filter_map(|change| change.uri.to_file_path().ok()).collect();
                self.analyzer.rescan_files(&paths);
                self.ask_again()?;
            }
            DidSaveTextDocument::METHOD | DidChangeConfiguration::METHOD | "notebookDocument/didSave" => {
                self.analyzer.rescan_files(&[]);
                self.ask_again()?;
            }
            _ => {}
        }
        Ok(())
    }

    fn close_document(&mut self, uri: &Url) -> Result<()> {
        self.documents.close_document(uri);
        if !self.editor.pulls_diagnostics {
            self.notify::<PublishDiagnostics>(PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None))?;
        }
        Ok(())
    }

    fn change_notebook(&mut self, params: Value) {
        let Some(NotebookChanged { notebook_document, change }) = read_params(params) else { return };
        let Some(notebook) = self.notebooks.find_mut(&notebook_document.uri) else { return };
        notebook.version = notebook_document.version;
        notebook.apply_change(change, self.encoding);
        let (uri, version, text) = (notebook.uri.clone(), notebook.version, notebook.document_text().text);
        self.documents.open_document(uri, version, text);
    }

    fn close_notebook(&mut self, uri: &Url) -> Result<()> {
        let Some(at) = self.notebooks.open.iter().position(|notebook| notebook.uri == *uri) else { return Ok(()) };
        let notebook = self.notebooks.open.remove(at);
        self.documents.close_document(uri);
        if !self.editor.pulls_diagnostics {
            for cell in notebook.cells {
                self.notify::<PublishDiagnostics>(PublishDiagnosticsParams::new(cell.uri, Vec::new(), None))?;
            }
        }
        Ok(())
    }

    /// Everything may have changed: reports are forgotten, and an editor that asks for diagnostics is told to ask again.
    fn ask_again(&mut self) -> Result<()> {
        self.documents.forget_reports();
        if self.editor.pulls_diagnostics && self.editor.refreshes_diagnostics {
            let id = RequestId::from("pytrope-refresh".to_owned());
            let request = Request::new(id, "workspace/diagnostic/refresh".to_owned(), Value::Null);
            self.connection.sender.send(Message::Request(request))?;
        }
        Ok(())
    }

    fn watch_files(&mut self) -> Result<()> {
        let watchers = WATCHED
            .iter()
            .map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String((*glob).to_owned()), kind: None })
            .collect();
        let options = DidChangeWatchedFilesRegistrationOptions { watchers };
        let registration = Registration {
            id: "pytrope-files".to_owned(),
            method: DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: Some(serde_json::to_value(options)?),
        };
        let params = RegistrationParams { registrations: vec![registration] };
        let request =
            Request::new(RequestId::from("pytrope-register".to_owned()), RegisterCapability::METHOD.to_owned(), params);
        self.connection.sender.send(Message::Request(request))?;
        Ok(())
    }

    fn notify<N: lsp_types::notification::Notification>(&self, params: N::Params) -> Result<()> {
        let notification = Notification::new(N::METHOD.to_owned(), serde_json::to_value(params)?);
        self.connection.sender.send(Message::Notification(notification))?;
        Ok(())
    }
}

/// The parameters of a notification; one that does not have the protocol's form is ignored, since it has no answer.
fn params_of<N: lsp_types::notification::Notification>(params: Value) -> Option<N::Params> {
    read_params(params)
}

fn read_params<P: DeserializeOwned>(params: Value) -> Option<P> {
    serde_json::from_value(params).ok()
}
