//! `pytrope.toml` and `[tool.pytrope]`: what is read, and what is said about mistakes.

use crate::project::{BROKEN, Project};

#[test]
fn both_files_are_read_and_the_nearest_one_counts() {
    let project = Project::with(&[
        ("pyproject.toml", "[tool.pytrope]\noutput-format = \"concise\"\n"),
        ("a.py", BROKEN),
        ("inner/pytrope.toml", "output-format = \"json\"\n"),
        ("inner/b.py", BROKEN),
    ]);
    project.run(&["check", "a.py"]).code(1).out("a.py:1:");
    project.run(&["check", "inner"]).code(1).out("\"path\": \"inner/b.py\"");
    project.run(&["check", "--isolated", "a.py"]).code(1).out("error[PT001]");
    project.run(&["check", "--config", "inner/pytrope.toml", "a.py"]).code(1).out("\"path\": \"a.py\"");
}

#[test]
fn unknown_keys_are_named_with_their_line_and_a_suggestion() {
    let project = Project::with(&[("pytrope.toml", "possible = false\n\nexclud = [\"x\"]\n"), ("a.py", "")]);
    project.check(&[]).code(2).err("pytrope.toml:3: unknown key `exclud`; did you mean `exclude`?");
    project.write("pytrope.toml", b"colour-of-the-sky = 1\n");
    project.check(&[]).code(2).err("unknown key `colour-of-the-sky`; the keys are baseline, exclude");
}

#[test]
fn wrong_values_are_usage_errors() {
    for (text, message) in [
        ("possible = 1\n", "1: `possible`: wrong type: integer `1`, expected a boolean"),
        ("[rules]\nbrodcast-mismatch = \"error\"\n", "no rule `brodcast-mismatch`; did you mean `broadcast-mismatch`?"),
        ("[rules]\nbroadcast-mismatch = \"loud\"\n", "2: `rules.broadcast-mismatch`: unknown value `loud`"),
        ("output-format = \"xml\"\n", "output-format `xml` is not one of full, concise"),
        ("target-version = \"2.7\"\n", "`2.7` is not a version from 3.7 to 3.14"),
        ("exclude = [\"a[\"]\n", "`a[` is not a glob"),
        ("exclude = \n", "pytrope.toml: TOML parse error"),
    ] {
        let project = Project::with(&[("pytrope.toml", text), ("a.py", "")]);
        project.check(&[]).code(2).err(message);
    }
}

#[test]
fn a_configuration_that_is_named_must_exist_and_speak_of_us() {
    let project = Project::with(&[("pyproject.toml", "[project]\nname = \"x\"\n"), ("a.py", "")]);
    project.check(&["--config", "missing.toml"]).code(2).err("cannot read missing.toml");
    project.check(&["--config", "pyproject.toml"]).code(2).err("there is no [tool.pytrope] table");
    project.check(&[]).code(0);
}

#[test]
fn rules_can_be_ignored_by_file() {
    let project = Project::with(&[
        ("pytrope.toml", "[per-file-ignores]\n\"old/**\" = [\"syntax-error\"]\n"),
        ("old/a.py", BROKEN),
        ("new/a.py", BROKEN),
    ]);
    let run = project.check(&[]).code(1).out("new/a.py");
    assert!(!run.stdout.contains("old/a.py"), "{run:?}");
}
