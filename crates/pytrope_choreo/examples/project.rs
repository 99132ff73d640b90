//! Prints the modules of a choreography, or why there are none: a quick look without the command line.

use pytrope_source::SourceFile;

fn main() {
    let path = std::env::args().nth(1).expect("a path");
    let text = std::fs::read(&path).expect("a readable file");
    let (file, _) = SourceFile::from_bytes(path, &text);
    let start = std::time::Instant::now();
    let projection =
        pytrope_choreo::project(&file, &pytrope_choreo::Siblings, pytrope_choreo::Options { diagrams: true });
    let time = start.elapsed();
    for finding in &projection.findings {
        let at = finding.primary.start().position;
        println!("{}:{}: {} {}", at.line, at.column, finding.rule.code, finding.message);
        for related in &finding.related {
            let at = related.span.start().position;
            println!("    {}:{}: {}", at.line, at.column, related.message);
        }
        if let Some(help) = &finding.help {
            println!("    help: {help}");
        }
    }
    for module in &projection.modules {
        println!("# ---- {}", module.name);
        println!("{}", module.source);
    }
    for diagram in &projection.diagrams {
        println!("# ---- {}\n{}", diagram.name, diagram.mermaid);
    }
    eprintln!("{time:?}");
}
