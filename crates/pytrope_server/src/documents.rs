//! Open documents: their texts as the editor has them, and what the last analysis said.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, Url};
use pytrope_shapes::ShownBinding;
use pytrope_source::LineIndex;

use crate::analyzer::{DocumentReport, DocumentText};
use crate::positions::PositionEncoding;

/// A document that the editor has opened.
pub(crate) struct OpenDocument {
    pub path: PathBuf,
    pub version: i32,
    pub text: Arc<str>,
    /// Of this very text; none while it has to be analysed.
    pub report: Option<DocumentReport>,
    /// Of this very text; made when they are first asked for.
    pub bindings: Option<Vec<ShownBinding>>,
}

/// All open documents by address; a notebook is one of them.
#[derive(Default)]
pub(crate) struct OpenDocuments {
    documents: BTreeMap<Url, OpenDocument>,
}

impl OpenDocuments {
    pub fn open_document(&mut self, uri: Url, version: i32, text: Arc<str>) {
        let path = uri.to_file_path().unwrap_or_else(|()| PathBuf::from(uri.path()));
        self.documents.insert(uri, OpenDocument { path, version, text, report: None, bindings: None });
        self.forget_reports();
    }

    pub fn close_document(&mut self, uri: &Url) {
        self.documents.remove(uri);
        self.forget_reports();
    }

    /// Applies edits in their order; each is in positions of the text that the edits before it have left.
    pub fn edit_document(
        &mut self,
        uri: &Url,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: PositionEncoding,
    ) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.version = version;
        document.text = apply_changes(document.text.to_string(), changes, encoding).into();
        self.forget_reports();
    }

    /// An edit may change what is found in any document, so that all of them are asked for again.
    pub fn forget_reports(&mut self) {
        for document in self.documents.values_mut() {
            document.report = None;
            document.bindings = None;
        }
    }

    pub fn get(&self, uri: &Url) -> Option<&OpenDocument> {
        self.documents.get(uri)
    }

    pub fn get_mut(&mut self, uri: &Url) -> Option<&mut OpenDocument> {
        self.documents.get_mut(uri)
    }

    /// The addresses of documents that have to be analysed.
    pub fn unanalysed(&self) -> Vec<Url> {
        let waiting = self.documents.iter().filter(|(_, document)| document.report.is_none());
        waiting.map(|(uri, _)| uri.clone()).collect()
    }

    pub fn texts(&self) -> Vec<DocumentText> {
        let text =
            |document: &OpenDocument| DocumentText { path: document.path.clone(), text: Arc::clone(&document.text) };
        self.documents.values().map(text).collect()
    }
}

/// A text after edits.
pub(crate) fn apply_changes(
    mut text: String,
    changes: Vec<TextDocumentContentChangeEvent>,
    encoding: PositionEncoding,
) -> String {
    for change in changes {
        let Some(range) = change.range else {
            text = change.text;
            continue;
        };
        let lines = LineIndex::new(&text);
        let start = encoding.offset_of(range.start, &lines, &text) as usize;
        let end = (encoding.offset_of(range.end, &lines, &text) as usize).max(start);
        text.replace_range(start..end, &change.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range};

    use super::*;

    #[test]
    fn edits_build_on_each_other() {
        let uri = Url::parse("file:///a.py").unwrap();
        let mut documents = OpenDocuments::default();
        documents.open_document(uri.clone(), 1, "x = 1\ny = 2\n".into());
        let edit = |line: u32, from: u32, to: u32, text: &str| TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(line, from), Position::new(line, to))),
            range_length: None,
            text: text.to_owned(),
        };
        let changes = vec![edit(0, 0, 0, "# é\n"), edit(1, 4, 5, "10"), edit(0, 2, 3, "e")];
        documents.edit_document(&uri, 2, changes, PositionEncoding::Utf16);
        let document = documents.get(&uri).unwrap();
        assert_eq!((&*document.text, document.version), ("# e\nx = 10\ny = 2\n", 2));
    }
}
