//! Every `$ pytrope …` in a page of docs/ prints what stands below it.
//!
//! A block behind a line `` `name`: `` is a file of the page; a block that starts with `$ pytrope` is a run in a folder
//! with the files so far. With `PYTROPE_UPDATE=1` the pages are rewritten.

use crate::project::Project;

/// The pages whose runs are checked.
const PAGES: [&str; 1] = ["docs/check.md"];

#[test]
fn pages_show_what_is_printed() {
    for page in PAGES {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
        let text = std::fs::read_to_string(&path).expect("a page");
        let (actual, runs) = rerun(&text);
        assert!(runs > 0, "{page} shows no run");
        if std::env::var_os("PYTROPE_UPDATE").is_some() {
            std::fs::write(&path, &actual).expect("a writable page");
        } else {
            assert_eq!(text, actual, "{page} is not what is printed (PYTROPE_UPDATE=1 writes it)");
        }
    }
}

/// The page with the output of every run replaced by what is printed now, and how many runs there are.
fn rerun(page: &str) -> (String, usize) {
    let project = Project::new();
    let (mut out, mut runs, mut name) = (String::new(), 0, None);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if !line.starts_with("```") {
            if !line.is_empty() {
                name = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:"));
            }
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some(command) = block.first().and_then(|first| first.strip_prefix("$ pytrope ")) {
            runs += 1;
            let arguments: Vec<&str> = command.split(' ').collect();
            let printed = project.run(&arguments).stdout;
            out.push_str(&format!("$ pytrope {command}\n{}\n", printed.trim_end()));
        } else {
            let text: String = block.iter().map(|line| format!("{line}\n")).collect();
            if let Some(name) = name.take() {
                project.write(name, text.as_bytes());
            }
            out.push_str(&text);
        }
        out.push_str("```\n");
    }
    (out, runs)
}
