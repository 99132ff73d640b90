//! Reading and parsing: bytes from files or standard input become parsed files and the findings of PT0xx.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pytrope_diagnostics::{Finding, Severity, rule_by_id};
use pytrope_source::tree::{ExprKind, StmtKind};
use pytrope_source::{Parsed, SourceFile, Span, TextRange, Tree, parse};

use crate::environment;
use crate::input::{LARGEST, read_file, read_limited};

/// A file that was read and parsed, with what was found on the way.
pub(crate) struct LoadedSource {
    pub path: PathBuf,
    pub parsed: Arc<Parsed>,
    pub findings: Vec<Finding>,
}

/// Reads a file, or standard input for `-`, which then goes by the given name.
pub(crate) fn load(path: &Path, stdin_name: Option<&Path>) -> io::Result<LoadedSource> {
    let (name, bytes) = if is_stdin(path) {
        (stdin_name.unwrap_or(Path::new("<stdin>")), read_limited(io::stdin().lock())?)
    } else {
        (path, read_file(path)?)
    };
    Ok(from_bytes(name, bytes))
}

/// Whether a target stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Parses the bytes of a file.
pub(crate) fn from_bytes(path: &Path, bytes: Vec<u8>) -> LoadedSource {
    let name = environment::shown(path);
    if bytes.len() as u64 > LARGEST {
        let parsed = Arc::new(parse(&SourceFile::from_text(name, "")));
        let span = Span::new(&parsed.file, TextRange::at(0));
        let message = format!("the file is larger than {} MiB and was not analysed", LARGEST >> 20);
        let findings = vec![Finding::new(rule_by_id("too-complex"), span, message)];
        return LoadedSource { path: path.to_owned(), parsed, findings };
    }
    let (file, read_errors) = SourceFile::from_bytes(name, &bytes);
    drop(bytes);
    let parsed = Arc::new(parse(&file));
    let found = |rule: &str, range, message: &str, is_limit: bool| {
        let span = Span::new(&file, range);
        // Limits are ours: Python may well run the file.
        if is_limit {
            return Finding::new(rule_by_id("too-complex"), span, message);
        }
        Finding::new(rule_by_id(rule), span, message).raises("SyntaxError")
    };
    let mut findings: Vec<Finding> =
        read_errors.iter().map(|error| found("bad-encoding", error.range, &error.message, error.is_limit)).collect();
    // Where the bytes are wrong, what the parser says of their replacement is noise. Python stops at a file's first syntax error;
    // what a parser makes of the rest is a guess. The cells of a notebook are compiled one by one.
    if findings.is_empty() {
        let mut errors: Vec<_> = parsed.errors.iter().collect();
        errors.sort_by_key(|error| error.range.start);
        let cell = |error: &&pytrope_source::SyntaxError| file.location(error.range.start).cell;
        errors.dedup_by_key(|error| cell(error));
        findings.extend(errors.into_iter().map(|e| found("syntax-error", e.range, &e.message, e.is_limit)));
    }
    if findings.first().is_some_and(|finding| is_python_2_print(line_at(file.text(), finding.primary.range.start))) {
        findings[0].help = Some("this is Python 2: `print` is a function since Python 3".into());
    }
    if file.notebook().is_some_and(|notebook| !notebook.names_language()) {
        // Old notebooks do not say which Python they are for.
        for finding in &mut findings {
            finding.severity = Severity::Note;
            finding.help = Some("the notebook does not say that its kernel is Python 3".into());
        }
    }
    let wrong = findings.first().map(|finding| finding.primary.range.start);
    if wrong.is_some_and(|at| is_template(path, line_at(file.text(), at))) {
        // A template becomes Python when something fills it in; what fails before that is no defect of a program.
        for finding in &mut findings {
            finding.severity = Severity::Note;
            finding.help =
                Some("the file looks like a template: it is not Python until its placeholders are filled in".into());
        }
    }
    LoadedSource { path: path.to_owned(), parsed, findings }
}

/// How the message about an encoding begins that Python does not know.
const UNKNOWN_ENCODING: &str = "unknown encoding: ";

/// Whether a finding is about an encoding that Python does not know. A program may register codecs of its own.
pub(crate) fn is_of_unknown_encoding(finding: &Finding) -> bool {
    finding.message.starts_with(UNKNOWN_ENCODING)
}

/// Whether a module calls `codecs.register`.
pub(crate) fn registers_codec(tree: &Tree) -> bool {
    let codecs = tree.stmt_ids().any(|id| match tree[id].kind {
        StmtKind::ImportFrom { module: Some(module), .. } => tree.text(module.name) == "codecs",
        _ => false,
    });
    tree.expr_ids().any(|id| {
        let ExprKind::Call { function, .. } = tree[id].kind else { return false };
        match tree.dotted(function).as_deref() {
            Some([.., "codecs", "register"]) => true,
            Some(["register"]) => codecs,
            _ => false,
        }
    })
}

/// The line of a text that holds an offset.
fn line_at(text: &str, offset: u32) -> &str {
    let at = (offset as usize).min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    &text[start..end]
}

/// Whether a line that does not parse is a statement of Python 2: `print "done"`.
fn is_python_2_print(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix("print ").map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || "\"'_%".contains(c)))
}

/// Whether a file is a template of Python rather than Python: its path, or the line that does not parse, has the placeholders of a
/// template engine.
fn is_template(path: &Path, line: &str) -> bool {
    let placed = path.components().any(|part| part.as_os_str().to_string_lossy().contains("{{"));
    let pairs = [("{%", "%}"), ("{{", "}}"), ("<%", "%>"), ("${", "}")];
    let has = |(open, close): (&str, &str)| line.split_once(open).is_some_and(|(_, rest)| rest.contains(close));
    placed || !line.contains("{{{") && pairs.into_iter().any(has)
}
