//! Where a span of a file is for the editor: a range of a document or, in a notebook, of the document of one cell.

use std::path::Path;

use lsp_types::{Location, Position, Range, Url};
use pytrope_source::{LineIndex, SourceFile, Span};

use crate::notebooks::Notebooks;
use crate::positions::PositionEncoding;

/// What is needed to name places: how columns count, and which documents are cells.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    pub encoding: PositionEncoding,
    pub notebooks: &'a Notebooks,
}

impl Places<'_> {
    /// The range of a span in its document.
    pub fn range_of(&self, span: &Span) -> Range {
        match self.location_of(span) {
            Some(location) => location.range,
            None => self.encoding.range_of(span.range, span.file.lines(), span.file.text()),
        }
    }

    /// The place of a span; none for code of the binary, such as a model.
    pub fn location_of(&self, span: &Span) -> Option<Location> {
        let file = &span.file;
        if file.path().starts_with('<') {
            return None;
        }
        let path = std::path::absolute(Path::new(file.path())).ok()?;
        if file.notebook().is_some()
            && let Some(location) = self.location_in_cell(&path, span)
        {
            return Some(location);
        }
        let uri = Url::from_file_path(path).ok()?;
        Some(Location::new(uri, self.encoding.range_of(span.range, file.lines(), file.text())))
    }

    fn location_in_cell(&self, notebook: &Path, span: &Span) -> Option<Location> {
        let (start, end) = (span.start(), span.end());
        let cell = self.notebooks.cell_of(notebook, start.cell?)?;
        let lines = LineIndex::new(&cell.text);
        let position = |place: pytrope_source::Location| {
            let offset = lines.offset(place.position, &cell.text);
            self.encoding.position_of(offset, &lines, &cell.text)
        };
        let first = position(start);
        // A span that goes on in the next cell ends with this one.
        let last = if end.cell == start.cell { position(end) } else { Position::new(lines.line_count(), 0) };
        Some(Location::new(cell.uri.clone(), Range::new(first, last)))
    }

    /// The offset of a position of a document in the file that is analysed: a cell's position in the joined text.
    pub fn offset_in(&self, uri: &Url, position: Position, file: &SourceFile) -> Option<u32> {
        let Some((number, cell)) = self.notebooks.cell(uri) else {
            return Some(self.encoding.offset_of(position, file.lines(), file.text()));
        };
        let lines = LineIndex::new(&cell.text);
        let within = self.encoding.offset_of(position, &lines, &cell.text);
        let place = lines.line_column(within, &cell.text);
        let notebook = file.notebook()?;
        let start = notebook.cell_starts().find(|start| file.location(*start).cell == Some(number))?;
        let indent = file.location(start).position.column - file.line_column(start).column;
        let mut joined = place;
        joined.line += file.lines().line_of(start);
        joined.column = joined.column.saturating_sub(indent);
        Some(file.lines().offset(joined, file.text()))
    }
}
