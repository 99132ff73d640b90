//! The command line of Pytrope: arguments, configuration, file discovery, output and exit codes.
//!
//! One file per verb in `commands/`; what a verb does is in its library. This crate alone touches
//! arguments, environment, standard streams and the clock. Start reading at [`commands`].

#![forbid(unsafe_code)]

mod args;
mod cache;
mod commands;
mod config;
mod diff;
mod discovery;
mod entry;
mod environment;
mod exit;
mod guard;
mod input;
mod output;
mod progress;
mod rewrite;
mod session;
mod sources;
mod watch;
mod workers;
mod z3;

use clap::Parser;
use clap::error::{ContextKind, ErrorKind};

use crate::args::Cli;
use crate::exit::ExitStatus;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    guard::install_hook();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            // What clap calls "to pass it as a value" is never what was meant.
            if error.kind() == ErrorKind::UnknownArgument {
                error.remove(ContextKind::Suggested);
            }
            // Help and version are asked for and go to stdout; a reader that went away is no error.
            let _ = error.print();
            return if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Success }.into();
        }
    };
    run_to_exit(|| commands::run(&cli)).into()
}

/// How a command ends, whatever happens in it.
fn run_to_exit(command: impl FnOnce() -> anyhow::Result<ExitStatus>) -> ExitStatus {
    match guard::catch_panic(command) {
        Ok(Ok(exit)) => exit,
        Ok(Err(error)) => session::report_error(&error),
        Err(panic) => {
            eprintln!("{panic}");
            ExitStatus::Internal
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::ExitCode;

    use super::{ExitStatus, run_to_exit};

    #[test]
    fn a_defect_of_ours_ends_with_101() {
        let exit = run_to_exit(|| panic!("a defect"));
        assert_eq!(exit, ExitStatus::Internal);
        assert_eq!(format!("{:?}", ExitCode::from(exit)), format!("{:?}", ExitCode::from(101)));
    }

    #[test]
    fn an_error_of_the_caller_ends_with_2() {
        let exit = run_to_exit(|| Err(anyhow::anyhow!("no such file")));
        assert_eq!(format!("{:?}", ExitCode::from(exit)), format!("{:?}", ExitCode::from(2)));
        assert!(ExitStatus::Internal > exit, "of two outcomes the worse one counts");
    }
}
