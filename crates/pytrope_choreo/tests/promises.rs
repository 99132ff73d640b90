//! Every promise of `promises.md` names tests, and these exist.

use std::path::Path;

#[test]
fn the_tests_of_every_promise_exist() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let table = read(&here.join("tests/promises.md"));
    let rows: Vec<(&str, &str)> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.rsplit_once(" | "))
        .filter(|(_, tests)| *tests != "shown by")
        .collect();
    assert!(rows.len() > 60, "the table has {} rows", rows.len());
    let mut missing = Vec::new();
    for (promise, tests) in rows {
        for test in tests.split("; ") {
            let (file, name) = test.split_once(": ").map_or((test, None), |(file, name)| (file, Some(name)));
            let path = if Path::new(file).extension().is_some_and(|extension| extension == "md") {
                here.join("tests/mdtest").join(file)
            } else {
                here.join("../..").join(file)
            };
            let text = read(&path);
            let there = match name {
                None => !text.is_empty(),
                Some(name) => {
                    let heading = format!("## {name}");
                    text.lines().any(|line| line == heading) || text.contains(&format!("def {name}("))
                }
            };
            if !there {
                missing.push(format!("{promise}: {test}"));
            }
        }
    }
    assert!(missing.is_empty(), "no such tests:\n{}", missing.join("\n"));
}
