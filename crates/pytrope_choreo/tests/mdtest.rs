//! The language of choreographies, told in Markdown: what each role's program is, and what is refused. One test for each page.
//!
//! `cargo test -p pytrope_choreo --test mdtest -- loops` runs the pages whose path holds the word.

use std::process::ExitCode;
use std::sync::Arc;

use pytrope_choreo::{Modules, Options, project_file};
use pytrope_mdtest::{Suites, TestCase, TestOutcome};
use pytrope_source::SourceFile;

struct Files<'a>(&'a [Arc<SourceFile>]);

impl Modules for Files<'_> {
    fn find_module(&self, _from: &SourceFile, name: &str, _level: u32) -> Option<Arc<SourceFile>> {
        let path = format!("{name}.py");
        self.0.iter().find(|file| file.path() == path).cloned()
    }
}

/// The definitions of a module, without header, imports and table of sites.
fn definitions(source: &str) -> String {
    let at = source.find("\nCHOREOGRAPHY = ").map_or(0, |at| at + 1);
    let rest = source[at..].split_once('\n').map_or("", |(_, rest)| rest);
    let rest = match rest.strip_prefix("SITES = {\n") {
        Some(table) => table.split_once("\n}\n").map_or("", |(_, rest)| rest),
        None => rest,
    };
    rest.trim_start_matches('\n').to_owned()
}

fn outcome(case: &TestCase) -> TestOutcome {
    let main = case.files.iter().find(|file| file.path() == "main.py").expect("a section has a main file");
    let projection = project_file(main, &Files(&case.files), Options { diagrams: true, asynchronous: false });
    let mut outputs = Vec::new();
    for module in projection.modules {
        if module.origin == "main.py" {
            outputs.push((module.role, definitions(&module.source)));
        }
        outputs.push((module.name, module.source));
    }
    // What `--async` would write, for sections that ask for it.
    let coroutines = project_file(main, &Files(&case.files), Options { diagrams: false, asynchronous: true });
    for module in coroutines.modules.into_iter().filter(|module| module.origin == "main.py") {
        outputs.push((format!("async {}", module.role), definitions(&module.source)));
    }
    outputs.extend(projection.diagrams.into_iter().map(|diagram| (format!("{}.mmd", diagram.name), diagram.mermaid)));
    TestOutcome { findings: projection.findings, outputs }
}

fn main() -> ExitCode {
    Suites::below(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest")).add("", outcome).run()
}
