//! What an incremental check returns after an edit is what a run from nothing returns, whatever was edited before.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_shapes::{CheckOptions, Checked, IncrementalCheck, check_files};
use pytrope_source::{ModuleResolver, SourceFile, Span, parse};
use rustc_hash::FxHashSet;

/// A finding with everything that is shown of it, and more.
fn describe(finding: &Finding) -> String {
    let place = |span: &Span| format!("{}:{:?}", span.file.path(), span.range);
    let mut text = format!("{} {} {}", place(&finding.primary), finding.rule.code, finding.headline());
    for related in &finding.related {
        let _ = write!(text, " | {} {}", place(&related.span), related.message);
    }
    for call in &finding.calls {
        let _ = write!(text, " < {}", place(call));
    }
    let fix = finding.fix.as_ref().map(|fix| {
        let changes: Vec<_> = fix.changes.iter().map(|change| (place(&change.span), &change.text)).collect();
        format!("{} {changes:?}", fix.title)
    });
    let _ = write!(text, " {:?} {:?} {fix:?}", finding.severity, finding.help);
    text
}

fn describe_all(checked: &Checked) -> Vec<String> {
    let failures = checked.failures.iter().map(|(file, message)| format!("panic in {}: {message}", file.path()));
    checked.findings.iter().map(describe).chain(failures).chain(checked.model_bugs.iter().cloned()).collect()
}

/// A project in memory, by path.
struct Project {
    texts: Vec<(String, String)>,
}

impl Project {
    fn sources(&self) -> Vec<Arc<SourceFile>> {
        self.texts.iter().map(|(path, text)| SourceFile::from_text(path.clone(), text.clone())).collect()
    }

    fn options(sources: &[Arc<SourceFile>], threads: usize) -> CheckOptions {
        let broken: FxHashSet<String> =
            sources.iter().filter(|file| !parse(file).errors.is_empty()).map(|file| file.path().to_owned()).collect();
        CheckOptions { broken, threads, ..CheckOptions::default() }
    }

    /// Checks with an engine and from nothing; returns both, and how many modules the engine analysed.
    fn check_both(&self, engine: &mut IncrementalCheck) -> (Vec<String>, Vec<String>, usize) {
        let sources = self.sources();
        let options = Self::options(&sources, 2);
        let kept = engine.check_files(&sources, &options);
        let options = Self::options(&sources, 1);
        let fresh = check_files(&sources, &options);
        (describe_all(&kept), describe_all(&fresh), kept.analysed)
    }
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % limit
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

const PATHS: [&str; 7] =
    ["app.py", "layers.py", "pkg/__init__.py", "pkg/data.py", "pkg/model.py", "tests/test_app.py", "util.py"];
const MODULES: [&str; 6] = ["app", "layers", "pkg", "pkg.data", "pkg.model", "util"];

/// One statement of a module; the sizes are few, so that shapes often fit and often do not.
fn statement(random: &mut Random) -> String {
    let (module, other) = (*random.pick(&MODULES), *random.pick(&MODULES));
    let (n, m) = (random.below(3) + 2, random.below(3) + 2);
    let at = random.below(4);
    let attribute = *random.pick(&["size", "weight", "table", "name"]);
    let lines = match random.below(19) {
        0 => format!("import {module}"),
        1 => format!("from {module} import f{at}, value{}", random.below(4)),
        2 => format!("from {module} import *"),
        3 => format!("value{at} = np.zeros(({n}, {m}))"),
        4 => format!("def f{at}(x, y=None):\n    return x @ np.ones(({n}, {m}))"),
        5 => format!("def f{at}(x):\n    import {other}\n    return {other}.f{}(x)", random.below(4)),
        6 => format!("def f{at}(x):\n    return f{}(x) + value{}", random.below(4), random.below(4)),
        7 => format!("result = f{at}(np.ones(({n}, {m})))"),
        8 => format!("import {module}\nresult = {module}.f{at}(np.zeros(({n}, {m})))"),
        9 => format!(
            "class Layer{at}:\n    def __init__(self):\n        self.{attribute} = np.ones(({n}, {m}))\n    def run(self, x):\n        \
             return x @ self.{attribute}"
        ),
        10 => format!("from {module} import Layer{at}\nout = Layer{at}().run(np.ones(({n}, {m})))"),
        11 => format!("class Part{at}(Layer{at}):\n    def grow(self):\n        self.{attribute} = np.ones({n})"),
        12 => format!("def change(thing):\n    thing.{attribute} = {n}"),
        13 => format!("import {module}\n{module}.value{at} = np.ones({n})"),
        14 => format!("def use():\n    return missing_{at} + value{at}"),
        15 => format!("try:\n    from {module} import f{at}\nexcept ImportError:\n    f{at} = None"),
        16 => format!("value{at} = value{} + np.ones({m})", random.below(4)),
        17 => format!("from unittest import mock\n@mock.patch('{module}.f{at}')\ndef test_it(fake):\n    fake()"),
        _ => format!("def g{at}(x):\n    a, b = x.shape\n    return np.zeros((a, {n})) @ np.zeros((b, {m}))"),
    };
    lines + "\n"
}

fn module_text(random: &mut Random) -> String {
    let count = random.below(7) + 1;
    let body: String = (0..count).map(|_| statement(random)).collect();
    format!("import numpy as np\n{body}")
}

/// One edit: a statement more or less, a changed size, half-typed code, a new text.
fn edit(random: &mut Random, text: &mut String) {
    match random.below(8) {
        0 => *text = module_text(random),
        1 => text.push_str("def half(\n"),
        2 | 3 => text.push_str(&statement(random)),
        4 => {
            let lines: Vec<&str> = text.lines().collect();
            let cut = random.below(lines.len().max(1));
            *text = lines.iter().enumerate().filter(|(at, _)| *at != cut).flat_map(|(_, line)| [*line, "\n"]).collect();
        }
        5 => *text = format!("# a comment moves everything\n{text}"),
        _ => {
            let (from, to) = (random.below(3) + 2, random.below(3) + 2);
            *text = text.replacen(&format!(", {from})"), &format!(", {to})"), 1);
        }
    }
}

#[test]
fn random_edit_scripts_end_where_a_run_from_nothing_ends() {
    let mut findings = 0;
    let mut reused = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let texts = PATHS.iter().map(|path| ((*path).to_owned(), module_text(&mut random))).collect();
        let mut project = Project { texts };
        let mut engine = IncrementalCheck::default();
        for step in 0..25 {
            let (kept, fresh, analysed) = project.check_both(&mut engine);
            assert_eq!(kept, fresh, "seed {seed}, step {step}: {:#?}", project.texts);
            findings += kept.len();
            reused += PATHS.len() - analysed;
            for _ in 0..=random.below(2) {
                let at = random.below(PATHS.len());
                edit(&mut random, &mut project.texts[at].1);
            }
        }
    }
    // The scripts must not be so wild that nothing is ever found or kept.
    assert!(findings > 1_000, "{findings} findings");
    assert!(reused > 1_000, "{reused} results were reused");
}

fn project(files: &[(&str, &str)]) -> Project {
    Project { texts: files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect() }
}

#[test]
fn an_edit_analyses_what_it_can_change_and_nothing_else() {
    let mut project = project(&[
        ("a.py", "import b\nb.f(1)\n"),
        ("b.py", "def f(x):\n    import d\n    return d.g(x)\n"),
        ("c.py", "import b\n"),
        ("d.py", "def g(x):\n    return x + 1\n"),
        (
            "e.py",
            "class E:\n    def __init__(self):\n        self.size = 3\n    def get(self):\n        return self.size\n",
        ),
    ]);
    let mut engine = IncrementalCheck::default();
    assert_eq!(project.check_both(&mut engine).2, 5);
    assert_eq!(project.check_both(&mut engine).2, 0, "nothing changed");
    project.texts[3].1 = "def g(x):\n    return x + 2\n".to_owned();
    assert_eq!(project.check_both(&mut engine).2, 3, "a and b ran d, by an import inside a function");
    project.texts[2].1 = "import b\nprint(b)\n".to_owned();
    assert_eq!(project.check_both(&mut engine).2, 1, "c is imported by nothing");
    project.texts[3].1 = "def g(x):\n    x.size = 4\n    return x\n".to_owned();
    assert_eq!(project.check_both(&mut engine).2, 4, "e asked where `size` is stored");
}

#[test]
fn an_import_cycle_is_entered_where_a_run_from_nothing_enters_it() {
    let mut project = project(&[
        ("a.py", "import y\n"),
        ("x.py", "import numpy as np\nimport y\nw = np.ones((2, 3))\nv = y.u\n"),
        ("y.py", "import numpy as np\nimport x\nu = np.ones((4, 5))\nz = x.w @ u\n"),
    ]);
    let mut engine = IncrementalCheck::default();
    for text in ["import y\n", "import x\n", "import y\nimport x\n", "\n"] {
        project.texts[0].1 = text.to_owned();
        let (kept, fresh, _) = project.check_both(&mut engine);
        assert_eq!(kept, fresh, "a.py is {text:?}");
    }
}

/// A project of which some files are given and the others are read from disk by imports.
struct ProjectOnDisk {
    folder: tempfile::TempDir,
    given: Vec<(PathBuf, String)>,
}

impl ProjectOnDisk {
    /// The first files are given; what is on disk in their places is never read.
    fn new(files: &[(&str, String)], given: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
            std::fs::write(path, text).expect("a file can be written");
        }
        let given = files[..given].iter().map(|(path, text)| (folder.path().join(path), text.clone())).collect();
        Self { folder, given }
    }

    fn check_both(&self, engine: &mut IncrementalCheck) -> (Vec<String>, Vec<String>) {
        let source = |(path, text): &(PathBuf, String)| SourceFile::from_text(path.to_string_lossy(), text.clone());
        let sources: Vec<_> = self.given.iter().map(source).collect();
        let options =
            || CheckOptions { resolver: Some(ModuleResolver::with_roots(Vec::new())), ..Project::options(&sources, 1) };
        let kept = engine.check_files(&sources, &options());
        let fresh = check_files(&sources, &options());
        (describe_all(&kept), describe_all(&fresh))
    }

    /// Writes another text over a file, with another length: a file that is written twice within a tick of the clock has the same time.
    fn rewrite_file(&self, path: &str, text: &mut String, change: impl FnOnce(&mut String)) {
        let old = text.clone();
        change(text);
        if !parse(&SourceFile::from_text(path, text.clone())).errors.is_empty() {
            *text = old;
            return;
        }
        if text.len() == old.len() {
            text.push_str("#\n");
        }
        std::fs::write(self.folder.path().join(path), &*text).expect("a file can be written");
    }
}

#[test]
fn files_that_imports_lead_to_are_kept_until_they_change_on_disk() {
    let mut findings = 0;
    for seed in 100..140 {
        let mut random = Random(seed);
        // One file alone, as in a large project, and two.
        let given = random.below(2) + 1;
        let mut files: Vec<(&str, String)> = PATHS.iter().map(|path| (*path, module_text(&mut random))).collect();
        let mut project = ProjectOnDisk::new(&files, given);
        let mut engine = IncrementalCheck::default();
        for step in 0..25 {
            let (kept, fresh) = project.check_both(&mut engine);
            assert_eq!(kept, fresh, "seed {seed}, step {step}: {:#?}\n{files:#?}", project.given);
            findings += kept.len();
            if random.below(4) == 0 {
                let (path, text) = &mut files[given + random.below(PATHS.len() - given)];
                project.rewrite_file(path, text, |text| edit(&mut random, text));
            } else {
                let at = random.below(given);
                edit(&mut random, &mut project.given[at].1);
            }
        }
    }
    assert!(findings > 200, "{findings} findings");
}

#[test]
fn a_file_with_the_same_stamp_is_not_read_again() {
    let caller = "from layers import weight\nimport numpy as np\nout = np.ones((2, 3)) @ weight\n".to_owned();
    let layers = |rows: usize| format!("import numpy as np\nweight = np.ones(({rows}, 3))\n");
    let mut project = ProjectOnDisk::new(&[("app.py", caller), ("layers.py", layers(4))], 1);
    let mut engine = IncrementalCheck::default();
    assert_eq!(project.check_both(&mut engine).0.len(), 1, "3 and 4 differ");
    let path = project.folder.path().join("layers.py");
    let modified = std::fs::metadata(&path).and_then(|found| found.modified()).expect("a file has a time");
    std::fs::write(&path, layers(3)).expect("a file can be written");
    std::fs::File::options()
        .write(true)
        .open(&path)
        .and_then(|file| file.set_modified(modified))
        .expect("a time is set");
    project.given[0].1.push_str("more = 1\n");
    let (kept, fresh) = project.check_both(&mut engine);
    assert_eq!((kept.len(), fresh.len()), (1, 0), "what was read before counts");
    engine.forget_all();
    let (kept, fresh) = project.check_both(&mut engine);
    assert_eq!(kept, fresh);
}
