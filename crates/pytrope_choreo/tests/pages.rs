//! The example of each rule's page breaks that rule.

use pytrope_choreo::{NoImports, Options, project_file};
use pytrope_diagnostics::rules;
use pytrope_source::SourceFile;

#[test]
fn examples_break_their_rules() {
    // PT514 takes two files and PT517 a type checker; other tests have them.
    let mut seen = 0;
    for rule in rules().iter().filter(|rule| rule.code.starts_with("PT5") && !matches!(rule.code, "PT514" | "PT517")) {
        let example = rule.page.split("## Example").nth(1).expect("a page has an example");
        let code = example.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
        let projection = project_file(&SourceFile::from_text("example.py", code), &NoImports, Options::default());
        let found: Vec<&str> = projection.findings.iter().map(|finding| finding.rule.code).collect();
        assert!(found.contains(&rule.code), "{}: found {found:?}\n{code}", rule.code);
        seen += 1;
    }
    assert_eq!(seen, 16);
}
