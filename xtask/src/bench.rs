//! `cargo xtask bench`: benchmarks beside their peers in one run; results go to docs/benchmarks.md.
//!
//! A section is a file in `bench/` that returns Markdown; it replaces what stands between its marks in the page.

mod checkers;
mod corpus;
mod distribution;
mod long_inputs;
mod messages;
mod migration;
mod mutants;
mod parsing;
mod projection;
mod server;
mod startup;
pub(crate) mod usage;

use anyhow::{Context, Result, bail};

use crate::only_names;
use crate::process::{only_try, repository_root};

/// One benchmark and its place in the page.
pub(crate) struct BenchSection {
    pub name: &'static str,
    pub about: &'static str,
    pub run: fn() -> Result<String>,
}

const SECTIONS: &[BenchSection] = &[
    checkers::SECTION,
    messages::SECTION,
    migration::SECTION,
    mutants::SECTION,
    parsing::SECTION,
    projection::SECTION,
    startup::SECTION,
    corpus::SECTION,
    server::SECTION,
    distribution::SECTION,
    long_inputs::SECTION,
];

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let chosen = only_names(arguments);
    let chosen: Vec<&BenchSection> =
        SECTIONS.iter().filter(|section| chosen.as_ref().is_none_or(|chosen| chosen.contains(&section.name))).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
        bail!("the benchmarks are {}", known.join(", "));
    }
    let is_trial = arguments.iter().any(|argument| argument == "--dry-run");
    if is_trial {
        only_try();
    }
    for section in chosen {
        println!("==== bench {}: {}", section.name, section.about);
        let body = (section.run)()?;
        println!("{body}");
        if !is_trial {
            write(section, &body)?;
        }
    }
    Ok(true)
}

/// Replaces a section of docs/benchmarks.md, or adds it at the end.
pub(crate) fn write(section: &BenchSection, body: &str) -> Result<()> {
    let path = repository_root().join("docs/benchmarks.md");
    let page = std::fs::read_to_string(&path).unwrap_or_else(|_| {
        "# Benchmarks\n\nEvery section is written by `cargo xtask bench --only NAME`, on the machine it names.\n"
            .to_owned()
    });
    std::fs::write(&path, replaced(&page, section.name, section.about, body)).context("docs/benchmarks.md")
}

fn replaced(page: &str, name: &str, about: &str, body: &str) -> String {
    let (open, close) = (format!("<!-- bench:{name} -->"), format!("<!-- /bench:{name} -->"));
    let block = format!("{open}\n## {about}\n\n{}\n\n`cargo xtask bench --only {name}`\n{close}", body.trim());
    match (page.find(&open), page.find(&close)) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{block}{}", &page[..start], &page[end + close.len()..])
        }
        _ => format!("{}\n\n{block}\n", page.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_added_once_and_then_replaced() {
        let page = replaced("# Benchmarks\n", "x", "About x", "one");
        assert!(page.contains("## About x\n\none\n"));
        let again = replaced(&page, "x", "About x", "two");
        assert!(again.contains("\n\ntwo\n") && !again.contains("one"), "{again}");
        assert_eq!(again.matches("bench:x -->").count(), 2);
    }
}
