//! The loop that receives messages, keeps documents analysed, and answers.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, Result};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit,
    LogMessage, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, DocumentDiagnosticRequest, HoverRequest, InlayHintRequest, RegisterCapability, Request as _,
    Shutdown,
};
use lsp_types::{
    CodeActionParams, CodeActionResponse, Diagnostic, DidChangeWatchedFilesRegistrationOptions,
    DocumentDiagnosticParams, DocumentDiagnosticReport, FileSystemWatcher, FullDocumentDiagnosticReport, GlobPattern,
    Hover, HoverParams, InitializeParams, InitializeResult, InlayHint, InlayHintParams, LogMessageParams, MessageType,
    PublishDiagnosticsParams, Registration, RegistrationParams, RelatedFullDocumentDiagnosticReport, ServerInfo, Url,
};
use pytrope_diagnostics::Finding;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::analyzer::{DocumentAnalyzer, DocumentReport};
use crate::capabilities::{pulls_diagnostics, server_capabilities};
use crate::code_actions::actions_in;
use crate::diagnostics::to_diagnostic;
use crate::documents::OpenDocuments;
use crate::positions::PositionEncoding;
use crate::shape_hints::{hover_at, inlay_hints};

/// Files whose changes on disk may change an answer.
const WATCHED: [&str; 4] = ["**/*.py", "**/*.ipynb", "**/pytrope.toml", "**/pyproject.toml"];

/// Serves an editor over standard input and output until it ends the session; whether it did so in order.
pub fn serve_stdio(analyzer: &dyn DocumentAnalyzer) -> Result<bool> {
    let (connection, threads) = Connection::stdio();
    let in_order = serve(&connection, analyzer)?;
    // The writer ends when its channel closes.
    drop(connection);
    threads.join()?;
    Ok(in_order)
}

/// Serves one connection until `exit` or the end of input; `true` if `shutdown` came before.
pub fn serve(connection: &Connection, analyzer: &dyn DocumentAnalyzer) -> Result<bool> {
    let (id, params) = connection
        .initialize_start()
        .context("no editor has sent `initialize` over standard input; `pytrope server` is started by an editor")?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let offered = params.capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref());
    let encoding = PositionEncoding::negotiate(offered);
    let answer = InitializeResult {
        capabilities: server_capabilities(encoding),
        server_info: Some(ServerInfo {
            name: "pytrope".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    connection.initialize_finish(id, serde_json::to_value(answer)?)?;
    let mut server = LanguageServer {
        connection,
        analyzer,
        encoding,
        pushes_diagnostics: !pulls_diagnostics(&params.capabilities),
        documents: OpenDocuments::default(),
        queue: VecDeque::new(),
        is_shut_down: false,
    };
    let watching = params.capabilities.workspace.as_ref().and_then(|workspace| workspace.did_change_watched_files);
    if watching.is_some_and(|watching| watching.dynamic_registration == Some(true)) {
        server.watch_files()?;
    }
    server.run_loop()
}

struct LanguageServer<'a> {
    connection: &'a Connection,
    analyzer: &'a dyn DocumentAnalyzer,
    encoding: PositionEncoding,
    /// Diagnostics are sent after each analysis, since the editor does not ask for them.
    pushes_diagnostics: bool,
    documents: OpenDocuments,
    /// Messages that have arrived and were not handled yet, in order.
    queue: VecDeque<Message>,
    is_shut_down: bool,
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

    /// Analyses one document that changed and, where the editor waits for that, sends its diagnostics.
    fn analyse_next(&mut self) -> Result<bool> {
        if !self.pushes_diagnostics {
            return Ok(false);
        }
        let Some(uri) = self.documents.unanalysed().into_iter().next() else { return Ok(false) };
        self.publish_diagnostics(&uri)?;
        Ok(true)
    }

    fn publish_diagnostics(&mut self, uri: &Url) -> Result<()> {
        let diagnostics = self.diagnostics_of(uri)?;
        let version = self.documents.get(uri).map(|document| document.version);
        self.notify::<PublishDiagnostics>(PublishDiagnosticsParams::new(uri.clone(), diagnostics, version))
    }

    fn diagnostics_of(&mut self, uri: &Url) -> Result<Vec<Diagnostic>> {
        let (encoding, analyzer) = (self.encoding, self.analyzer);
        let Some(report) = self.report_of(uri)? else { return Ok(Vec::new()) };
        let convert = |finding: &Finding| {
            let page = analyzer.rule_page(finding.rule.code);
            to_diagnostic(finding, encoding, page.as_deref())
        };
        Ok(report.findings.iter().map(convert).collect())
    }

    /// The report of a document's present text; none if it is not open or cannot be analysed.
    fn report_of(&mut self, uri: &Url) -> Result<Option<&DocumentReport>> {
        let Some(document) = self.documents.get(uri) else { return Ok(None) };
        if document.report.is_none() {
            let path = document.path.clone();
            let texts = self.documents.texts();
            let analysed = catch_unwind(AssertUnwindSafe(|| self.analyzer.analyse_document(&path, &texts)));
            let report = match analysed {
                Ok(Ok(report)) => report,
                Ok(Err(error)) => return self.report_failure(uri, &format!("{error:#}")),
                Err(_) => return self.report_failure(uri, "internal error; please report it"),
            };
            if let Some(document) = self.documents.get_mut(uri) {
                document.report = Some(report);
            }
        }
        Ok(self.documents.get(uri).and_then(|document| document.report.as_ref()))
    }

    /// Says that a document could not be analysed, and takes it for one without findings until it changes.
    fn report_failure(&mut self, uri: &Url, message: &str) -> Result<Option<&DocumentReport>> {
        let message = format!("{uri}: {message}");
        self.notify::<LogMessage>(LogMessageParams { typ: MessageType::ERROR, message })?;
        let Some(document) = self.documents.get_mut(uri) else { return Ok(None) };
        let file = pytrope_source::SourceFile::from_text(document.path.to_string_lossy(), &*document.text);
        document.report = Some(DocumentReport { file, findings: Vec::new(), bindings: Vec::new() });
        Ok(None)
    }

    fn handle_notification(&mut self, notification: Notification) -> Result<()> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(params) = params_of::<DidOpenTextDocument>(notification.params) {
                    let document = params.text_document;
                    self.documents.open_document(document.uri, document.version, document.text);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(params) = params_of::<DidChangeTextDocument>(notification.params) {
                    let document = params.text_document;
                    self.documents.edit_document(
                        &document.uri,
                        document.version,
                        params.content_changes,
                        self.encoding,
                    );
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(params) = params_of::<DidCloseTextDocument>(notification.params) {
                    let uri = params.text_document.uri;
                    self.documents.close_document(&uri);
                    if self.pushes_diagnostics {
                        self.notify::<PublishDiagnostics>(PublishDiagnosticsParams::new(uri, Vec::new(), None))?;
                    }
                }
            }
            // What is on disk has changed: an import may lead to other code, the configuration to other rules.
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => self.documents.forget_reports(),
            _ => {}
        }
        Ok(())
    }

    fn handle_request(&mut self, request: &Request) -> Result<()> {
        let id = request.id.clone();
        let response = if self.is_cancelled(&id) {
            Response::new_err(id, ErrorCode::RequestCanceled as i32, "cancelled".to_owned())
        } else if self.is_shut_down {
            Response::new_err(id, ErrorCode::InvalidRequest as i32, "the server is shut down".to_owned())
        } else {
            match self.answer_request(request)? {
                Some(Ok(value)) => Response::new_ok(id, value),
                Some(Err(error)) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
                None => {
                    let message = format!("{} is not supported", request.method);
                    Response::new_err(id, ErrorCode::MethodNotFound as i32, message)
                }
            }
        };
        self.connection.sender.send(Message::Response(response))?;
        Ok(())
    }

    /// The result of a request, or what is wrong with its parameters; `None` for a method that the server does not have.
    fn answer_request(&mut self, request: &Request) -> Result<Option<serde_json::Result<Value>>> {
        let given = &request.params;
        Ok(Some(match request.method.as_str() {
            Shutdown::METHOD => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            DocumentDiagnosticRequest::METHOD => self.answer_with(given, Self::answer_diagnostics)?,
            HoverRequest::METHOD => self.answer_with(given, Self::answer_hover)?,
            InlayHintRequest::METHOD => self.answer_with(given, Self::answer_hints)?,
            CodeActionRequest::METHOD => self.answer_with(given, Self::answer_actions)?,
            _ => return Ok(None),
        }))
    }

    /// Reads parameters, answers, and writes the result.
    fn answer_with<P: DeserializeOwned, R: Serialize>(
        &mut self,
        given: &Value,
        answer: impl FnOnce(&mut Self, &P) -> Result<R>,
    ) -> Result<serde_json::Result<Value>> {
        match P::deserialize(given) {
            Ok(params) => Ok(serde_json::to_value(answer(self, &params)?)),
            Err(error) => Ok(Err(error)),
        }
    }

    fn answer_diagnostics(&mut self, params: &DocumentDiagnosticParams) -> Result<DocumentDiagnosticReport> {
        let items = self.diagnostics_of(&params.text_document.uri)?;
        Ok(DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: None, items },
        }))
    }

    fn answer_hover(&mut self, params: &HoverParams) -> Result<Option<Hover>> {
        let (place, encoding) = (&params.text_document_position_params, self.encoding);
        let Some(report) = self.report_of(&place.text_document.uri)? else { return Ok(None) };
        let offset = encoding.offset_of(place.position, report.file.lines(), report.file.text());
        Ok(hover_at(report, offset, encoding))
    }

    fn answer_hints(&mut self, params: &InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let encoding = self.encoding;
        let report = self.report_of(&params.text_document.uri)?;
        Ok(report.map(|report| inlay_hints(report, params.range, encoding)))
    }

    fn answer_actions(&mut self, params: &CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let (uri, encoding) = (&params.text_document.uri, self.encoding);
        let report = self.report_of(uri)?;
        Ok(report.map(|report| actions_in(report, uri, params.range, encoding)))
    }

    /// Whether the editor has taken a request back before it was answered.
    fn is_cancelled(&mut self, id: &RequestId) -> bool {
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
    serde_json::from_value(params).ok()
}
