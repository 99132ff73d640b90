//! What the server can do, as it tells an editor that starts it, and what the editor can.

use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions, DiagnosticOptions,
    DiagnosticServerCapabilities, HoverProviderCapability, OneOf, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    TypeDefinitionProviderCapability, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};
use serde_json::{Value, json};

use crate::positions::PositionEncoding;

/// The answer to `initialize`.
pub(crate) fn server_capabilities(encoding: PositionEncoding) -> serde_json::Result<Value> {
    let capabilities = ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        diagnostic_provider: Some(DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: Some("pytrope".to_owned()),
            // An edit may change what is found in a file that imports this one, or that this one calls.
            inter_file_dependencies: true,
            workspace_diagnostics: true,
            ..DiagnosticOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::REFACTOR_REWRITE]),
            ..CodeActionOptions::default()
        })),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    };
    let mut value = serde_json::to_value(capabilities)?;
    // The crate of protocol types has none for notebooks.
    value["notebookDocumentSync"] = json!({
        "notebookSelector": [{"notebook": "*", "cells": [{"language": "python"}]}],
        "save": true,
    });
    Ok(value)
}

/// What of the protocol the editor takes part in.
#[derive(Clone, Copy, Default)]
pub(crate) struct EditorAbilities {
    /// It asks for diagnostics itself; otherwise they are sent after each analysis.
    pub pulls_diagnostics: bool,
    /// It can be told to ask again.
    pub refreshes_diagnostics: bool,
    pub watches_files: bool,
    pub shows_progress: bool,
}

impl EditorAbilities {
    /// By the parameters of `initialize`, as they are written: some abilities are newer than the crate of protocol types.
    pub fn of(params: &Value) -> Self {
        let is_set = |pointer: &str| params.pointer(pointer).and_then(Value::as_bool) == Some(true);
        Self {
            pulls_diagnostics: params.pointer("/capabilities/textDocument/diagnostic").is_some(),
            refreshes_diagnostics: is_set("/capabilities/workspace/diagnostics/refreshSupport"),
            watches_files: is_set("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            shows_progress: is_set("/capabilities/window/workDoneProgress"),
        }
    }
}
