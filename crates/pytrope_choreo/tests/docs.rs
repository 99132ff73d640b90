//! The programs printed in docs/project.md are those that the choreography there is projected to.

use pytrope_choreo::{NoImports, Options, project_file};
use pytrope_source::SourceFile;

#[test]
fn the_programs_of_the_page_are_what_is_projected() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/project.md")).expect("the page");
    let blocks: Vec<&str> =
        page.split("```python\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0)).collect();
    let [choreography, programs @ ..] = blocks.as_slice() else { panic!("the page has a choreography") };
    assert_eq!(programs.len(), 2);
    let projection = project_file(&SourceFile::from_text("shop.py", *choreography), &NoImports, Options::default());
    assert!(projection.findings.is_empty(), "{:?}", projection.findings);
    for (program, module) in programs.iter().zip(&projection.modules) {
        assert!(module.source.ends_with(program), "{}\n{}", module.name, module.source);
    }
}
