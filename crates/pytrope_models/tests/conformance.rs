//! Replays the conformance tables: every row is an uncalled function, analysed by the interpreter through the models.
//!
//! A row is wrong if it works and something is reported, if a size or type is known and not the library's, or if
//! the reported exception is of another class. Unknown is never wrong, but the share of known rows has a floor.
//! `PYTROPE_ROWS=text` replays only rows that contain the text, and prints them all. `PYTROPE_MODELS=folder` reads the model files
//! from `crates/pytrope_models/python` or a copy of it, so that a changed model is tried without building; `PYTROPE_OPEN=file`
//! writes the rows that are not exact to a file.

#[path = "conformance/outcome.rs"]
mod outcome;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outcome::{Verdict, judge};
use pytrope_eval::analysis::analyse_functions;
use pytrope_eval::interp::RunResult;
use pytrope_eval::value::BuiltinType;
use pytrope_eval::{Limits, ModuleLoader, ModuleRequest, ModuleSource, Native, Program};
use pytrope_models::Library;
use pytrope_source::SourceFile;

/// The models, and one module of rows.
struct Rows {
    modules: Vec<Arc<SourceFile>>,
    /// The release of PyTorch that the rows are of, as a tuple.
    release: &'static str,
}

impl ModuleLoader for Rows {
    fn find_source(&self, dotted: &str) -> Option<ModuleSource> {
        if let Some(number) = dotted.strip_prefix("rows") {
            let file = self.modules.get(number.parse::<usize>().ok()?)?;
            return Some(ModuleSource { file: Arc::clone(file), is_package: false, is_model: false });
        }
        if dotted == "_versions" {
            let file = SourceFile::from_text("_versions.py", format!("torch = {}\n", self.release));
            return Some(ModuleSource { file, is_package: false, is_model: true });
        }
        model_of_folder(dotted).or_else(|| Library.find_source(dotted))
    }

    fn primitive(&self, name: &str) -> Option<&'static Native> {
        Library.primitive(name)
    }

    fn subclass_methods(&self, kind: BuiltinType) -> &'static [&'static str] {
        Library.subclass_methods(kind)
    }
}

/// The model file of this name in the folder that the environment names.
fn model_of_folder(dotted: &str) -> Option<ModuleSource> {
    let folder = PathBuf::from(std::env::var_os("PYTROPE_MODELS")?);
    let name = dotted.replace('.', "/");
    ["third_party", "support", "standard_library"].into_iter().find_map(|part| {
        let places = [(format!("{name}.py"), false), (format!("{name}/__init__.py"), true)];
        places.into_iter().find_map(|(path, is_package)| {
            let text = std::fs::read_to_string(folder.join(part).join(&path)).ok()?;
            Some(ModuleSource {
                file: SourceFile::from_text(format!("<model>/{path}"), text),
                is_package,
                is_model: true,
            })
        })
    })
}

/// One line of a table.
struct Row {
    source: String,
    expected: String,
}

fn rows(folder: &Path) -> Vec<(String, Vec<Row>)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the table is committed")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    let only = std::env::var("PYTROPE_ROWS").ok();
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "tsv"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a readable table");
            let rows = text
                .lines()
                .filter_map(|line| line.split_once('\t'))
                .filter(|(source, _)| only.as_ref().is_none_or(|only| source.contains(only.as_str())))
                .map(|(source, expected)| Row { source: source.to_owned(), expected: expected.to_owned() })
                .collect();
            (path.file_stem().expect("a file name").to_string_lossy().into_owned(), rows)
        })
        .collect()
}

/// The releases of PyTorch that rows were made with.
const PINNED: &str = "(1, 13)";
const CURRENT: &str = "(2, 15)";

/// The outcome of a row that calls what a release does not have: it is not replayed for that release.
const ABSENT: &str = "-";

/// Rows whose outcome is another one in the release that is replayed.
fn replace_outcomes(families: &mut [(String, Vec<Row>)], path: &Path) {
    let text = std::fs::read_to_string(path).expect("the differences are committed");
    let changed: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once('\t')).collect();
    for row in families.iter_mut().flat_map(|(_, rows)| rows) {
        if let Some(outcome) = changed.get(row.source.as_str()) {
            (*outcome).clone_into(&mut row.expected);
        }
    }
    for (_, rows) in families {
        rows.retain(|row| row.expected != ABSENT);
    }
}

const ROWS_PER_MODULE: usize = 400;

/// The module of some rows, and the line of each row's function.
fn module(prelude: &str, rows: &[Row]) -> (String, Vec<usize>) {
    let mut text = format!("{prelude}\n");
    let mut line = text.lines().count() + 1;
    let mut starts = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        starts.push(line);
        let mut parts: Vec<&str> = row.source.split("; ").collect();
        let last = parts.pop().expect("a row has a text");
        text.push_str(&format!("def row_{number}():\n"));
        for part in &parts {
            text.push_str(&format!("    {part}\n"));
        }
        text.push_str(&format!("    value = {last}\n    reveal_type(value)\n"));
        line += parts.len() + 3;
        if !row.expected.starts_with(['!', '=', '[', 'o']) {
            text.push_str("    reveal_type(value.dtype.name)\n");
            line += 1;
        }
    }
    (text, starts)
}

fn replay(library: &str, prelude: &str, floor: f64, release: &'static str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance").join(library);
    let mut families = rows(&folder.join("table"));
    if release == CURRENT {
        replace_outcomes(&mut families, &folder.join("current.tsv"));
    }
    if library == "torch" {
        let mut today = rows(&folder.join("today"));
        if release == PINNED {
            replace_outcomes(&mut today, &folder.join("pinned.tsv"));
        }
        families.extend(today);
    }
    let mut texts = Vec::new();
    let mut plan = Vec::new();
    for (family, rows) in &families {
        for chunk in rows.chunks(ROWS_PER_MODULE) {
            let (text, starts) = module(prelude, chunk);
            texts.push(text);
            plan.push((family, chunk, starts));
        }
    }
    let modules = texts
        .iter()
        .enumerate()
        .map(|(number, text)| SourceFile::from_text(format!("rows{number}.py"), text))
        .collect();
    let program = Program::new(Box::new(Rows { modules, release }), texts.len());
    let mut tallies: BTreeMap<&str, BTreeMap<Verdict, usize>> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut open = String::new();
    let mut bugs = Vec::new();
    let show_all = std::env::var("PYTROPE_ROWS").is_ok();
    for (number, (family, chunk, starts)) in plan.iter().enumerate() {
        let ModuleRequest::EvaluatedModule(frozen) = program.load_module(&format!("rows{number}")) else {
            panic!("rows{number} is a module")
        };
        let RunResult { mut findings, model_bugs, .. } = analyse_functions(&program, frozen, Limits::default(), false);
        bugs.extend(model_bugs);
        findings.sort_by_key(|finding| finding.primary.range.start);
        let mut by_row: Vec<Vec<&pytrope_diagnostics::Finding>> = vec![Vec::new(); chunk.len()];
        for finding in &findings {
            let line = finding.primary.file.line_column(finding.primary.range.start).line as usize;
            let row = starts.partition_point(|start| *start <= line);
            if row > 0 {
                by_row[row - 1].push(finding);
            }
        }
        for (row, found) in chunk.iter().zip(&by_row) {
            let (verdict, got) = judge(&row.expected, found);
            *tallies.entry(family).or_default().entry(verdict).or_default() += 1;
            if verdict != Verdict::Exact {
                open.push_str(&format!("{verdict:?}\t{family}\t{}\t{}\t{got}\n", row.source, row.expected));
            }
            if verdict == Verdict::Wrong {
                wrong.push(format!("{family}: {}\n    is {}\n    ours {got}", row.source, row.expected));
            } else if show_all {
                println!("{verdict:?}: {} is {}, ours {got}", row.source, row.expected);
            }
        }
    }
    let mut total: BTreeMap<Verdict, usize> = BTreeMap::new();
    for (family, tally) in &tallies {
        println!("{library} {family:14} {tally:?}");
        for (verdict, count) in tally {
            *total.entry(*verdict).or_default() += count;
        }
    }
    println!("{library} {:14} {total:?}", "all");
    let count: usize = total.values().sum();
    let exact = total.get(&Verdict::Exact).copied().unwrap_or_default();
    let share = 100.0 * exact as f64 / count.max(1) as f64;
    println!("{library}: {count} rows, {share:.1} % exactly as the library has it, {} wrong", wrong.len());
    let raising = families.iter().flat_map(|(_, rows)| rows).filter(|row| row.expected.starts_with('!')).count();
    let missed = total.get(&Verdict::Missed).copied().unwrap_or_default();
    println!("{library}: {} of {raising} rows that raise are found", raising - missed);
    if let Some(path) = std::env::var_os("PYTROPE_OPEN") {
        std::fs::write(path, &open).expect("a writable file");
    }
    assert!(bugs.is_empty(), "bugs of models: {bugs:#?}");
    assert!(
        wrong.is_empty(),
        "{} rows are wrong:\n{}",
        wrong.len(),
        wrong.iter().take(60).cloned().collect::<Vec<_>>().join("\n")
    );
    assert!(show_all || share >= floor, "only {share:.1} % of the rows are exact; the floor is {floor} %");
    if !show_all {
        check_summary(
            if release == CURRENT { "torch-current" } else { library },
            count,
            exact,
            raising,
            raising - missed,
        );
    }
}

/// The figures that the page of supported libraries shows: written with `PYTROPE_UPDATE=1`, and otherwise not better by more
/// than a hundredth than what was counted now.
fn check_summary(library: &str, count: usize, exact: usize, raising: usize, found: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/summary.tsv");
    let text = std::fs::read_to_string(&path).expect("the summary is committed");
    let own = format!("{library}\t{count}\t{exact}\t{}\t0\t{raising}\t{found}", count - exact);
    if std::env::var("PYTROPE_UPDATE").is_ok() {
        let mut lines: Vec<String> =
            text.lines().filter(|line| !line.starts_with(&format!("{library}\t"))).map(str::to_owned).collect();
        lines.push(own);
        lines[1..].sort();
        std::fs::write(&path, lines.join("\n") + "\n").expect("the summary is writable");
        return;
    }
    let line = text.lines().find(|line| line.starts_with(&format!("{library}\t"))).expect("a line for each library");
    let numbers: Vec<usize> = line.split('\t').skip(1).map(|number| number.parse().expect("a number")).collect();
    assert!(
        numbers[1] * count * 99 <= exact * numbers[0] * 100,
        "conformance/summary.tsv says {line:?}, and this is {own:?}; PYTROPE_UPDATE=1 writes it"
    );
}

/// The interpreter recurses: it runs on a thread with room.
fn with_stack(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 20).spawn(f).expect("a thread").join().expect("the replay passes");
}

#[test]
fn numpy() {
    with_stack(|| replay("numpy", "import numpy as np\n", 95.0, PINNED));
}

#[test]
fn einops() {
    let prelude =
        "import numpy as np\nfrom einops import einsum, pack, parse_shape, rearrange, reduce, repeat, unpack\n";
    with_stack(move || replay("einops", prelude, 95.0, PINNED));
}

const TORCH: &str = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nimport torch.utils.data as data\nfrom collections import OrderedDict\n\
    def t(*shape):\n    return torch.rand(shape)\ndef i(*shape):\n    return torch.zeros(shape, dtype=torch.int64)\ndef b(*shape):\n    return torch.zeros(shape, dtype=torch.bool)\n\
    def d(*shape):\n    return torch.ones(shape, dtype=torch.float64)\ndef h(*shape):\n    return torch.ones(shape, dtype=torch.float16)\n\
    def bf(*shape):\n    return torch.ones(shape, dtype=torch.bfloat16)\ndef c(*shape):\n    return torch.ones(shape, dtype=torch.complex64)\n\
    def u(*shape):\n    return torch.ones(shape, dtype=torch.uint8)\ndef s(*shape):\n    return torch.ones(shape, dtype=torch.int32)\n";

#[test]
fn torch() {
    with_stack(move || replay("torch", TORCH, 90.0, PINNED));
}

#[test]
fn torch_of_today() {
    with_stack(move || replay("torch", TORCH, 90.0, CURRENT));
}

#[test]
fn tensorflow() {
    let prelude = "import numpy as np\nimport tensorflow as tf\nK = tf.keras\nL = tf.keras.layers\n\
        def t(*shape):\n    return tf.ones(shape)\ndef i(*shape):\n    return tf.zeros(shape, dtype=tf.int32)\n\
        def n(*shape):\n    return np.ones(shape)\ndef S(*shape):\n    return tf.keras.Input(shape)\n";
    with_stack(move || replay("tensorflow", prelude, 50.0, PINNED));
}

#[test]
fn jax() {
    with_stack(|| replay("jax", "import jax\nimport jax.numpy as jnp\n", 50.0, PINNED));
}

#[test]
fn sklearn() {
    let prelude = "import numpy as np\nfrom sklearn import cluster, datasets, decomposition, ensemble, linear_model, metrics, \
        model_selection, naive_bayes, neighbors, pipeline, preprocessing, svm, tree\n\
        def n(*shape):\n    return np.random.rand(*shape)\ndef k(size):\n    return np.arange(size) % 2\n";
    with_stack(move || replay("sklearn", prelude, 70.0, PINNED));
}

#[test]
fn pandas() {
    let prelude = "import copy\nimport io\nimport pickle\nimport numpy as np\nimport pandas as pd\n\
        def strings():\n    return pd.DataFrame({'a': [1.0, 2.0, 3.0], 'b': [4, 5, 6], 'c': ['x', 'y', 'z']})\n\
        def n(*shape):\n    return np.random.rand(*shape)\n\
        def d():\n    return pd.DataFrame({'a': [1.0, 2.0, 3.0, 4.0], 'b': [1, 2, 3, 4], 'c': np.ones(4)})\n";
    with_stack(move || replay("pandas", prelude, 50.0, PINNED));
}

#[test]
fn scipy() {
    let prelude = "import numpy as np\nfrom scipy import interpolate, linalg, ndimage, optimize, signal, sparse, spatial, \
        special, stats\n\
        def n(*shape):\n    return np.random.rand(*shape)\ndef p(size):\n    return np.eye(size) * 2.0\n\
        def t(size):\n    return np.arange(size) * 1.0\n";
    with_stack(move || replay("scipy", prelude, 50.0, PINNED));
}
