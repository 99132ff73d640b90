//! Prints the findings of files, one a line: `cargo run -p pytrope_shapes --example findings -- FILE…`.

use std::sync::Arc;

use pytrope_shapes::{CheckOptions, check};
use pytrope_source::SourceFile;

fn main() {
    let files: Vec<Arc<SourceFile>> = std::env::args()
        .skip(1)
        .filter_map(|path| std::fs::read(&path).ok().map(|bytes| SourceFile::from_bytes(path, &bytes).0))
        .collect();
    let checked = check(&files, &CheckOptions::default());
    for finding in &checked.findings {
        let at = finding.primary.start().position;
        println!("{}:{}:{}: {} {}", finding.primary.file.path(), at.line, at.column, finding.rule.code, finding.headline());
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
