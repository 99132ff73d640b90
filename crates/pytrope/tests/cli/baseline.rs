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

const UPDATE: [&str; 3] = ["--baseline", "known.json", "--update-baseline"];

fn update(project: &Project, paths: &[&str], said: &str) {
    project.check(&[&UPDATE[..], paths].concat()).code(0).err(said);
}

#[test]
fn what_is_known_of_files_that_are_not_checked_stays() {
    let project = Project::with(&[("a.py", BROKEN), ("b.py", BROKEN), ("lib/c.py", BROKEN), ("lib/d.py", "x = 1\n")]);
    update(&project, &[], "Wrote 3 findings to known.json\n");
    project.write("a.py", b"x = 1\n");
    update(&project, &["a.py"], "Wrote 0 findings to known.json; 2 findings in files that were not checked stayed");
    let known = project.read("known.json");
    assert!(!known.contains("\"a.py\"") && known.contains("\"b.py\"") && known.contains("\"lib/c.py\""), "{known}");
    update(&project, &["lib"], "Wrote 1 finding to known.json; 1 finding in files that were not checked stayed");
    project.check(&["--baseline", "known.json"]).code(0).err("the baseline leaves out 2 findings");
}

#[test]
fn what_is_known_of_deleted_and_excluded_files_goes() {
    let project = Project::with(&[("a.py", BROKEN), ("b.py", BROKEN), ("lib/c.py", BROKEN)]);
    update(&project, &[], "Wrote 3 findings to known.json\n");
    std::fs::remove_file(project.path("b.py")).expect("a file to delete");
    update(&project, &["a.py"], "Wrote 1 finding to known.json; 1 finding in files that were not checked stayed");
    assert!(!project.read("known.json").contains("b.py"));
    update(&project, &[".", "--exclude", "lib"], "Wrote 1 finding to known.json\n");
    assert!(!project.read("known.json").contains("lib"));
}

#[test]
fn paths_of_the_command_line_and_of_the_baseline_are_compared_as_places() {
    let project = Project::with(&[("ci/.keep", ""), ("src/a.py", BROKEN), ("src/b.py", BROKEN)]);
    project.check(&["--baseline", "ci/known.json", "--update-baseline"]).code(0).err("Wrote 2 findings");
    let mut inside = project.command(&["check", "--baseline", "../ci/known.json", "--update-baseline", "a.py"]);
    let run = inside.current_dir(project.path("src")).output().expect("the binary starts");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        said.contains("Wrote 1 finding to ../ci/known.json; 1 finding in files that were not checked stayed"),
        "{said}"
    );
    let known = project.read("ci/known.json");
    assert!(known.contains("../src/a.py") && known.contains("../src/b.py"), "{known}");
}

#[test]
fn a_baseline_that_cannot_be_read_is_not_overwritten() {
    let project = Project::with(&[("a.py", BROKEN), ("known.json", "<<<<<<< HEAD\n")]);
    project.check(&UPDATE).code(2).err("it is not overwritten: delete it to begin anew").err("the baseline known.json");
    assert_eq!(project.read("known.json"), "<<<<<<< HEAD\n");
}
