//! Chores of the repository: `cargo xtask test` is everything that must hold, the rest are the long runs.
//!
//! One file per subcommand here, one per test step in `steps/`, one per benchmark in `bench/`.

#![forbid(unsafe_code)]

mod bench;
mod calls;
mod conformance;
mod corpus;
mod corpus_tree;
mod cross;
mod docs;
mod e2e;
mod fuzz;
mod graph;
mod image;
mod long_description;
mod mutants;
mod names;
mod process;
mod record;
mod release;
mod rust_sources;
mod samples;
mod steps;
mod tally;
mod test;
mod venv;
mod wild;

use std::process::ExitCode;

use anyhow::Result;

/// A subcommand: its name, a line of help, and what it does with the arguments behind it.
struct Chore {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<bool>,
}

const CHORES: &[Chore] = &[
    Chore { name: "test", about: "everything that must hold (--list, --only A,B, --resume)", run: test::run },
    Chore { name: "samples", about: "a short piece of every long run", run: samples::run },
    Chore {
        name: "corpus",
        about: "check the sources of released libraries: no panic, no false alarm (--only A,B, --more, --reproduce)",
        run: corpus::run,
    },
    Chore { name: "mutants", about: "check mutated NumPy programs against real NumPy", run: mutants::run },
    Chore { name: "e2e", about: "run what the rewriters write (distribute, project, migrate)", run: e2e::run },
    Chore {
        name: "fuzz",
        about: "run the fuzz targets (--seconds N; --only frames: the runtime alone)",
        run: fuzz::run,
    },
    Chore {
        name: "conformance",
        about: "regenerate conformance tables from the real libraries and compare",
        run: conformance::run,
    },
    Chore {
        name: "modelled",
        about: "how many public names of the current PyTorch the models have, and which not (--missing)",
        run: conformance::modelled,
    },
    Chore {
        name: "calls",
        about: "random valid calls of five libraries, none of which may be reported (--library L, --count N, --seed S)",
        run: calls::run,
    },
    Chore {
        name: "wild",
        about: "check packages drawn at random and run what is found (--count N, --seed S, --only A,B, PATH...)",
        run: wild::run,
    },
    Chore {
        name: "bench",
        about: "run benchmarks side by side and write docs/benchmarks.md (--only A,B)",
        run: bench::run,
    },
    Chore {
        name: "graph",
        about: "the module graph of a crate and what goes against its layers (--crate NAME, --json, --dot)",
        run: graph::run,
    },
    Chore { name: "names", about: "figures of names, comments and file lengths (--root FOLDER)", run: names::run },
    Chore {
        name: "docs",
        about: "run every code block of the documentation and build the site (--update, --no-site, --no-blocks)",
        run: docs::run,
    },
    Chore {
        name: "release",
        about: "build and try everything that a release ships; uploads nothing (--dry-run, --only A,B, --resume)",
        run: release::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chore = arguments.first().and_then(|name| CHORES.iter().find(|chore| chore.name == name));
    if let Some(chore) = chore
        && arguments.iter().any(|argument| argument == "--help" || argument == "-h")
    {
        println!("cargo xtask {}: {}", chore.name, chore.about);
        return ExitCode::SUCCESS;
    }
    let Some(chore) = chore else {
        eprintln!("usage: cargo xtask CHORE\n");
        for Chore { name, about, .. } in CHORES {
            eprintln!("  {name:12} {about}");
        }
        return ExitCode::from(2);
    };
    match (chore.run)(&arguments[1..]) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The value behind `--name`, if it is given.
fn option_value<'a>(arguments: &'a [String], name: &str) -> Option<&'a str> {
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.get(at + 1).map(String::as_str)
}

/// The names behind `--only`, split at commas.
fn only_names(arguments: &[String]) -> Option<Vec<&str>> {
    option_value(arguments, "--only").map(|names| names.split(',').collect())
}
