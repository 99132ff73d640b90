//! Jupyter notebooks: their Python cells as one text, and the way back into the JSON.

use crate::json_spans::{self, Json, JsonValue, quote_string};
use crate::text::TextRange;

/// A notebook's JSON and where its Python cells stand in it and in the joined text.
#[derive(Debug)]
pub struct Notebook {
    json: String,
    cells: Vec<NotebookCell>,
    names_language: bool,
}

#[derive(Debug)]
struct NotebookCell {
    /// 1-based, all cells counted.
    number: u32,
    /// The cell's text in the joined text, without the newline that joins it to the next.
    range: TextRange,
    /// The `source` value in the JSON.
    json: TextRange,
    /// `source` is a list of lines rather than one string.
    lines: bool,
    /// What stands before every line in the notebook: IPython takes the indentation of a cell's first line off all of them.
    indent: String,
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

/// Cell magics whose cell is Python among the notebook's names.
const PYTHON_MAGICS: &[&str] = &["capture", "memit", "mprun", "prun", "scalene", "snakeviz", "time", "timeit"];

/// Cell magics that bind no name; any other may bind what it likes.
const FOREIGN_MAGICS: &[&str] = &[
    "!",
    "HTML",
    "SVG",
    "bash",
    "cmd",
    "file",
    "html",
    "javascript",
    "js",
    "latex",
    "markdown",
    "perl",
    "pypy",
    "python",
    "python2",
    "python3",
    "ruby",
    "script",
    "sh",
    "svg",
    "sx",
    "system",
    "writefile",
];

/// What a cell is for Python.
enum CellKind {
    Python,
    /// Another language, by a magic that may bind names; only the magic is read.
    Opaque,
    Foreign,
}

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
        // Up to format 3 cells are on worksheets and their text is called `input`.
        let sheets = root.get("worksheets").and_then(Json::as_array).unwrap_or_default();
        let lists = [Some(&root)].into_iter().flatten().chain(sheets);
        let lists: Vec<&[Json]> = lists.filter_map(|part| part.get("cells").and_then(Json::as_array)).collect();
        if lists.is_empty() {
            return Err(fail(0, "not a notebook: it has no list of cells".into(), json));
        }
        let mut text = String::new();
        let mut cells = Vec::new();
        let language = Language::of(&root);
        let runs_here = language != Language::Other;
        for (i, cell) in lists.into_iter().flatten().enumerate().filter(|_| runs_here) {
            let is_code = cell.get("cell_type").and_then(Json::as_str) == Some("code")
                && cell.get("language").and_then(Json::as_str).is_none_or(is_python_name);
            let source = ["source", "input", "code"].into_iter().find_map(|key| cell.get(key));
            let Some(source) = source.filter(|_| is_code) else {
                continue;
            };
            let Some(code) = source_text(source) else {
                continue;
            };
            let (code, indent) = match cell_kind(&code) {
                CellKind::Python => dedent_code(code),
                CellKind::Opaque => (code.trim_start().lines().next().unwrap_or_default().to_owned(), String::new()),
                CellKind::Foreign => continue,
            };
            let start = text.len() as u32;
            text.push_str(&code);
            cells.push(NotebookCell {
                number: i as u32 + 1,
                range: TextRange::new(start, text.len() as u32),
                json: TextRange::new(source.start as u32, source.end as u32),
                lines: matches!(source.value, JsonValue::Array(_)),
                indent,
            });
            text.push('\n');
        }
        let format =
            root.get("nbformat").and_then(|format| json.get(format.start..format.end)?.trim().parse::<u32>().ok());
        let names_language = language == Language::Python || format.is_none_or(|format| format >= 4);
        Ok(Read { text, notebook: Self { json, cells, names_language } })
    }

    /// The number of the cell that holds an offset of the joined text, where that cell starts, and how far it is indented.
    pub(crate) fn cell_at(&self, offset: u32) -> Option<(u32, u32, u32)> {
        let after = self.cells.partition_point(|cell| cell.range.start <= offset);
        let cell = self.cells.get(after.checked_sub(1)?)?;
        Some((cell.number, cell.range.start, cell.indent.chars().count() as u32))
    }

    /// Whether the notebook is for Python 3. Those of the formats before 4 do not say, and many of them are Python 2.
    pub fn names_language(&self) -> bool {
        self.names_language
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
            let text = indent_text(&text, &cell.indent);
            let value = if cell.lines { quote_lines(&json[start..end], &text) } else { quote_string(&text) };
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

fn cell_kind(code: &str) -> CellKind {
    let Some(magic) = code.trim_start().strip_prefix("%%") else { return CellKind::Python };
    match magic.split_whitespace().next() {
        Some(name) if PYTHON_MAGICS.contains(&name) => CellKind::Python,
        Some(name) if FOREIGN_MAGICS.contains(&name) => CellKind::Foreign,
        _ => CellKind::Opaque,
    }
}

/// What the metadata say of the kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Python,
    Other,
    Unsaid,
}

impl Language {
    fn of(root: &Json) -> Self {
        let metadata = root.get("metadata");
        let word = |part: &str, key: &str| {
            let text = metadata.and_then(|metadata| metadata.get(part)?.get(key)?.as_str()).unwrap_or_default();
            (!text.trim().is_empty()).then(|| text.trim().to_ascii_lowercase())
        };
        let kernel = word("kernelspec", "name");
        let version = word("language_info", "version");
        if version.is_some_and(|version| version.starts_with("2.")) || kernel.as_deref() == Some("python2") {
            return Self::Other;
        }
        let language = word("kernelspec", "language").or_else(|| word("language_info", "name"));
        // Jupytext names the language of a notebook that has no kernel.
        if language.is_none() && word("jupytext", "main_language").is_some_and(|name| !is_python_name(&name)) {
            return Self::Other;
        }
        match language.or(kernel) {
            Some(name) if is_python_name(&name) || name.starts_with("conda") => Self::Python,
            // Environments give kernels names of their own.
            Some(_) if word("kernelspec", "language").is_none() && word("language_info", "name").is_none() => {
                Self::Unsaid
            }
            Some(_) => Self::Other,
            None => Self::Unsaid,
        }
    }
}

fn is_python_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("python") && name != "python2" || name.starts_with("ipython") || name.is_empty()
}

/// A cell without the indentation that all its lines have, and that indentation.
fn dedent_code(code: String) -> (String, String) {
    let first = code.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let indent = first[..first.len() - first.trim_start().len()].to_owned();
    let all = code.lines().all(|line| line.trim().is_empty() || line.starts_with(&indent));
    if indent.is_empty() || !all {
        return (code, String::new());
    }
    let text = code.split_inclusive('\n').map(|line| line.strip_prefix(indent.as_str()).unwrap_or(line)).collect();
    (text, indent)
}

/// The inverse of [`dedented`], up to blank lines.
fn indent_text(text: &str, indent: &str) -> String {
    let line = |line: &str| if line.trim().is_empty() { line.to_owned() } else { format!("{indent}{line}") };
    text.split_inclusive('\n').map(line).collect()
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
    let lines: Vec<String> = text.split_inclusive('\n').map(quote_string).collect();
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

    fn text_of(json: &str) -> String {
        let (file, errors) = SourceFile::from_bytes("a.ipynb", json.as_bytes());
        assert_eq!(errors, []);
        file.text().to_owned()
    }

    #[test]
    fn old_formats_have_worksheets() {
        let json = r#"{"nbformat": 3, "worksheets": [{"cells": [
            {"cell_type": "code", "input": ["x = 1"], "language": "python"},
            {"cell_type": "code", "input": "y <- 1", "language": "R"}]}]}"#;
        assert_eq!(text_of(json), "x = 1\n");
    }

    #[test]
    fn other_kernels_have_no_python() {
        for metadata in [
            r#"{"kernelspec": {"name": "swift", "language": "swift"}}"#,
            r#"{"kernelspec": {"name": "swift", "language": ""}, "language_info": {"name": "swift"}}"#,
            r#"{"language_info": {"name": "R"}}"#,
            r#"{"language_info": {"name": "python", "version": "2.7.18"}}"#,
            r#"{"kernelspec": {"name": "python2", "language": "python"}}"#,
        ] {
            let json =
                format!(r#"{{"metadata": {metadata}, "cells": [{{"cell_type": "code", "source": "let x = 1"}}]}}"#);
            assert_eq!(text_of(&json), "", "{metadata}");
        }
        let mine =
            r#"{"metadata": {"kernelspec": {"name": "my-env"}}, "cells": [{"cell_type": "code", "source": "x"}]}"#;
        assert_eq!(text_of(mine), "x\n");
    }

    #[test]
    fn cells_of_other_languages_leave_their_magic() {
        let json = r#"{"cells": [{"cell_type": "code", "source": "%%cython\ncdef int x"}, {"cell_type": "code", "source": "%%bash\nls"}]}"#;
        assert_eq!(text_of(json), "%%cython\n");
    }

    #[test]
    fn an_indented_cell_is_read_without_its_indentation_and_written_with_it() {
        let json = r#"{"cells": [{"cell_type": "code", "source": "  x = 1\n\n  y = x"}]}"#;
        let (file, _) = SourceFile::from_bytes("a.ipynb", json.as_bytes());
        assert_eq!(file.text(), "x = 1\n\ny = x\n");
        assert_eq!(file.location(7).position.column, 3);
        assert_eq!(file.encode(file.text()), Ok(json.as_bytes().to_vec()));
        let new = file.encode("x = 1\n\ny = z\n").expect("writes");
        assert_eq!(String::from_utf8_lossy(&new), json.replace("y = x", "y = z"));
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
