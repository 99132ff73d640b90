//! The commands shown in the README and in `docs/` print what the pages say.
//!
//! A block marked `console` whose first line is `$ pytrope …` is run from the root of the repository; what follows is
//! its standard output and, after that, its standard error. `PYTROPE_UPDATE=1` writes what is printed into the page.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Words of a command line with double or single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The page with the output of each command as it is now.
fn refreshed(page: &str) -> (String, usize) {
    let mut out = String::new();
    let mut commands = 0;
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line != "```console" {
            continue;
        }
        while let Some(shown) = lines.next_if(|line| *line != "```") {
            let Some(command) = shown.strip_prefix("$ pytrope ") else {
                // Output of the command above is written anew; that of other programs is left.
                if commands == 0 || !out.ends_with('\0') {
                    out.push_str(shown);
                    out.push('\n');
                }
                continue;
            };
            let result = Command::new(env!("CARGO_BIN_EXE_pytrope"))
                .args(words(command))
                .current_dir(root())
                .env("NO_COLOR", "1")
                .output()
                .expect("the binary starts");
            let text = [result.stdout, result.stderr].concat();
            let text = String::from_utf8(text).expect("pytrope prints UTF-8");
            out = out.replace('\0', "");
            out.push_str(&format!("{shown}\n{text}\0"));
            commands += 1;
        }
        out = out.replace('\0', "");
    }
    (out, commands)
}

#[test]
fn commands_in_pages_print_what_they_say() {
    let mut pages = vec![root().join("README.md")];
    let docs = std::fs::read_dir(root().join("docs")).expect("there are docs");
    pages.extend(
        docs.map(|entry| entry.expect("readable").path()).filter(|path| path.extension().is_some_and(|e| e == "md")),
    );
    pages.sort();
    let mut commands = 0;
    let mut stale = Vec::new();
    for path in pages {
        let page = std::fs::read_to_string(&path).expect("a page");
        let (new, count) = refreshed(&page);
        commands += count;
        if new.trim_end() != page.trim_end() {
            if std::env::var_os("PYTROPE_UPDATE").is_some() {
                std::fs::write(&path, &new).expect("writes");
            }
            let (old_lines, new_lines) = (page.lines(), new.lines());
            let first = old_lines.zip(new_lines).find(|(old, new)| old != new);
            stale.push(format!("{}: {first:?}", path.display()));
        }
    }
    assert!(commands > 0, "no page shows a command");
    assert!(stale.is_empty(), "PYTROPE_UPDATE=1 cargo test -p pytrope --test pages\n{}", stale.join("\n"));
}
