//! Open notebooks: the editor sends their cells as documents of their own, the analysis reads them as one program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, Url};
use serde::Deserialize;
use serde_json::json;

use crate::analyzer::DocumentText;
use crate::documents::apply_changes;
use crate::positions::PositionEncoding;

/// A cell, in the order of the notebook; what is not code has a place and is not read.
pub(crate) struct CellDocument {
    pub uri: Url,
    pub is_code: bool,
    pub text: String,
}

/// A notebook that the editor has opened.
pub(crate) struct OpenNotebook {
    pub uri: Url,
    pub path: PathBuf,
    pub cells: Vec<CellDocument>,
    pub version: i32,
}

#[derive(Default)]
pub(crate) struct Notebooks {
    pub open: Vec<OpenNotebook>,
}

impl Notebooks {
    /// The number of a cell, from one, and the cell itself.
    pub fn cell(&self, uri: &Url) -> Option<(u32, &CellDocument)> {
        let cells = self.open.iter().flat_map(|notebook| notebook.cells.iter().zip(1..));
        cells.into_iter().find(|(cell, _)| cell.uri == *uri).map(|(cell, number)| (number, cell))
    }

    /// A cell of the notebook at a path, by its number.
    pub fn cell_of(&self, path: &Path, number: u32) -> Option<&CellDocument> {
        let notebook = self.open.iter().find(|notebook| notebook.path == path)?;
        notebook.cells.get(number.checked_sub(1)? as usize)
    }

    /// The notebook that a document is, or is a cell of.
    pub fn notebook_of(&self, uri: &Url) -> Option<&OpenNotebook> {
        self.open.iter().find(|notebook| notebook.uri == *uri || notebook.cells.iter().any(|cell| cell.uri == *uri))
    }

    pub fn find_mut(&mut self, uri: &Url) -> Option<&mut OpenNotebook> {
        self.open.iter_mut().find(|notebook| notebook.uri == *uri)
    }
}

impl OpenNotebook {
    pub fn new(opened: NotebookOpened) -> Self {
        let NotebookOpened { notebook_document: NotebookState { uri, version, cells }, cell_text_documents } = opened;
        let path = uri.to_file_path().unwrap_or_else(|()| PathBuf::from(uri.path()));
        let mut notebook = Self { uri, path, cells: Vec::new(), version };
        let all = CellArrayChange { start: 0, delete_count: 0, cells: Some(cells) };
        notebook.splice_cells(all, &cell_text_documents);
        notebook
    }

    /// The notebook as a file would hold it.
    pub fn document_text(&self) -> DocumentText {
        let cells: Vec<_> = self
            .cells
            .iter()
            .map(|cell| json!({"cell_type": if cell.is_code { "code" } else { "markdown" }, "source": cell.text}))
            .collect();
        let language = json!({"language_info": {"name": "python"}});
        let text = json!({"cells": cells, "metadata": language, "nbformat": 4, "nbformat_minor": 5}).to_string();
        DocumentText { path: self.path.clone(), text: Arc::from(text) }
    }

    /// Replaces some cells by others, whose texts come with them or are known.
    fn splice_cells(&mut self, array: CellArrayChange, opened: &[CellText]) {
        let start = array.start.min(self.cells.len());
        let end = (start + array.delete_count).min(self.cells.len());
        let old: Vec<CellDocument> = self.cells.drain(start..end).collect();
        let text_of = |uri: &Url| {
            let known = old.iter().find(|cell| cell.uri == *uri).map(|cell| cell.text.clone());
            opened.iter().find(|opened| opened.uri == *uri).map(|opened| opened.text.clone()).or(known)
        };
        let added = array.cells.unwrap_or_default().into_iter().map(|cell| CellDocument {
            text: text_of(&cell.document).unwrap_or_default(),
            is_code: cell.kind == CODE,
            uri: cell.document,
        });
        let added: Vec<CellDocument> = added.collect();
        self.cells.splice(start..start, added);
    }

    /// Applies what the editor says has changed.
    pub fn apply_change(&mut self, change: NotebookChange, encoding: PositionEncoding) {
        let Some(cells) = change.cells else { return };
        if let Some(structure) = cells.structure {
            self.splice_cells(structure.array, &structure.did_open.unwrap_or_default());
        }
        for kind in cells.data.unwrap_or_default() {
            if let Some(cell) = self.cells.iter_mut().find(|cell| cell.uri == kind.document) {
                cell.is_code = kind.kind == CODE;
            }
        }
        for edited in cells.text_content.unwrap_or_default() {
            self.edit_cell(&edited.document.uri, edited.changes, encoding);
        }
    }

    fn edit_cell(&mut self, uri: &Url, changes: Vec<TextDocumentContentChangeEvent>, encoding: PositionEncoding) {
        if let Some(cell) = self.cells.iter_mut().find(|cell| cell.uri == *uri) {
            cell.text = apply_changes(std::mem::take(&mut cell.text), changes, encoding);
        }
    }
}

/// The kind of a cell that holds code.
const CODE: u32 = 2;

/// `notebookDocument/didOpen`. The crate of protocol types that the server uses has none for notebooks.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotebookOpened {
    pub notebook_document: NotebookState,
    pub cell_text_documents: Vec<CellText>,
}

#[derive(Deserialize)]
pub(crate) struct NotebookState {
    pub uri: Url,
    pub version: i32,
    #[serde(default)]
    pub cells: Vec<CellState>,
}

#[derive(Deserialize)]
pub(crate) struct CellState {
    kind: u32,
    document: Url,
}

#[derive(Deserialize)]
pub(crate) struct CellText {
    uri: Url,
    text: String,
}

/// `notebookDocument/didChange`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotebookChanged {
    pub notebook_document: NotebookState,
    pub change: NotebookChange,
}

#[derive(Deserialize)]
pub(crate) struct NotebookChange {
    cells: Option<CellsChange>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CellsChange {
    structure: Option<CellsStructure>,
    data: Option<Vec<CellState>>,
    text_content: Option<Vec<EditedCell>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CellsStructure {
    array: CellArrayChange,
    did_open: Option<Vec<CellText>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CellArrayChange {
    start: usize,
    delete_count: usize,
    cells: Option<Vec<CellState>>,
}

#[derive(Deserialize)]
struct EditedCell {
    document: CellAddress,
    changes: Vec<TextDocumentContentChangeEvent>,
}

#[derive(Deserialize)]
struct CellAddress {
    uri: Url,
}

/// `notebookDocument/didClose`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotebookClosed {
    pub notebook_document: NotebookAddress,
}

#[derive(Deserialize)]
pub(crate) struct NotebookAddress {
    pub uri: Url,
}
