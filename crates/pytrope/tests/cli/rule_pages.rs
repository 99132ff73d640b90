//! The example on a rule's page has the finding that the page is about.

use crate::project::Project;

/// The first Python block under `## Example`.
fn example(page: &str) -> &str {
    let section = page.split("\n## Example\n").nth(1).expect("an example");
    section.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a Python block")
}

#[test]
fn examples_of_source_value_and_shape_rules_are_found() {
    let project = Project::new();
    let rules = project.run(&["explain", "--all", "--output-format", "json"]).code(0).stdout;
    let rules: serde_json::Value = serde_json::from_str(&rules).expect("JSON");
    let mut missing = Vec::new();
    for rule in rules.as_array().expect("a list") {
        let code = rule["code"].as_str().expect("a code");
        // PT004 is about files of hundreds of megabytes; the verbs of PT3xx to PT5xx have tests of their own.
        if code == "PT004" || !["PT0", "PT1", "PT2"].iter().any(|family| code.starts_with(family)) {
            continue;
        }
        let path = format!("{code}.py");
        project.write(&path, example(rule["page"].as_str().expect("a page")).as_bytes());
        let run = project.check(&["--isolated", "--possible", &path]);
        if !run.stdout.contains(&format!(" {code} ")) {
            missing.push(format!("{code}: {run:?}"));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
