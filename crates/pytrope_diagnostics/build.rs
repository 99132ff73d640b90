//! Embeds `rules/*.md` as the table of rules: one page per rule, its front matter the metadata.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// The front matter keys of a page, in the order of the fields of `Rule`.
const KEYS: [&str; 5] = ["code", "id", "level", "since", "summary"];

fn main() {
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo runs this in the package's folder. No path is absolute, so that a copied build folder stays fresh.
    let mut pages: Vec<_> = fs::read_dir("rules")
        .expect("the folder of rule pages exists")
        .map(|entry| entry.expect("a readable folder entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();

    let mut table = String::from("&[\n");
    for path in pages {
        let shown = path.display();
        println!("cargo::rerun-if-changed={shown}");
        let text = fs::read_to_string(&path).expect("a readable rule page").replace("\r\n", "\n");
        let (front, page) = text
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"))
            .unwrap_or_else(|| panic!("{shown}: the page opens with front matter between `---` lines"));
        let fields = KEYS.map(|key| {
            front
                .lines()
                .find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
                .unwrap_or_else(|| panic!("{shown}: front matter has no `{key}`"))
                .trim()
                .to_owned()
        });
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        assert_eq!(stem, fields[0], "{shown}: the file is named by its code");
        let level = match fields[2].as_str() {
            "error" => "Severity::Error",
            "warning" => "Severity::Warning",
            "note" => "Severity::Note",
            other => panic!("{shown}: level `{other}` is not error, warning or note"),
        };
        let [code, id, _, since, summary] = &fields;
        writeln!(
            table,
            "Rule {{ code: {code:?}, id: {id:?}, level: {level}, since: {since:?}, summary: {summary:?}, page: {:?} }},",
            page.trim_start()
        )
        .expect("writing to a string");
    }
    table.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("rules.rs");
    fs::write(out, table).expect("a writable build folder");
}
