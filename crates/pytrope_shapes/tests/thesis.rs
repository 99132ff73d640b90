//! The thesis' own tests are ours: every listing of section 5.2 is a section that runs, and no category has fewer tests.

use std::path::Path;

fn page(name: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Pages of arrays are beside this test, pages of the language with the interpreter.
    let folders = [here.join("tests/mdtest"), here.join("../pytrope_eval/tests/mdtest")];
    let found = folders.iter().find_map(|folder| std::fs::read_to_string(folder.join(name)).ok());
    found.unwrap_or_else(|| panic!("there is no page {name}"))
}

/// The titles of the sections that hold a test.
fn sections(name: &str) -> Vec<String> {
    let page = page(name);
    let parts = page.split("\n## ").skip(1);
    parts.filter(|part| part.contains("```python")).filter_map(|part| part.lines().next()).map(str::to_owned).collect()
}

#[test]
fn every_listing_has_its_section() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/internals/language-tests.md");
    let page = std::fs::read_to_string(page).expect("the page is in the repository");
    let table = page.split("## The thesis, listing by listing").nth(1).expect("the page has the table");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip_while(|line| !line.starts_with("|---"))
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    // Section 5.2 prints 14 programs, two of its loops only in words; figure 5.1 is another.
    let of_discussion = rows.iter().filter(|row| row[0].starts_with("5.2")).count();
    assert!(of_discussion >= 14, "only {of_discussion} listings of section 5.2 are in the table");
    for row in &rows {
        let name = row[1].trim_matches('`');
        let title = row[2];
        assert!(sections(name).iter().any(|section| section == title), "{name} has no section “{title}”");
    }
}

#[test]
fn no_category_has_fewer_tests_than_the_thesis() {
    let numpy =
        ["broadcasting", "creation", "indexing", "joining", "linalg", "lists", "products", "reductions", "reshaping"];
    let numpy: usize = numpy.iter().map(|name| sections(&format!("numpy/{name}.md")).len()).sum();
    let count = |name: &str| sections(&format!("{name}.md")).len();
    let others = ["operators/numbers", "operators/operators", "names/modules"];
    // Table 5.1.
    let categories = [
        ("if branching", count("branches/if"), 16),
        ("while looping", count("loops/loops"), 11),
        ("lists and tuples", count("containers/sequences"), 11),
        ("NumPy array operations", numpy, 25),
        ("type annotations", count("hints/hints"), 4),
        ("miscellaneous", others.into_iter().map(count).sum(), 7),
    ];
    for (category, ours, least) in categories {
        assert!(ours >= least, "{category}: {ours} tests, the thesis has {least}");
    }
}
