//! Where a span is, as people and formats write it.

use std::path::{Component, Path};

use pytrope_source::Span;

/// A span's lines and columns: 1-based, columns in code points, the end exclusive, relative to a notebook's cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// 1-based among all cells of a notebook.
    pub cell: Option<u32>,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Place {
    pub fn of(span: &Span) -> Self {
        let (start, end) = (span.start(), span.end());
        // A range that ends with its cell has its end in the next one, whose lines start anew.
        let end = if end.cell == start.cell { end.position } else { start.position };
        Self {
            cell: start.cell,
            line: start.position.line,
            column: start.position.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

/// The text of the line that a span starts on, without its line ending.
pub fn line_text(span: &Span) -> &str {
    let file = &span.file;
    let line = file.lines().line_of(span.range.start);
    file.slice(file.lines().line_range(line, file.text())).trim_end_matches(['\r', '\n'])
}

/// A path relative to the working directory where it lies under it, with `/`.
pub fn display_path(path: &str, base: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    let relative = Path::new(path).strip_prefix(base).unwrap_or(Path::new(path));
    let absolute = relative.is_absolute();
    for component in relative.components() {
        match component {
            Component::CurDir => {}
            Component::RootDir => {}
            Component::Prefix(prefix) => parts.push(prefix.as_os_str().to_string_lossy().into_owned()),
            Component::ParentDir => parts.push("..".to_owned()),
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
        }
    }
    let joined = parts.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// A path from one folder to a file, `..` where it lies elsewhere; both absolute, or the path itself below `base`.
pub fn path_from(folder: &Path, path: &str, base: &Path) -> String {
    if path.starts_with('<') {
        return path.to_owned();
    }
    let clean = |path: &Path| -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for component in path.components() {
            match component {
                Component::CurDir | Component::RootDir => {}
                Component::ParentDir => {
                    parts.pop();
                }
                Component::Prefix(prefix) => parts.push(prefix.as_os_str().to_string_lossy().into_owned()),
                Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            }
        }
        parts
    };
    let (from, to) = (clean(&base.join(folder)), clean(&base.join(path)));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut parts = vec![".."; from.len() - shared];
    parts.extend(to[shared..].iter().map(String::as_str));
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_another_folder() {
        let base = Path::new("/home/ada/project/sub");
        assert_eq!(path_from(Path::new("/home/ada/project"), "a.py", base), "sub/a.py");
        assert_eq!(path_from(Path::new(".."), "../b/c.py", base), "b/c.py");
        assert_eq!(path_from(Path::new("/home/ada/other"), "a.py", base), "../project/sub/a.py");
        assert_eq!(path_from(Path::new(".."), "<stdin>", base), "<stdin>");
    }

    #[test]
    fn paths_are_shown_relative_to_the_working_directory() {
        let base = Path::new("/home/ada/project");
        assert_eq!(display_path("/home/ada/project/src/a.py", base), "src/a.py");
        assert_eq!(display_path("./src/a.py", base), "src/a.py");
        assert_eq!(display_path("../b.py", base), "../b.py");
        assert_eq!(display_path("/tmp/c.py", base), "/tmp/c.py");
        assert_eq!(display_path("<stdin>", base), "<stdin>");
    }
}
