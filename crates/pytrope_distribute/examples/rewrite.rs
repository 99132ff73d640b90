//! Rewrites one script: `cargo run --example rewrite FILE [-o FILE|DIR] [--to ENGINE]`, for trying rules without the command line.

use std::path::Path;

use pytrope_distribute::{Project, Target, distribute};
use pytrope_source::ModuleResolver;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = Path::new(&arguments[0]);
    let resolver = ModuleResolver::for_project(path.parent().expect("a file has a folder"));
    let project = Project::load(path, &arguments[0], resolver).expect("the file can be read");
    let to = arguments.iter().position(|a| a == "--to").map(|i| &arguments[i + 1]);
    let to = to.map(|to| Target::ALL.into_iter().find(|t| t.option() == to).expect("a known engine"));
    let outcome = distribute(&project, to);
    for finding in &outcome.findings {
        let at = finding.primary.start().position;
        eprintln!(
            "{}:{}:{}: {} {}",
            finding.primary.file.path(),
            at.line,
            at.column,
            finding.rule.code,
            finding.message
        );
        for related in &finding.related {
            eprintln!("    line {}: {}", related.span.start().position.line, related.message);
        }
    }
    if outcome.files.is_empty() {
        std::process::exit(1);
    }
    let output = arguments.iter().position(|a| a == "-o").map(|i| &arguments[i + 1]);
    for (id, module) in project.modules.iter().enumerate() {
        let changed = outcome.files.iter().find(|(changed, _)| *changed == id).map(|(_, text)| text.as_str());
        let text = changed.unwrap_or(module.parsed.file.text());
        match output {
            Some(folder) if Path::new(folder).extension().is_none() => {
                let home = path.parent().expect("a file has a folder");
                let place =
                    Path::new(folder).join(module.path.strip_prefix(home).expect("modules lie beside the script"));
                std::fs::create_dir_all(place.parent().expect("a file has a folder")).expect("the folder can be made");
                std::fs::write(place, text).expect("the file can be written");
            }
            Some(file) => std::fs::write(file, text).expect("the file can be written"),
            None => print!("{text}"),
        }
    }
}
