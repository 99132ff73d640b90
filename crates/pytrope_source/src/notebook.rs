//! Jupyter notebooks: their Python cells as one text, and the way back into the JSON.

use crate::json_spans::{self, Json, JsonValue, quote};
use crate::text::TextRange;

/// A notebook's JSON and where its Python cells stand in it and in the joined text.
#[derive(Debug)]
pub struct Notebook {
    json: String,
    cells: Vec<Cell>,
}

#[derive(Debug)]
struct Cell {
    /// 1-based, all cells counted.
    number: u32,
    /// The cell's text in the joined text, without the newline that joins it to the next.
    range: TextRange,
    /// The `source` value in the JSON.
    json: TextRange,
    /// `source` is a list of lines rather than one string.
    lines: bool,
}

pub(crate) struct Read {
    pub(crate) text: String,
    pub(crate) notebook: Notebook,
}

pub(crate) struct NotebookError {
    pub(crate) offset: u32,
    pub(crate) message: String,
    pub(crate) text: String,
}

/// Cell magics whose cell is still Python.
const PYTHON_MAGICS: &[&str] = &["capture", "prun", "pypy", "python", "python3", "time", "timeit"];

impl Notebook {
    pub(crate) fn read(json: String) -> Result<Read, NotebookError> {
        let fail =
            |offset: usize, message: String, text: String| NotebookError { offset: offset as u32, message, text };
        let root = match json_spans::read(&json) {
            Ok(root) => root,
            Err((at, expected)) => {
                return Err(fail(at, format!("not a notebook: expected {expected} in its JSON"), json));
            }
        };
        let Some(list) = root.get("cells").and_then(Json::as_array) else {
            return Err(fail(0, "not a notebook: there is no list of cells in it".into(), json));
        };
        let mut text = String::new();
        let mut cells = Vec::new();
        for (i, cell) in list.iter().enumerate() {
            let is_code = cell.get("cell_type").and_then(Json::as_str) == Some("code");
            let Some(source) = cell.get("source").filter(|_| is_code) else {
                continue;
            };
            let Some(code) = source_text(source) else {
                continue;
            };
            if !is_python(&code) {
                continue;
            }
            let start = text.len() as u32;
            text.push_str(&code);
            cells.push(Cell {
                number: i as u32 + 1,
                range: TextRange::new(start, text.len() as u32),
                json: TextRange::new(source.start as u32, source.end as u32),
                lines: matches!(source.value, JsonValue::Array(_)),
            });
            text.push('\n');
        }
        Ok(Read { text, notebook: Self { json, cells } })
    }

    /// The number of the cell that holds an offset of the joined text, and where that cell starts.
    pub(crate) fn cell_at(&self, offset: u32) -> Option<(u32, u32)> {
        let after = self.cells.partition_point(|cell| cell.range.start <= offset);
        let cell = self.cells.get(after.checked_sub(1)?)?;
        Some((cell.number, cell.range.start))
    }

    /// The offsets of the joined text at which cells start.
    pub fn cell_starts(&self) -> impl Iterator<Item = u32> + '_ {
        self.cells.iter().map(|cell| cell.range.start)
    }

    /// The JSON with changed cells replaced. Cells are found again by the unchanged text between and around them,
    /// so an edit may not remove the newline that ends a cell.
    pub(crate) fn write_back(&self, old: &str, new: &str) -> Result<String, String> {
        let ranges: Vec<TextRange> = self.cells.iter().map(|cell| cell.range).collect();
        let texts = split_like(old, new, &ranges).ok_or("an edit crosses the border of a notebook cell")?;
        let mut json = self.json.clone();
        for (cell, text) in self.cells.iter().zip(texts).rev() {
            if cell.range.of(old) == text {
                continue;
            }
            let (start, end) = (cell.json.start as usize, cell.json.end as usize);
            let value = if cell.lines { quote_lines(&json[start..end], &text) } else { quote(&text) };
            json.replace_range(start..end, &value);
        }
        Ok(json)
    }
}

fn source_text(source: &Json) -> Option<String> {
    match &source.value {
        JsonValue::String(text) => Some(text.clone()),
        JsonValue::Array(lines) => lines.iter().map(Json::as_str).collect(),
        JsonValue::Object(_) | JsonValue::Other => None,
    }
}

fn is_python(code: &str) -> bool {
    match code.trim_start().strip_prefix("%%") {
        None => true,
        Some(magic) => magic.split_whitespace().next().is_some_and(|name| PYTHON_MAGICS.contains(&name)),
    }
}

/// The new text of each old range. Between two texts that differ in whole lines, line differences tell which new lines stand in which cell.
fn split_like(old: &str, new: &str, cells: &[TextRange]) -> Option<Vec<String>> {
    let diff = similar::TextDiff::from_lines(old, new);
    let mut texts = vec![String::new(); cells.len()];
    let mut at = 0u32;
    let mut cell = 0;
    for change in diff.iter_all_changes() {
        let line = change.value();
        // An inserted line belongs to the cell of the line before it.
        if change.tag() != similar::ChangeTag::Insert {
            while cell + 1 < cells.len() && at >= cells[cell + 1].start {
                cell += 1;
            }
            at += line.len() as u32;
        }
        if change.tag() != similar::ChangeTag::Delete {
            texts.get_mut(cell)?.push_str(line);
        }
    }
    for text in &mut texts {
        if text.ends_with('\n') {
            text.pop();
        }
    }
    let joined: String = texts.iter().flat_map(|text| [text.as_str(), "\n"]).collect();
    (joined == new).then_some(texts)
}

/// A list of lines, laid out as the old value was.
fn quote_lines(old: &str, text: &str) -> String {
    let lines: Vec<String> = text.split_inclusive('\n').map(quote).collect();
    let indent = old.lines().nth(1).map(|line| &line[..line.len() - line.trim_start().len()]);
    let close = old.lines().last().map_or("", |line| &line[..line.len() - line.trim_start().len()]);
    match indent {
        Some(indent) if !lines.is_empty() => {
            let body = lines.join(&format!(",\n{indent}"));
            format!("[\n{indent}{body}\n{close}]")
        }
        _ => format!("[{}]", lines.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use crate::SourceFile;

    const JSON: &str = r##"{
 "cells": [
  {"cell_type": "markdown", "source": ["# Title"]},
  {"cell_type": "code", "execution_count": 1, "metadata": {"é": 1.5e3}, "outputs": [],
   "source": [
    "import numpy as np\n",
    "x = np.ones(3)"
   ]},
  {"cell_type": "code", "source": "%%bash\nls"},
  {"cell_type": "code", "source": "y = x \ud83d\ude00\n"}
 ],
 "nbformat": 4
}
"##;

    #[test]
    fn cells_join_and_locations_are_relative_to_them() {
        let (file, errors) = SourceFile::from_bytes("a.ipynb", JSON.as_bytes());
        assert_eq!(errors, []);
        assert_eq!(file.text(), "import numpy as np\nx = np.ones(3)\ny = x 😀\n\n");
        let at = file.text().find("y =").expect("the cell is there") as u32;
        let place = file.location(at);
        assert_eq!((place.cell, place.position.line, place.position.column), (Some(4), 1, 1));
        let place = file.location(file.text().find("x =").expect("there") as u32);
        assert_eq!((place.cell, place.position.line), (Some(2), 2));
    }

    #[test]
    fn only_changed_cells_are_written() {
        let (file, _) = SourceFile::from_bytes("a.ipynb", JSON.as_bytes());
        assert_eq!(file.encode(file.text()), Ok(JSON.as_bytes().to_vec()));
        let new = file.text().replace("x = np.ones(3)", "x = np.ones(4)\nz = 2");
        let written = String::from_utf8(file.encode(&new).expect("writes")).expect("is text");
        let expected = JSON.replace("    \"x = np.ones(3)\"", "    \"x = np.ones(4)\\n\",\n    \"z = 2\"");
        assert_eq!(written, expected);
    }

    #[test]
    fn what_is_not_a_notebook_is_an_error() {
        for (json, want) in [("{", "expected a string"), ("[]", "no list of cells"), ("{\"cells\": [", "a JSON value")]
        {
            let (_, errors) = SourceFile::from_bytes("a.ipynb", json.as_bytes());
            assert!(errors[0].message.contains(want), "{errors:?}");
        }
    }
}
