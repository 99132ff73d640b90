//! `pytrope parse` (for developers): parse, lower and walk files; on request, write each back unchanged in memory.

use std::path::Path;

use anyhow::Result;
use pytrope_source::{Edits, SourceFile, SourceKind, parse};
use serde_json::json;

use crate::args::ParseArgs;
use crate::config::Config;
use crate::discovery::discover_files;
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::{guard, workers};

#[derive(Default)]
struct Counts {
    files: usize,
    lines: u64,
    bytes: u64,
    nodes: u64,
    files_with_errors: usize,
    not_identical: Vec<String>,
    panicked: Vec<String>,
    unreadable: usize,
}

pub(super) fn run(args: &ParseArgs, session: &Session) -> Result<ExitStatus> {
    let config = Config::default();
    let found = discover_files(&args.paths, &config, &[], session.thread_count())?;
    let mut total = Counts { unreadable: found.errors.len(), ..Counts::default() };
    let each = workers::map(&found.files, session.thread_count(), |path| {
        guard::catch_panic(|| parse_file(path, args.round_trip)).unwrap_or_else(|panic| Counts {
            panicked: vec![format!("{}: {panic}", path.display())],
            ..Counts::default()
        })
    });
    for counts in each {
        total.files += 1;
        total.lines += counts.lines;
        total.bytes += counts.bytes;
        total.nodes += counts.nodes;
        total.files_with_errors += counts.files_with_errors;
        total.not_identical.extend(counts.not_identical);
        total.panicked.extend(counts.panicked);
        total.unreadable += counts.unreadable;
    }
    let report = json!({
        "files": total.files,
        "lines": total.lines,
        "bytes": total.bytes,
        "nodes": total.nodes,
        "files_with_errors": total.files_with_errors,
        "unreadable": total.unreadable,
        "not_identical": total.not_identical,
        "panicked": total.panicked,
    });
    session.print(|out| writeln!(out, "{report:#}"))?;
    Ok(if !total.panicked.is_empty() {
        ExitStatus::Internal
    } else if total.unreadable > 0 {
        ExitStatus::Usage
    } else if !total.not_identical.is_empty() {
        ExitStatus::Found
    } else {
        ExitStatus::Success
    })
}

fn parse_file(path: &Path, round_trip: bool) -> Counts {
    let mut counts = Counts::default();
    let Ok(bytes) = crate::input::read_file(path) else {
        counts.unreadable = 1;
        return counts;
    };
    let name = path.to_string_lossy().into_owned();
    let (file, read_errors) = SourceFile::from_bytes(name.as_str(), &bytes);
    let parsed = parse(&file);
    counts.bytes = bytes.len() as u64;
    counts.lines = u64::from(file.lines().line_count());
    counts.files_with_errors = usize::from(!read_errors.is_empty() || !parsed.errors.is_empty());
    counts.nodes = parsed.tree.suite_nodes(parsed.tree.body()).count() as u64;
    if round_trip && read_errors.is_empty() {
        // No edits must give the same text, and the same text the same bytes.
        let same_text = Edits::new(&parsed).apply().is_ok_and(|text| text == file.text());
        let same_bytes = file.kind() == SourceKind::Notebook || file.encode(file.text()).is_ok_and(|new| new == bytes);
        if !same_text || !same_bytes {
            counts.not_identical.push(name);
        }
    }
    counts
}
