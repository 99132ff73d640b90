//! A temporary project, and runs of the binary in it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder that is removed with the value.
pub struct Project {
    folder: tempfile::TempDir,
}

/// What a run printed and how it ended.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Project {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A project with files, as path and content.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let project = Self::new();
        for (path, content) in files {
            project.write(path, content.as_bytes());
        }
        project
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub fn write(&self, path: &str, content: &[u8]) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a writable folder");
        std::fs::write(path, content).expect("a writable file");
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).expect("a readable file")
    }

    /// The binary in this folder, without colour or configuration from outside.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pytrope"));
        command.args(arguments).current_dir(self.folder.path()).env_remove("RUST_BACKTRACE").stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        Run::of(&self.command(arguments).output().expect("the binary starts"))
    }

    /// Runs `check --output-format concise` with more arguments.
    pub fn check(&self, arguments: &[&str]) -> Run {
        let mut all = vec!["check", "--output-format", "concise"];
        all.extend(arguments);
        self.run(&all)
    }
}

impl Run {
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts the exit code, showing everything that was printed.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Asserts a part of standard output.
    #[track_caller]
    pub fn out(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "standard output has no {text:?}\n{self:#?}");
        self
    }

    /// Asserts a part of standard error.
    #[track_caller]
    pub fn err(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "standard error has no {text:?}\n{self:#?}");
        self
    }
}

/// A syntax error that every test of output can use.
pub const BROKEN: &str = "x = = 1\n";
