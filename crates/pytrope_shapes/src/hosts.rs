//! Names that a host gives to the files it runs.
//!
//! A player of games, a build tool or a system of plug-ins executes files beside names of its own:
//!
//! ```python
//! alien = Actor("alien")     # the whole file: `pgzrun` runs it where `Actor` is a name
//! ```
//!
//! One such file looks like a mistake. Several files that could not even be imported, all for want of the same name, show a host: a
//! released program fails so nowhere, and three mistakes are not alike by chance. The names that such files lack are then
//! not reported. Names that most files of the run import (`np`), and builtins of Python 2, are mistakes wherever they are missing.
//!
//! Files that Cython compiles get names from declarations (`.pxd`), and nothing is said of them.
//! Files among the sources of a Rust crate are run by the crate, which gives them names in the same way.
//!
//! A file that lacks many different names in its body is a fragment: another file includes its text (`exec`, a generator of code). So is
//! one that imports nothing, is imported by nothing, and lacks more than one name.
//!
//! Functions lack names of hosts too, and of compilers that translate them to another language. There a name is the host's if three
//! files lack it and it is no module's, and then so is what else these files lack; where the run holds the compiler, its decorators show which
//! functions it translates (`hosts/translated.rs`).

mod mistakes;
mod translated;

use std::path::Path;
use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_eval::code::{Code, ScopeKind};
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use pytrope_source::{TextRange, probes};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many different files must lack a name in their module bodies.
const FILES: usize = 3;

/// Modules by the names they are usually imported under.
const USUAL_IMPORTS: [&str; 30] = [
    "F",
    "K",
    "argparse",
    "collections",
    "copy",
    "cv2",
    "datetime",
    "functools",
    "itertools",
    "jax",
    "jnp",
    "json",
    "keras",
    "logging",
    "math",
    "nn",
    "np",
    "nx",
    "os",
    "pd",
    "plt",
    "random",
    "re",
    "sns",
    "subprocess",
    "sys",
    "tf",
    "time",
    "torch",
    "warnings",
];

/// How many different names a file must lack in its body to be a fragment.
const NAMES: usize = 6;

/// How many modules a run must have for one that stands alone among them to be remarkable.
const MODULES: usize = 10;

/// Builtins of Python 2 that are gone.
const FORMER_BUILTINS: [&str; 17] = [
    "apply",
    "basestring",
    "buffer",
    "cmp",
    "coerce",
    "execfile",
    "file",
    "intern",
    "long",
    "raw_input",
    "reduce",
    "reload",
    "unichr",
    "unicode",
    "xrange",
    "StandardError",
    "WindowsError",
];

/// Takes out the findings about names and attributes in code that asks for a version first: builtins of Python 2, what another
/// release of a library has. Where the test is decided, one arm is dead anyway; tests by names of the program are not.
///
/// ```python
/// if TORCH_VERSION == "parrots":
///     SyncBatchNorm = torch.nn.SyncBatchNorm2d     # of a library that stands in for PyTorch
/// ```
fn drop_names_of_other_versions(codes: &[&Arc<Code>], findings: &mut Vec<Finding>) {
    findings.retain(|finding| {
        let is_former = match finding.rule.id {
            "undefined-name" => FORMER_BUILTINS.contains(&finding.primary.text()),
            "missing-attribute" => true,
            _ => false,
        };
        let code = || codes.iter().find(|code| code.file.path() == finding.primary.file.path());
        !is_former || !code().is_some_and(|code| is_under_version_test(code, finding.primary.range))
    });
}

/// The modules whose text another module executes among its own names: `exec(open(commands.__file__).read())`.
fn executed_modules(codes: &[&Arc<Code>]) -> FxHashSet<String> {
    let mut executed = FxHashSet::default();
    for code in codes.iter().filter(|code| ["exec", "execfile"].iter().any(|name| code.str_of(name).is_some())) {
        let tree = &code.tree;
        for id in tree.expr_ids() {
            let ExprKind::Attribute { value, attribute, .. } = tree[id].kind else { continue };
            let ExprKind::Name { name, .. } = tree[value].kind else { continue };
            if tree.text(attribute.name) == "__file__" {
                executed.insert(imported_module(code, tree.text(name)));
            }
        }
    }
    executed
}

/// Whether a module beside or above a file executes text and names the file: `exec(read("config.py"), names)` in `package/__init__.py`.
fn is_executed_by_name(codes: &[&Arc<Code>], path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(std::ffi::OsStr::to_str) else { return false };
    codes.iter().any(|code| {
        let executor = Path::new(code.file.path());
        let is_named = |text: &str| text.rsplit(['/', '\\']).next() == Some(name);
        executor != path
            && !matches!(name, "__init__.py" | "setup.py")
            && executor.parent().is_some_and(|folder| path.starts_with(folder))
            && ["exec", "execfile"].iter().any(|builtin| code.str_of(builtin).is_some())
            && code.tree.strings().any(is_named)
    })
}

/// The last part of what an import binds to a name, or the name.
fn imported_module(code: &Code, name: &str) -> String {
    let last = |dotted: &str| dotted.rsplit('.').next().unwrap_or(dotted).to_owned();
    let found = code.tree.stmt_ids().find_map(|id| match code.tree[id].kind {
        StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => {
            let alias = code.tree[names]
                .iter()
                .find(|alias| alias.asname.is_some_and(|bound| code.tree.text(bound.name) == name));
            alias.map(|alias| last(code.tree.text(alias.name.name)))
        }
        _ => None,
    });
    found.unwrap_or_else(|| name.to_owned())
}

/// Whether code stands in an `if` whose conditions mention the version of Python.
fn is_under_version_test(code: &Code, range: TextRange) -> bool {
    let tree = &code.tree;
    let around = |outer: TextRange| outer.start <= range.start && range.end <= outer.end;
    let asks = |test: ExprId| {
        let text = code.file.slice(tree[test].range).to_ascii_lowercase();
        ["version", "py2", "py3", "python2", "python3", "python_2", "python_3"].iter().any(|word| text.contains(word))
    };
    let in_statement = tree.stmt_ids().any(|id| match tree[id].kind {
        StmtKind::If { test, clauses, .. } if around(tree[id].range) => {
            asks(test) || tree[clauses].iter().filter_map(|clause| clause.test).any(asks)
        }
        _ => false,
    });
    in_statement
        || tree.expr_ids().any(|id| match tree[id].kind {
            ExprKind::IfExp { test, .. } => around(tree[id].range) && asks(test),
            _ => false,
        })
}

/// Takes out the findings about names that a host gives; `codes` are the modules of the run, `compiled` the paths of those that
/// Cython compiles.
pub(crate) fn drop_host_names(
    codes: &[&Arc<Code>],
    compiled: &FxHashSet<&str>,
    is_library: &dyn Fn(&str) -> bool,
    findings: &mut Vec<Finding>,
) {
    drop_hosted_names(codes, compiled, findings);
    translated::drop_names_in_translated_functions(codes, is_library, findings);
    mistakes::drop_names_without_reason(codes, is_library, findings);
}

fn drop_hosted_names(codes: &[&Arc<Code>], compiled: &FxHashSet<&str>, findings: &mut Vec<Finding>) {
    findings.retain(|finding| !compiled.contains(finding.primary.file.path()));
    drop_names_of_other_versions(codes, findings);
    let executed = executed_modules(codes);
    findings.retain(|finding| {
        let stem = Path::new(finding.primary.file.path()).file_stem().and_then(std::ffi::OsStr::to_str);
        finding.rule.id != "undefined-name" || !stem.is_some_and(|stem| executed.contains(stem))
    });
    let missing = |finding: &Finding| finding.rule.id == "undefined-name";
    let mut by_crate: FxHashMap<String, bool> = FxHashMap::default();
    findings.retain(|finding| {
        let path = finding.primary.file.path();
        !missing(finding) || !*by_crate.entry(path.to_owned()).or_insert_with(|| is_run_by_crate(Path::new(path)))
    });
    let mut lacked: FxHashMap<String, FxHashSet<&str>> = FxHashMap::default();
    for finding in findings.iter().filter(|finding| missing(finding)) {
        let names = lacked.entry(finding.primary.file.path().to_owned()).or_default();
        names.extend(Some(finding.primary.text()).filter(|name| !FORMER_BUILTINS.contains(name)));
    }
    let is_part = |path: &str, names: &FxHashSet<&str>| {
        let code = || codes.iter().find(|code| code.file.path() == path);
        has_compiled_half(Path::new(path))
            || is_executed_by_name(codes, Path::new(path))
            || code().is_some_and(|code| is_included_text(code, codes, names))
    };
    let parts = lacked.into_iter().filter(|(path, names)| is_part(path, names)).map(|(path, _)| path);
    let parts: FxHashSet<String> = parts.collect();
    findings.retain(|finding| !missing(finding) || !parts.contains(finding.primary.file.path()));
    // Most runs end here.
    if findings.iter().filter(|finding| missing(finding)).count() < FILES {
        return;
    }
    let by_path: FxHashMap<&str, &Arc<Code>> = codes.iter().map(|code| (code.file.path(), *code)).collect();
    let mut lacking: FxHashMap<String, FxHashSet<&str>> = FxHashMap::default();
    let mut lacked_by: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
    let mut lacked_in_functions: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
    for finding in findings.iter().filter(|finding| missing(finding)) {
        let Some(code) = by_path.get(finding.primary.file.path()) else { continue };
        if !is_outside_functions(code, finding.primary.range) {
            lacked_in_functions.entry(finding.primary.text()).or_default().insert(code.file.path());
        } else {
            let name = finding.primary.text().to_owned();
            if !FORMER_BUILTINS.contains(&name.as_str()) {
                lacked_by.entry(code.file.path().to_owned()).or_default().insert(name.clone());
            }
            // Copies of one file show no more than the file.
            lacking.entry(name).or_default().insert(code.file.text());
        }
    }
    // A module that other files import, or that is usually imported, was forgotten.
    let is_mistake = |name: &str| {
        FORMER_BUILTINS.contains(&name)
            || USUAL_IMPORTS.contains(&name)
            || codes.iter().any(|code| imports_module(code, name))
    };
    let are_different = |files: &FxHashSet<&str>| {
        let texts = || files.iter().filter_map(|path| by_path.get(path)).map(|code| code.file.text());
        files.len() >= FILES && texts().collect::<FxHashSet<&str>>().len() >= FILES
    };
    let hosted: FxHashSet<String> = lacked_in_functions
        .iter()
        .filter(|(name, files)| are_different(files) && !is_mistake(name))
        .flat_map(|(_, files)| files.iter().map(|&path| path.to_owned()))
        .collect();
    let is_fragment =
        |finding: &Finding| lacked_by.get(finding.primary.file.path()).is_some_and(|names| names.len() >= NAMES);
    let is_hosted =
        |finding: &Finding| hosted.contains(finding.primary.file.path()) && !is_mistake(finding.primary.text());
    findings.retain(|finding| !missing(finding) || !is_fragment(finding) && !is_hosted(finding));
    lacking.retain(|name, files| {
        files.len() >= FILES
            && !FORMER_BUILTINS.contains(&name.as_str())
            && codes.iter().filter(|code| imports_name(code, name)).count() < files.len()
    });
    if lacking.is_empty() {
        return;
    }
    // A file whose body lacks such a name is run by the host, and what else it lacks comes from there too.
    let mut given: FxHashSet<String> = lacking.into_keys().collect();
    loop {
        let hosted: FxHashSet<&str> = lacked_by
            .iter()
            .filter(|(_, names)| names.iter().any(|name| given.contains(name)))
            .map(|(path, _)| path.as_str())
            .collect();
        let more: Vec<String> = findings
            .iter()
            .filter(|finding| missing(finding) && hosted.contains(finding.primary.file.path()))
            .map(|finding| finding.primary.text().to_owned())
            .filter(|name| !given.contains(name) && !FORMER_BUILTINS.contains(&name.as_str()))
            .collect();
        if more.is_empty() {
            break;
        }
        given.extend(more);
    }
    findings.retain(|finding| !missing(finding) || !given.contains(finding.primary.text()));
}

/// Whether Cython compiles a file: declarations stand beside it, or it imports some. Names come from there, and locals are
/// variables of C, which have values from the start.
pub(crate) fn is_compiled_by_cython(code: &Code) -> bool {
    let mentions = |name: &str| code.str_of(name).is_some();
    let is_written_for = mentions("cython")
        && ["cclass", "ccall", "cfunc", "cimports", "declare", "fused_type"].iter().any(|name| mentions(name));
    let imports_declarations = || code.tree.strings().any(|text| text.starts_with("cython.cimports"));
    is_written_for || imports_declarations() || probes::is_file(&Path::new(code.file.path()).with_extension("pxd"))
}

/// Whether a source of a compiled language stands beside a file under its name: `names.cpp` beside `names.py` is the other half of
/// the module, and executes the file among names of its own.
fn has_compiled_half(path: &Path) -> bool {
    ["c", "cc", "cpp", "cxx", "pyx", "rs"].iter().any(|extension| probes::is_file(&path.with_extension(extension)))
}

/// Whether a file can be no module: it imports nothing, no module of the run imports it, and it lacks more than one name. Its text
/// becomes part of another one.
fn is_included_text(code: &Code, codes: &[&Arc<Code>], lacked: &FxHashSet<&str>) -> bool {
    let imports = |code: &Code| {
        code.tree
            .stmt_ids()
            .any(|id| matches!(code.tree[id].kind, StmtKind::Import { .. } | StmtKind::ImportFrom { .. }))
    };
    let stem = Path::new(code.file.path()).file_stem().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    let is_named = |other: &Code| other.tree.strings().any(|text| text.rsplit('.').next() == Some(stem));
    let mut others = codes.iter().filter(|other| other.file.path() != code.file.path());
    codes.len() >= MODULES && lacked.len() > 1 && !imports(code) && !others.any(|other| is_named(other))
}

/// Whether a file stands among the sources or tests of a Rust crate, and in no project of Python inside it.
fn is_run_by_crate(path: &Path) -> bool {
    let mut below: Option<&Path> = None;
    for folder in path.ancestors().skip(1) {
        if ["pyproject.toml", "setup.py", "setup.cfg"].iter().any(|marker| probes::is_file(&folder.join(marker))) {
            return false;
        }
        if probes::is_file(&folder.join("Cargo.toml")) {
            let part = below.and_then(Path::file_name).and_then(|name| name.to_str());
            return matches!(part, Some("src" | "tests" | "benches" | "examples"));
        }
        below = Some(folder);
    }
    false
}

/// Whether code runs when its module is imported.
fn is_outside_functions(code: &Code, range: TextRange) -> bool {
    !code.scopes.iter().any(|(_, scope)| {
        // Decorators and defaults stand before the body, and run with what is around the function.
        let body = scope.body.and_then(|body| code.tree[body].first()).map(|&first| code.tree[first].range.start);
        matches!(scope.kind, ScopeKind::Function | ScopeKind::Lambda)
            && body.unwrap_or(scope.range.start) <= range.start
            && range.end <= scope.range.end
    })
}

/// Whether a module binds a name by importing a module: `import math`, `import numpy as np`.
fn imports_module(code: &Code, name: &str) -> bool {
    code.tree.stmt_ids().any(|id| match code.tree[id].kind {
        StmtKind::Import { names } => code.tree[names].iter().any(|alias| {
            let bound = alias.asname.unwrap_or(alias.name);
            code.tree.text(bound.name).split('.').next() == Some(name)
        }),
        _ => false,
    })
}

/// Whether a module binds a name by an import.
fn imports_name(code: &Code, name: &str) -> bool {
    code.tree.stmt_ids().any(|id| match code.tree[id].kind {
        StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => code.tree[names].iter().any(|alias| {
            let bound = alias.asname.unwrap_or(alias.name);
            code.tree.text(bound.name).split('.').next() == Some(name)
        }),
        _ => false,
    })
}
