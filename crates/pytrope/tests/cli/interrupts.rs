//! An interrupt ends a run at once, with the shell's exit code for it.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::project::Project;

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_watching_run() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    let mut command = project.command(&["check", "--watch"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("watching for changes")), "the first run never ended");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill starts").success());
    assert_eq!(child.wait().expect("the binary ends").code(), Some(130));
}
