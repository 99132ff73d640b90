//! `.pytrope_cache`: what is remembered, what is not believed, and where nothing is written.

use std::path::PathBuf;
use std::process::Stdio;

use crate::project::{Project, Run};

const WRONG: &str = "import numpy as np\n\nnp.ones(3) + np.ones(4)\n";
const CONFIGURED: (&str, &str) = ("pytrope.toml", "");

/// The entries of a project's cache.
fn entries(project: &Project) -> Vec<PathBuf> {
    let Ok(folder) = std::fs::read_dir(project.path(".pytrope_cache")) else { return Vec::new() };
    let paths = folder.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect()
}

/// Where the only entry lies, and a mark that a new one would change.
fn entry(project: &Project) -> (PathBuf, std::time::SystemTime) {
    let found = entries(project);
    assert_eq!(found.len(), 1, "{found:?}");
    let written = std::fs::metadata(&found[0]).and_then(|found| found.modified()).expect("a time");
    (found[0].clone(), written)
}

fn json(project: &Project) -> String {
    project.run(&["check", "--output-format", "json"]).code(1).stdout
}

#[test]
fn a_second_run_says_the_same_and_computes_nothing() {
    let project = Project::with(&[CONFIGURED, ("a.py", WRONG), ("b.py", "x = (\n"), ("c.py", "import a\n")]);
    let plain = project.run(&["check", "--output-format", "json", "--no-cache"]).code(1).stdout;
    assert_eq!(entries(&project), [] as [PathBuf; 0], "--no-cache writes nothing");
    assert_eq!(json(&project), plain);
    let first = entry(&project);
    assert_eq!(json(&project), plain);
    assert_eq!(entry(&project), first, "an entry that is believed is not written again");
    assert_eq!(project.read(".pytrope_cache/.gitignore"), "*\n");
    // What is printed beside findings does not depend on the cache either.
    let full = project.run(&["check"]).code(1);
    let again = project.run(&["check", "--no-cache"]).code(1);
    assert_eq!((full.stdout, full.stderr), (again.stdout, again.stderr));
}

#[test]
fn changes_are_seen_wherever_they_are() {
    let project =
        Project::with(&[CONFIGURED, ("app/a.py", "import sizes\nimport numpy as np\nnp.ones(sizes.n) + np.ones(4)\n")]);
    let check = || project.run(&["check", "app/a.py", "--output-format", "concise"]).stdout;
    assert_eq!(check(), "");
    assert_eq!(check(), "");
    // A module that was not there, beside the file that is checked.
    project.write("app/sizes.py", b"n = 3\n");
    assert!(check().contains("PT201"));
    project.write("app/sizes.py", b"n = 4\n");
    assert_eq!(check(), "");
    project.write("app/a.py", WRONG.as_bytes());
    assert!(check().contains("PT201"));
    project.write("pytrope.toml", b"[rules]\nPT201 = \"ignore\"\n");
    assert_eq!(check(), "");
}

#[test]
fn damaged_and_foreign_entries_are_not_believed() {
    let project = Project::with(&[CONFIGURED, ("a.py", WRONG)]);
    let plain = json(&project);
    let (path, _) = entry(&project);
    let whole = std::fs::read(&path).expect("read");
    let text = String::from_utf8(whole.clone()).expect("text");
    let lie = text.replace("broadcast", "something");
    let mut flipped = whole.clone();
    let last = flipped.len() - 5;
    flipped[last] ^= 1;
    let damaged: [&[u8]; 6] = [b"", b"{}", &whole[..whole.len() / 2], lie.as_bytes(), &flipped, &[0xff; 100]];
    for bytes in damaged {
        std::fs::write(&path, bytes).expect("written");
        assert_eq!(json(&project), plain, "with {:?}", String::from_utf8_lossy(bytes));
        assert_eq!(std::fs::read(&path).expect("read"), whole, "it is written anew");
    }
    // A folder in the place of the entry, and a cache that cannot be made.
    std::fs::remove_file(&path).expect("removed");
    std::fs::create_dir(&path).expect("made");
    assert_eq!(json(&project), plain);
    std::fs::remove_dir_all(project.path(".pytrope_cache")).expect("removed");
    project.write(".pytrope_cache", b"a file");
    assert_eq!(json(&project), plain);
}

#[test]
fn nothing_is_written_where_no_configuration_asks_for_it() {
    let project = Project::with(&[("a.py", WRONG), ("pyproject.toml", "[project]\nname = \"x\"\n")]);
    project.run(&["check"]).code(1);
    assert!(!project.path(".pytrope_cache").exists());
    project.run(&["check", "--cache-dir", "kept"]).code(1);
    assert!(project.path("kept/CACHEDIR.TAG").is_file());
    let project = Project::with(&[CONFIGURED, ("a.py", WRONG)]);
    project.run(&["check", "--isolated"]).code(1);
    assert!(!project.path(".pytrope_cache").exists());
}

#[test]
fn the_cache_is_cleared_and_nothing_else_is() {
    let project = Project::with(&[CONFIGURED, ("a.py", WRONG)]);
    json(&project);
    project.run(&["cache", "clear"]).code(0).err("Removed .pytrope_cache");
    assert!(!project.path(".pytrope_cache").exists());
    project.run(&["cache", "clear"]).code(0).err("There is no cache");
    project.write(".pytrope_cache/mine.txt", b"not a cache");
    project.run(&["cache", "clear"]).code(0).err("There is no cache");
    assert_eq!(project.read(".pytrope_cache/mine.txt"), "not a cache");
}

#[test]
fn runs_at_the_same_time_share_a_cache() {
    let project = Project::with(&[CONFIGURED, ("a.py", WRONG), ("b.py", "import a\n")]);
    let plain = project.run(&["check", "--output-format", "json", "--no-cache"]).code(1).stdout;
    for _ in 0..5 {
        let start = |_| {
            let mut command = project.command(&["check", "--output-format", "json"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started")
        };
        let running: Vec<_> = (0..6).map(start).collect();
        let cleared = project.command(&["cache", "clear"]).output().expect("run");
        assert!(cleared.status.code().is_some_and(|code| code == 0 || code == 2), "{cleared:?}");
        for child in running {
            let run = Run::of(&child.wait_with_output().expect("ended")).code(1);
            assert_eq!(run.stdout, plain);
        }
    }
}
