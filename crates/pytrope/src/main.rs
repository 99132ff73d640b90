//! The command line of Pytrope: arguments, configuration, file discovery, output and exit codes.
//!
//! One file per verb in `commands/`; what a verb does is in its library. This crate alone touches
//! arguments, environment, standard streams and the clock. Start reading at [`commands`].

#![forbid(unsafe_code)]

mod args;
mod commands;
mod config;
mod discovery;
mod entry;
mod environment;
mod exit;
mod guard;
mod progress;
mod rewrite;
mod session;
mod sources;
mod watch;
mod workers;
mod z3;

use clap::Parser;

use crate::args::Cli;
use crate::exit::Exit;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    guard::install();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are asked for and go to stdout; a reader that went away is no error.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Success }.into();
        }
    };
    match guard::catch(|| commands::run(&cli)) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(error)) => session::report_error(&error).into(),
        Err(panic) => {
            eprintln!("{panic}");
            Exit::Internal.into()
        }
    }
}
