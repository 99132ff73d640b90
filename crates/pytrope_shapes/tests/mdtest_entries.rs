//! migrate and prune, told in Markdown: the listings of the paper, repaired, and what its tool gets wrong.
//!
//! The `toml` block of a section says `entry = "…"` and, once for each, `assume = "…"`.

use pytrope_mdtest::{Case, Outcome, run};
use pytrope_shapes::entry::Target;
use pytrope_shapes::migrate::annotate::Style;
use pytrope_shapes::migrate::solve::Solving;
use pytrope_shapes::{migrate, prune};
use pytrope_source::ModuleResolver;

/// The values of a key.
fn values(case: &Case, key: &str) -> Vec<String> {
    let config = case.config.as_deref().unwrap_or_default();
    let pairs = config.lines().filter_map(|line| line.split_once(" = "));
    pairs.filter(|(name, _)| *name == key).map(|(_, value)| value.trim_matches('"').to_owned()).collect()
}

fn target(case: &Case) -> Target {
    Target::file(&case.files[0], ModuleResolver::with_roots(Vec::new()), Vec::new())
}

fn migrated(case: &Case) -> Outcome {
    let target = target(case);
    let entry = values(case, "entry").remove(0);
    let assume = values(case, "assume");
    let style = if values(case, "style") == ["jaxtyping"] { Style::Jaxtyping } else { Style::TensorType };
    let request = migrate::Request { module: &target.module, entry: &entry, assume: &assume, style };
    match migrate::migrate(&target.program, &request, &mut Solving::default()) {
        Err(error) => Outcome { outputs: vec![("answer".to_owned(), format!("{error}\n"))], ..Outcome::default() },
        Ok(answer) => {
            let mut outputs = vec![("answer".to_owned(), migrate::summary(&answer))];
            if let Some(text) = &answer.annotated {
                let changed: Vec<&str> =
                    text.lines().filter(|line| !case.files[0].text().lines().any(|old| old == *line)).collect();
                outputs.push(("changed".to_owned(), format!("{}\n", changed.join("\n"))));
            }
            Outcome { findings: answer.findings, outputs }
        }
    }
}

fn pruned(case: &Case) -> Outcome {
    let target = target(case);
    let entry = values(case, "entry").remove(0);
    let assume = values(case, "assume");
    let guard = values(case, "guard") == ["true"];
    let request = prune::Request { module: &target.module, entry: &entry, assume: &assume, guard };
    let text = match prune::prune(&target.program, &request) {
        Err(error) => format!("{error}\n"),
        Ok(answer) => match answer.refused {
            Some(reason) => format!("{reason}\n"),
            None => answer.files.into_iter().next().map(|file| file.text).unwrap_or_default(),
        },
    };
    Outcome { outputs: vec![("pruned".to_owned(), text)], ..Outcome::default() }
}

/// The interpreter recurses: it runs on a thread with room.
fn on_large_stack(step: fn(&Case) -> Outcome, case: &Case) -> Outcome {
    std::thread::scope(|scope| {
        let work = move || step(case);
        let thread = std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, work)
            .expect("the system gives a thread");
        thread.join().expect("the analysis ends")
    })
}

#[test]
fn migration() {
    run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest/migrate"), |case| on_large_stack(migrated, case));
}

#[test]
fn pruning() {
    run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest/prune"), |case| on_large_stack(pruned, case));
}
