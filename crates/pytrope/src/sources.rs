//! Reading and parsing: bytes from files or standard input become parsed files and the findings of PT0xx.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::{Parsed, SourceFile, Span, TextRange, parse};

use crate::environment;

/// Files over this size are not source code; they are reported and left alone.
const LARGEST: u64 = 256 << 20;

/// After this many syntax errors a file is something else than Python.
const MOST_ERRORS: usize = 50;

/// A file that was read and parsed, with what was found on the way.
pub(crate) struct Loaded {
    pub path: PathBuf,
    pub parsed: Arc<Parsed>,
    pub findings: Vec<Finding>,
}

/// Reads a file, or standard input for `-`, which then goes by the given name.
pub(crate) fn load(path: &Path, stdin_name: Option<&Path>) -> io::Result<Loaded> {
    let (name, bytes) = if is_stdin(path) {
        (stdin_name.unwrap_or(Path::new("<stdin>")), read_limited(io::stdin().lock())?)
    } else {
        (path, read_limited(std::fs::File::open(path)?)?)
    };
    Ok(from_bytes(name, bytes))
}

/// Whether a target stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn read_limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn from_bytes(path: &Path, bytes: Vec<u8>) -> Loaded {
    let name = environment::shown(path);
    if bytes.len() as u64 > LARGEST {
        let parsed = Arc::new(parse(&SourceFile::from_text(name, "")));
        let span = Span::new(&parsed.file, TextRange::at(0));
        let message = format!("the file is larger than {} MiB and was not analysed", LARGEST >> 20);
        let findings = vec![Finding::new(rule_by_id("too-complex"), span, message)];
        return Loaded { path: path.to_owned(), parsed, findings };
    }
    let (file, read_errors) = SourceFile::from_bytes(name, &bytes);
    drop(bytes);
    let parsed = Arc::new(parse(&file));
    let found = |rule: &str, range, message: &str| {
        Finding::new(rule_by_id(rule), Span::new(&file, range), message).raises("SyntaxError")
    };
    let mut findings: Vec<Finding> =
        read_errors.iter().map(|error| found("bad-encoding", error.range, &error.message)).collect();
    // Where the bytes are wrong, what the parser says of their replacement is noise.
    if findings.is_empty() {
        let shown = parsed.errors.iter().take(MOST_ERRORS);
        findings.extend(shown.map(|error| found("syntax-error", error.range, &error.message)));
        let hidden = parsed.errors.len().saturating_sub(MOST_ERRORS);
        if let (1.., Some(last)) = (hidden, findings.last_mut()) {
            last.help = Some(format!("{hidden} more syntax errors in this file are not shown"));
        }
    }
    Loaded { path: path.to_owned(), parsed, findings }
}
