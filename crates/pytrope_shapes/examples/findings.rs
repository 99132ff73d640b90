//! Prints the findings of files, one a line: `cargo run -p pytrope_shapes --example findings -- FILE…`.
//! With `--disk` imported modules are read, with `--times` slow files are listed.

use std::sync::Arc;
use std::time::Instant;

use pytrope_shapes::{CheckOptions, check_files};
use pytrope_source::{ModuleResolver, SourceFile};

fn main() {
    let mut options = CheckOptions { threads: 2, ..CheckOptions::default() };
    let mut times = false;
    let mut files: Vec<Arc<SourceFile>> = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--disk" => options.resolver = Some(ModuleResolver::default()),
            "--times" => times = true,
            "--possible" => options.possible = true,
            path => {
                if let Ok(bytes) = std::fs::read(path) {
                    files.push(SourceFile::from_bytes(path, &bytes).0);
                }
            }
        }
    }
    if times {
        options.threads = 1;
        for file in &files {
            let start = Instant::now();
            check_files(std::slice::from_ref(file), &options);
            let elapsed = start.elapsed().as_millis();
            if elapsed > 300 {
                println!("{elapsed} ms {}", file.path());
            }
        }
        return;
    }
    let checked = check_files(&files, &options);
    for finding in &checked.findings {
        let at = finding.primary.start().position;
        println!(
            "{}:{}:{}: {} {}",
            finding.primary.file.path(),
            at.line,
            at.column,
            finding.rule.code,
            finding.headline()
        );
        for related in &finding.related {
            println!("    {}: {}", related.span.start().position.line, related.message);
        }
        if let Some(help) = &finding.help {
            println!("    help: {help}");
        }
    }
    for bug in &checked.model_bugs {
        println!("MODEL BUG {bug}");
    }
    for (file, message) in &checked.failures {
        println!("PANIC {}: {message}", file.path());
    }
}
