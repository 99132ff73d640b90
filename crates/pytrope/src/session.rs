//! The outside world of one run: working directory, colour, standard streams.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use pytrope_diagnostics::{Finding, Links, OutputFormat, RenderContext, render};

use crate::args::{Colour, GlobalArgs};
use crate::exit::ExitStatus;
use crate::{progress, workers};

/// What every command needs to speak to people and programs.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub global: GlobalArgs,
    /// The working directory, to which shown paths are relative.
    pub base: PathBuf,
}

impl Session {
    pub fn new(global: &GlobalArgs) -> Result<Self> {
        let base = std::env::current_dir().context("the working directory cannot be read")?;
        // Every file is written whole or not at all, so that stopping at any moment is safe.
        let _ = ctrlc::set_handler(|| {
            progress::clear_bar();
            std::process::exit(130);
        });
        Ok(Self { global: global.clone(), base })
    }

    pub fn thread_count(&self) -> usize {
        self.global.threads.map_or_else(workers::available_threads, usize::from)
    }

    /// Runs a printer on standard output; a reader that went away ends the output and is no error.
    #[expect(clippy::unused_self, reason = "printing belongs to a session, as messages do")]
    pub fn print(&self, printer: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        progress::clear_bar();
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let printed = printer(&mut out).and_then(|()| out.flush());
        // What is left in the buffer must not be written again, and complain again, on drop.
        let (_, _) = out.into_parts();
        match printed {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other.context("standard output cannot be written"),
        }
    }

    /// Prints findings on standard output.
    pub fn print_findings(&self, format: OutputFormat, findings: &[Finding]) -> Result<()> {
        let context = self.render_context(io::stdout().is_terminal());
        self.print(|out| render(format, findings, &context, out))
    }

    /// Prints findings on standard error, where refusals of rewriters go.
    pub fn print_findings_to_stderr(&self, format: OutputFormat, findings: &[Finding]) {
        progress::clear_bar();
        let context = self.render_context(io::stderr().is_terminal());
        let mut text = Vec::new();
        // Writing to memory does not fail, and nothing can be said if standard error does.
        let _ = render(format, findings, &context, &mut text).and_then(|()| io::stderr().write_all(&text));
    }

    /// The context of rendering for a stream.
    pub fn render_context(&self, terminal: bool) -> RenderContext {
        let links = shows_links(terminal).then(|| Links {
            documentation: std::env::var("PYTROPE_DOCS_URL").ok().filter(|address| !address.is_empty()),
        });
        RenderContext { base: self.base.clone(), colour: self.use_colour(terminal), links }
    }

    /// Whether what is printed on standard output is coloured.
    pub fn colours_stdout(&self) -> bool {
        self.use_colour(io::stdout().is_terminal())
    }

    fn use_colour(&self, terminal: bool) -> bool {
        match self.global.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }

    /// Clears a terminal before a run is repeated; what was on it before can be scrolled back to.
    #[expect(clippy::unused_self, reason = "printing belongs to a session, as messages do")]
    pub fn clear_screen(&self) {
        if io::stdout().is_terminal() {
            let mut out = io::stdout().lock();
            // A terminal that cannot be cleared is written to as it is.
            let _ = write!(out, "\x1b[2J\x1b[H").and_then(|()| out.flush());
        }
    }

    /// Says an error about one path and goes on.
    pub fn print_error(&self, message: &str) {
        progress::clear_bar();
        let red = AnsiColor::BrightRed.on_default().bold();
        self.print_line(red, "error", message);
    }

    pub fn print_warning(&self, message: &str) {
        if !self.global.quiet {
            progress::clear_bar();
            self.print_line(AnsiColor::BrightYellow.on_default().bold(), "warning", message);
        }
    }

    /// A line about the result as a whole.
    pub fn summary(&self, message: &str) {
        if !self.global.quiet {
            progress::clear_bar();
            let _ = writeln!(io::stderr(), "{message}");
        }
    }

    /// A line about what is done, on request.
    pub fn print_detail(&self, message: &str) {
        if self.global.verbose {
            progress::clear_bar();
            let _ = writeln!(io::stderr(), "{message}");
        }
    }

    fn print_line(&self, style: Style, word: &str, message: &str) {
        let (on, off) = if self.use_colour(io::stderr().is_terminal()) {
            (style.render().to_string(), style.render_reset().to_string())
        } else {
            (String::new(), String::new())
        };
        let _ = writeln!(io::stderr(), "{on}{word}{off}: {message}");
    }
}

/// Whether a stream shows links: a terminal, unless it is a dumb one or FORCE_HYPERLINK says otherwise.
fn shows_links(terminal: bool) -> bool {
    match std::env::var_os("FORCE_HYPERLINK") {
        Some(value) => value != "0",
        None => terminal && std::env::var_os("TERM").is_some_and(|term| term != "dumb" && term != "linux"),
    }
}

/// Prints the error that ends a run, with what led to it.
pub(crate) fn report_error(error: &anyhow::Error) -> ExitStatus {
    progress::clear_bar();
    let _ = writeln!(io::stderr(), "error: {}", without_error_numbers(&format!("{error:#}")));
    ExitStatus::Usage
}

/// An input/output error in words, without the system's number.
pub(crate) fn io_message(error: &io::Error) -> String {
    without_error_numbers(&error.to_string())
}

/// A message without the numbers that the standard library puts behind the system's words: ` (os error 2)`.
fn without_error_numbers(message: &str) -> String {
    let mut text = message.to_owned();
    while let Some(start) = text.find(" (os error ") {
        let Some(length) = text[start..].find(')') else { break };
        text.replace_range(start..=start + length, "");
    }
    text
}
