//! The frame of all rewriters: where results go, what is printed, and what exit code follows.
//!
//! A verb makes a [`RewriteOutput`] of its library's answer and calls [`finish`]; nothing is written if it was refused.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use pytrope_diagnostics::render::finding_to_json;
use pytrope_diagnostics::{Finding, OutputFormat, sort_findings};
use pytrope_source::{SourceFile, unified_diff, write_atomic};
use serde_json::{Map, Value};

use crate::args::{ReportFormat, RewriteArgs};
use crate::diff;
use crate::environment::shown;
use crate::exit::ExitStatus;
use crate::output;
use crate::session::Session;
use crate::sources::is_stdin;

/// What a rewriter answers.
#[derive(Debug, Default)]
pub(crate) struct RewriteOutput {
    pub findings: Vec<Finding>,
    /// The files of the answer, the target's own first; empty if the verb refused.
    pub files: Vec<Rewritten>,
    /// Whether there is no answer (exit code 1).
    pub refused: bool,
    /// Lines for people, on standard error.
    pub summary: String,
    /// What the verb adds to the JSON report.
    pub report: Map<String, Value>,
}

/// One file of an answer.
#[derive(Debug)]
pub(crate) struct Rewritten {
    /// Where it goes under `-o DIR`.
    pub path: String,
    /// The file it was made from; none for a new file.
    pub original: Option<Arc<SourceFile>>,
    pub text: String,
    /// Whether it belongs to an installed library, which is never edited in place.
    pub library: bool,
}

impl Rewritten {
    fn encoded_bytes(&self) -> Result<Vec<u8>> {
        match &self.original {
            Some(file) => file.encode(&self.text).map_err(|error| anyhow::anyhow!("{}: {error}", self.path)),
            None => Ok(self.text.clone().into_bytes()),
        }
    }

    fn is_changed(&self) -> bool {
        self.original.as_ref().is_none_or(|file| file.text() != self.text)
    }
}

/// Writes and prints an answer.
pub(crate) fn finish(mut rewrite: RewriteOutput, args: &RewriteArgs, session: &Session) -> Result<ExitStatus> {
    sort_findings(&mut rewrite.findings);
    if !rewrite.refused {
        write_files(&rewrite.files, args, session)?;
    }
    match args.output_format {
        ReportFormat::Json => session.print(|out| {
            serde_json::to_writer_pretty(&mut *out, &to_json(&rewrite, session))?;
            writeln!(out)
        })?,
        ReportFormat::Full => session.print_findings_to_stderr(OutputFormat::Full, &rewrite.findings),
        ReportFormat::Concise => session.print_findings_to_stderr(OutputFormat::Concise, &rewrite.findings),
    }
    if args.output_format != ReportFormat::Json {
        if !rewrite.summary.is_empty() {
            session.summary(rewrite.summary.trim_end());
        }
        if !rewrite.refused {
            print_files(&rewrite.files, args, session)?;
        }
    }
    Ok(if rewrite.refused { ExitStatus::Found } else { ExitStatus::Success })
}

fn to_json(rewrite: &RewriteOutput, session: &Session) -> Value {
    let context = session.render_context(false);
    let mut object = Map::new();
    object.insert("version".into(), 1.into());
    let findings = rewrite.findings.iter().map(|finding| finding_to_json(finding, &context));
    object.insert("diagnostics".into(), findings.collect());
    object.extend(rewrite.report.clone());
    let answered: &[Rewritten] = if rewrite.refused { &[] } else { &rewrite.files };
    let files = answered.iter().map(|file| serde_json::json!({"path": file.path, "source": file.text}));
    object.insert("files".into(), files.collect());
    object.insert("source".into(), answered.first().map(|file| file.text.as_str()).into());
    Value::Object(object)
}

fn write_files(files: &[Rewritten], args: &RewriteArgs, session: &Session) -> Result<()> {
    let mut planned: Vec<(PathBuf, &Rewritten)> = Vec::new();
    if args.in_place {
        for file in files.iter().filter(|file| file.is_changed()) {
            if file.library {
                bail!("{}: files of an installed library are never edited in place; use -o DIR", file.path);
            }
            let path = match &file.original {
                Some(original) if original.path() != "<stdin>" => PathBuf::from(original.path()),
                Some(_) => bail!("standard input cannot be edited in place"),
                None => place_beside(&file.path, files),
            };
            planned.push((path, file));
        }
    } else if let Some(output) = args.output.as_deref().filter(|output| !is_stdin(output)) {
        let folder = output.is_dir() || output.to_string_lossy().ends_with(['/', '\\']) || files.len() > 1;
        if folder && output.is_file() {
            bail!("{}: several files are written, so -o must name a folder", output.display());
        }
        for file in files {
            planned.push((if folder { output.join(&file.path) } else { output.to_owned() }, file));
        }
        let inputs = || files.iter().filter_map(|file| Some(Path::new(file.original.as_ref()?.path())));
        for (path, _) in &planned {
            output::refuse_inputs(path, inputs()).context("use --in-place to write files back")?;
        }
    }
    // Every file is encoded before any is written, so that one that cannot be leaves all as they were.
    let encoded = planned.iter().map(|(_, file)| file.encoded_bytes()).collect::<Result<Vec<_>>>()?;
    for ((path, _), bytes) in planned.iter().zip(encoded) {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("cannot create the folder {}", parent.display()))?;
        }
        write_atomic(path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
        session.summary(&format!("Wrote {}", path.display()));
    }
    Ok(())
}

/// A new file goes beside the first original one.
fn place_beside(path: &str, files: &[Rewritten]) -> PathBuf {
    let original = files.iter().find_map(|file| file.original.as_ref());
    let folder = original.and_then(|file| Path::new(file.path()).parent()).unwrap_or(Path::new(""));
    folder.join(path)
}

/// The path that a diff names a file by: from the root of its repository, where `git apply` looks for it; without a
/// repository, from the current folder.
fn diff_path(file: &Rewritten) -> String {
    let Some(original) = &file.original else { return file.path.clone() };
    let given = Path::new(original.path());
    let Ok(path) = std::fs::canonicalize(given) else { return file.path.clone() };
    let root = path.ancestors().skip(1).find(|folder| folder.join(".git").exists()).map(Path::to_path_buf);
    let root = root.or_else(|| std::env::current_dir().ok().and_then(|folder| folder.canonicalize().ok()));
    match root.and_then(|root| path.strip_prefix(root).ok().map(Path::to_path_buf)) {
        Some(below) => below.to_string_lossy().replace('\\', "/"),
        None => file.path.clone(),
    }
}

/// The change of one file, as `git apply` wants it.
fn diff_of(file: &Rewritten, files: &[Rewritten]) -> String {
    match &file.original {
        Some(original) if file.library || original.path() == "<stdin>" => {
            unified_diff(&file.path, original.text(), &file.text)
        }
        Some(original) => unified_diff(&diff_path(file), original.text(), &file.text),
        None => diff::of_new_file(&shown(&place_beside(&file.path, files)), &file.text),
    }
}

fn print_files(files: &[Rewritten], args: &RewriteArgs, session: &Session) -> Result<()> {
    if args.in_place || args.output.as_deref().is_some_and(|output| !is_stdin(output)) {
        return Ok(());
    }
    session.print(|out| {
        for file in files {
            if args.diff {
                write!(out, "{}", diff::paint_diff(&diff_of(file, files), session.colours_stdout()))?;
                continue;
            }
            if files.len() > 1 {
                writeln!(out, "# ---- {} ----", file.path)?;
            }
            match file.encoded_bytes() {
                Ok(bytes) => out.write_all(&bytes)?,
                Err(_) => out.write_all(file.text.as_bytes())?,
            }
        }
        Ok(())
    })
}
