//! `--baseline` and `--update-baseline`.

use crate::project::{BROKEN, Project};

#[test]
fn a_baseline_silences_what_it_knows_and_nothing_else() {
    let project = Project::with(&[("old.py", "x = = 2\n")]);
    project.check(&["--baseline", "known.json", "--update-baseline"]).code(0).err("Wrote 1 finding to known.json");
    let silenced = "nothing found in 1 file; the baseline leaves out 1 finding";
    project.check(&["--baseline", "known.json"]).code(0).err(silenced);
    project.write("new.py", BROKEN.as_bytes());
    let run = project.check(&["--baseline", "known.json"]).code(1).out("new.py:");
    assert!(!run.stdout.contains("old.py"), "{run:?}");
}

#[test]
fn a_baseline_survives_lines_moving() {
    let project = Project::with(&[("a.py", "x = = 2\n")]);
    project.check(&["--baseline", "known.json", "--update-baseline"]).code(0);
    project.write("a.py", b"# A comment above.\n\nx = = 2\n");
    project.check(&["--baseline", "known.json"]).code(0);
}

#[test]
fn a_missing_or_broken_baseline_is_a_usage_error() {
    let project = Project::with(&[("a.py", "x = 1\n"), ("broken.json", "{\"version\": 2, \"findings\": []}")]);
    project.check(&["--baseline", "missing.json"]).code(2).err("cannot read the baseline missing.json");
    project.check(&["--baseline", "broken.json"]).code(2).err("version 2 is not one that this Pytrope reads");
    project.check(&["--update-baseline"]).code(2).err("--update-baseline needs --baseline FILE");
}

#[test]
fn the_baseline_of_the_configuration_is_relative_to_it() {
    let project = Project::with(&[("pytrope.toml", "baseline = \"known.json\"\n"), ("sub/a.py", BROKEN)]);
    project.check(&["--update-baseline", "sub"]).code(0);
    assert!(project.read("known.json").contains("sub/a.py"));
    project.check(&["sub"]).code(0);
}
