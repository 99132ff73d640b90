//! `explain`, `rules`, `completions`, help and usage errors.

use crate::project::Project;

#[test]
fn every_rule_can_be_explained_by_code_and_by_id() {
    let project = Project::new();
    let rules = project.run(&["rules"]).code(0);
    assert!(rules.stdout.lines().count() > 30, "{rules:?}");
    for line in rules.stdout.lines() {
        let mut words = line.split_whitespace();
        let (code, id) = (words.next().expect("a code"), words.next().expect("an id"));
        let by_code = project.run(&["explain", code]).code(0).stdout;
        assert!(by_code.starts_with(&format!("# {id} ({code})")), "{by_code}");
        assert_eq!(project.run(&["explain", id]).code(0).stdout, by_code);
    }
}

#[test]
fn rules_and_pages_are_json_too() {
    let project = Project::new();
    let rules = project.run(&["rules", "--output-format", "json"]).code(0).stdout;
    let rules: serde_json::Value = serde_json::from_str(&rules).expect("JSON");
    assert_eq!(rules[0]["code"], "PT001");
    let page = project.run(&["explain", "PT201", "--output-format", "json"]).code(0).stdout;
    let page: serde_json::Value = serde_json::from_str(&page).expect("JSON");
    assert_eq!(page["rule"], "broadcast-mismatch");
    assert!(page["page"].as_str().is_some_and(|page| page.contains("## Example")));
}

#[test]
fn a_mistyped_rule_is_corrected() {
    Project::new().run(&["explain", "PT20l"]).code(2).err("did you mean `PT201`?");
    Project::new().run(&["explain", "quantum"]).code(2).err("`pytrope rules` lists them");
}

#[test]
fn every_verb_has_help_with_examples() {
    for verb in ["check", "migrate", "prune", "draw", "report", "distribute", "project"] {
        Project::new().run(&[verb, "--help"]).code(0).out("Examples:").out(&format!("pytrope {verb} "));
    }
    Project::new().run(&["--help"]).code(0).out("Exit codes:");
    Project::new().run(&["--version"]).code(0).out(concat!("pytrope ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn usage_errors_end_with_two_and_say_what_is_wrong() {
    Project::new().run(&[]).code(2).err("Usage:");
    Project::new().run(&["chek"]).code(2).err("check");
    Project::new().run(&["check", "--output-format", "yaml"]).code(2).err("the formats are full, concise");
    Project::new().run(&["check", "--threads", "0"]).code(2).err("0 is not in 1..=512");
    Project::new().run(&["check", "--target-version", "4.1"]).code(2).err("`4.1` is not a version");
}

#[test]
fn completion_scripts_know_the_verbs() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        Project::new().run(&["completions", shell]).code(0).out("distribute");
    }
}

#[test]
fn the_published_list_of_rules_is_current() {
    let run = Project::new().run(&["rules", "--output-format", "markdown"]).code(0);
    published("docs/rules.md", &run.stdout, "pytrope rules --output-format markdown");
}

#[test]
fn the_published_schema_is_current() {
    let run = Project::new().run(&["schema"]).code(0);
    published("docs/pytrope.schema.json", &run.stdout, "pytrope schema");
}

/// Compares a committed file with what a command prints; `PYTROPE_UPDATE=1` writes it.
#[track_caller]
fn published(path: &str, printed: &str, command: &str) {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("PYTROPE_UPDATE").is_some() {
        std::fs::write(&file, printed).expect("a writable docs folder");
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(committed, printed, "{path} is not what `{command}` prints (PYTROPE_UPDATE=1 writes it)");
}

#[test]
fn manual_pages_exist_for_the_program_and_its_commands() {
    let project = Project::new();
    project.run(&["man"]).code(0).out(".TH pytrope 1").out("pytrope\\-distribute(1)");
    project.run(&["man", "-o", "man1"]).code(0);
    assert!(project.read("man1/pytrope.1").contains(".SH NAME"));
    assert!(project.read("man1/pytrope-check.1").contains("show\\-shapes"));
}
