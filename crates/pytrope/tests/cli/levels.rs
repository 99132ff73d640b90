//! Levels of rules, ignore comments, and the exit codes that follow.

use crate::project::{BROKEN, Project};

#[test]
fn levels_change_severity_and_exit_code() {
    let project = Project::with(&[("a.py", "x = 1  # pytrope: ignore\n")]);
    project.run(&["check"]).code(1).out("warning[PT002]");
    project.run(&["check", "--error", "unused-ignore"]).code(1).out("error[PT002]");
    project.run(&["check", "--ignore", "PT002"]).code(0);
    project.run(&["check", "--ignore", "all", "--warn", "unused-ignore"]).code(1).out("warning[PT002]");
    project.run(&["check", "--exit-zero"]).code(0).out("warning[PT002]");
}

#[test]
fn the_configuration_sets_levels_and_options_win() {
    let project = Project::with(&[("a.py", BROKEN), ("pytrope.toml", "[rules]\nPT001 = \"note\"\n")]);
    project.run(&["check"]).code(0).out("note[PT001]");
    project.run(&["check", "--warn", "PT001"]).code(1).out("warning[PT001]");
}

#[test]
fn unknown_rules_and_contradictions_are_usage_errors() {
    let project = Project::with(&[("a.py", "")]);
    project.check(&["--error", "matmul-mismach"]).code(2).err("did you mean `matmul-mismatch`?");
    project.check(&["--error", "PT202", "--ignore", "matmul-mismatch"]).code(2).err("more than one level");
}

#[test]
fn comments_silence_findings_and_needless_ones_are_reported() {
    let project = Project::with(&[
        ("line.py", "x = = 1  # pytrope: ignore[syntax-error]\n"),
        ("file.py", "# pytrope: ignore-file[PT001]\nx = = 1\ny = = 2\n"),
        ("needless.py", "x = 1  # pytrope: ignore[PT001, nonsense]\n"),
    ]);
    let run = project.check(&[]).code(1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines,
        [
            "needless.py:1:10: PT002 there is no rule `nonsense`",
            "needless.py:1:10: PT002 unused ignore: `PT001` is not reported here",
        ]
    );
}

#[test]
fn at_most_so_many_findings_are_shown() {
    let project = Project::with(&[("a.py", "x = = 1\n"), ("b.py", "y = = 2\n"), ("c.py", "z = = 3\n")]);
    let run = project.check(&["--max-findings", "2"]).code(1).err("1 finding more not shown");
    assert_eq!(run.stdout.lines().count(), 2);
}
