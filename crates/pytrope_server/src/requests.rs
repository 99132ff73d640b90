//! Requests of an editor, and their answers from the reports of documents.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use anyhow::Result;
use lsp_server::{ErrorCode, Message, Request, Response};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, DocumentDiagnosticRequest, GotoTypeDefinition, HoverRequest, InlayHintRequest,
    Request as _, Shutdown, WorkspaceDiagnosticRequest,
};
use lsp_types::{
    CodeActionOrCommand, CodeActionParams, CodeActionResponse, CodeLens, CodeLensParams, DocumentDiagnosticParams,
    DocumentDiagnosticReport, FullDocumentDiagnosticReport, GotoDefinitionParams, GotoDefinitionResponse, Hover,
    HoverParams, InlayHint, InlayHintParams, Range, RelatedFullDocumentDiagnosticReport, TextDocumentPositionParams,
    Url, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport,
};
use pytrope_shapes::statistics::ArrayCounts;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::branches::{branch_questions, prune_action};
use crate::code_actions::{actions_in, annotation_actions};
use crate::code_lenses::signature_lenses;
use crate::main_loop::LanguageServer;
use crate::places::Places;
use crate::shape_hints::{hover_at, inlay_hints, origin_at};

/// A request of Pytrope's own, for the status of an editor; its parameters are those of a request for code lenses.
const COVERAGE: &str = "pytrope/coverage";

impl LanguageServer<'_> {
    pub fn handle_request(&mut self, request: &Request) -> Result<()> {
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
            WorkspaceDiagnosticRequest::METHOD => self.answer_with(given, Self::answer_workspace)?,
            HoverRequest::METHOD => self.answer_with(given, Self::answer_hover)?,
            InlayHintRequest::METHOD => self.answer_with(given, Self::answer_hints)?,
            GotoTypeDefinition::METHOD => self.answer_with(given, Self::answer_origin)?,
            CodeLensRequest::METHOD => self.answer_with(given, Self::answer_lenses)?,
            CodeActionRequest::METHOD => self.answer_with(given, Self::answer_actions)?,
            COVERAGE => self.answer_with(given, Self::answer_coverage)?,
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

    /// The diagnostics of all files of the project that have some, and of those that are open.
    #[expect(clippy::unnecessary_wraps, reason = "every answer has this signature")]
    fn answer_workspace(&mut self, _params: &WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReport> {
        let texts = self.documents.texts();
        let analysed = self.with_progress(|analyzer, step| analyzer.analyse_workspace(&texts, step));
        let reports = analysed.ok().and_then(Result::ok).unwrap_or_default();
        let mut items = Vec::new();
        for report in reports {
            let Ok(path) = std::path::absolute(report.file.path()) else { continue };
            let Ok(uri) = Url::from_file_path(&path) else { continue };
            let version = self.documents.get(&uri).map(|document| i64::from(document.version));
            if report.findings.is_empty() && version.is_none() {
                continue;
            }
            let diagnostics = report.findings.iter().map(|finding| self.to_diagnostic(finding)).collect();
            items.push(WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri,
                version,
                full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: None, items: diagnostics },
            }));
        }
        Ok(WorkspaceDiagnosticReport { items })
    }

    fn answer_hover(&mut self, params: &HoverParams) -> Result<Option<Hover>> {
        self.answer_at(&params.text_document_position_params, hover_at)
    }

    fn answer_origin(&mut self, params: &GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let origin = self.answer_at(&params.text_document_position_params, origin_at)?;
        Ok(origin.map(GotoDefinitionResponse::Scalar))
    }

    /// An answer about the name at a position.
    fn answer_at<R>(
        &mut self,
        place: &TextDocumentPositionParams,
        answer: impl FnOnce(
            &std::sync::Arc<pytrope_source::SourceFile>,
            &[pytrope_shapes::ShownBinding],
            u32,
            Places<'_>,
        ) -> Option<R>,
    ) -> Result<Option<R>> {
        let uri = &place.text_document.uri;
        let file_uri = self.file_uri(uri);
        self.shapes_of(&file_uri)?;
        let Some(document) = self.documents.get(&file_uri) else { return Ok(None) };
        let (Some(report), Some(bindings)) = (&document.report, &document.bindings) else { return Ok(None) };
        let places = self.places();
        let Some(offset) = places.offset_in(uri, place.position, &report.file) else { return Ok(None) };
        Ok(answer(&report.file, bindings, offset, places))
    }

    fn answer_hints(&mut self, params: &InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = &params.text_document.uri;
        self.answer_with_shapes(uri, |report, bindings, places| {
            inlay_hints(&report.file, bindings, uri, params.range, places)
        })
    }

    fn answer_lenses(&mut self, params: &CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = &params.text_document.uri;
        self.answer_with_shapes(uri, |report, bindings, places| signature_lenses(&report.file, bindings, uri, places))
    }

    fn answer_actions(&mut self, params: &CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = &params.text_document.uri;
        let actions = self.answer_with_shapes(uri, |report, bindings, places| {
            let mut actions = actions_in(report, uri, params.range, places);
            actions.extend(annotation_actions(&report.file, bindings, uri, params.range, places));
            actions
        })?;
        let Some(mut actions) = actions else { return Ok(None) };
        actions.extend(self.prune_actions(uri, params.range)?);
        Ok(Some(actions))
    }

    /// The actions that prune the branches whose tests touch a range. Cells of notebooks have none.
    fn prune_actions(&mut self, uri: &Url, range: Range) -> Result<Vec<CodeActionOrCommand>> {
        let asked = self.answer_with_shapes(uri, |report, _, places| {
            let file = Arc::clone(&report.file);
            let questions = branch_questions(&file, uri, range, places);
            (file, questions)
        })?;
        let (Some((file, questions)), Some(document)) = (asked, self.documents.get(uri)) else {
            return Ok(Vec::new());
        };
        let (path, texts) = (document.path.clone(), self.documents.texts());
        let mut actions = Vec::new();
        for (title, question) in questions {
            let analyzer = &mut *self.analyzer;
            let pruned = catch_unwind(AssertUnwindSafe(|| analyzer.prune_document(&path, &texts, &question)));
            let text = pruned.ok().and_then(Result::ok).flatten();
            let is_decided = question.assume.is_none() && text.is_some();
            actions.extend(text.and_then(|text| prune_action(&file, title, &text, self.places())));
            // What is decided for all inputs needs no assumption.
            if is_decided {
                break;
            }
        }
        Ok(actions)
    }

    /// `pytrope/coverage`: how many arrays of a document have a known shape, a known rank, or neither.
    fn answer_coverage(&mut self, params: &CodeLensParams) -> Result<Option<Value>> {
        self.answer_with_shapes(&params.text_document.uri, |_, bindings, _| {
            let counts = ArrayCounts::of(bindings);
            json!({"arrays": counts.total(), "shape": counts.shape, "rank": counts.rank, "unknown": counts.unknown})
        })
    }

    /// An answer from the report and the bindings of the file that a document is.
    fn answer_with_shapes<R>(
        &mut self,
        uri: &Url,
        answer: impl FnOnce(&crate::analyzer::DocumentReport, &[pytrope_shapes::ShownBinding], Places<'_>) -> R,
    ) -> Result<Option<R>> {
        let file_uri = self.file_uri(uri);
        self.shapes_of(&file_uri)?;
        let Some(document) = self.documents.get(&file_uri) else { return Ok(None) };
        let (Some(report), Some(bindings)) = (&document.report, &document.bindings) else { return Ok(None) };
        Ok(Some(answer(report, bindings, self.places())))
    }
}
