//! How the program behaves in a terminal: links, colours, fixes, diffs that others accept, and suggestions.

use std::process::Command;

use crate::project::{BROKEN, Project};

const NEEDLESS: &str = "x = 1  # pytrope: ignore\ny = 2\n";

#[test]
fn a_safe_fix_is_shown_and_then_applied() {
    let project = Project::with(&[("a.py", NEEDLESS)]);
    let shown = project.check(&["--fix", "--diff"]).code(0).err("Would fix 1 finding in 1 file");
    assert_eq!(shown.stdout, "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x = 1  # pytrope: ignore\n+x = 1\n y = 2\n");
    assert_eq!(project.read("a.py"), NEEDLESS, "--diff writes nothing");
    project.check(&["--fix"]).code(0).err("Fixed 1 finding in 1 file");
    assert_eq!(project.read("a.py"), "x = 1\ny = 2\n");
    project.check(&["--diff"]).code(2).err("--fix");
}

/// Statistics of rows that lost their axis, and products that need a transposition.
const MISFITS: &str = "\
import numpy as np
import torch


def normalise():
    x = np.ones((5, 3))
    x -= np.mean(x, axis=1)
    return np.exp(x) / np.exp(x).sum(axis=-1)


def attend():
    q, k = torch.randn(8, 10, 64), torch.randn(8, 10, 64)
    weights = q @ k
    return weights


def combine():
    return (np.ones((3, 4)) + 1) @ (np.ones((5, 4)) * 2), -np.ones((4, 3)) @ np.ones((4, 2))


def scale():
    return (np.ones(5)) * np.ones((5, 3)), np.ones((5, 3)) * [1, 2, 3, 4, 5]


def share(x):
    return x / x.sum(axis=1)


share(np.ones((3, 3)))
share(np.ones((5, 3)))
";

#[test]
fn helps_that_fit_are_fixes_and_the_evident_ones_are_safe() {
    let project = Project::with(&[("a.py", MISFITS)]);
    project.check(&["--fix"]).code(1).err("Fixed 1 finding in 1 file; --unsafe-fixes applies 5 more fixes");
    let text = project.read("a.py");
    assert!(text.contains("x -= np.mean(x, axis=1)[:, None]\n"), "{text}");
    // What stands behind an error is read once that is fixed.
    project.check(&["--fix"]).code(1).err("Fixed 1 finding in 1 file");
    let text = project.read("a.py");
    assert!(text.contains("np.exp(x) / np.exp(x).sum(axis=-1)[:, None]\n"), "{text}");
    // What another call uses as it is, and what fits in more than one way, is left to a person.
    assert!(text.contains("x / x.sum(axis=1)\n") && text.contains("q @ k\n"), "{text}");
    project.check(&["--fix", "--unsafe-fixes"]).code(1).err("Fixed 5 findings in 1 file");
    let text = project.read("a.py");
    let expected = [
        "weights = q @ k.mT\n",
        "(np.ones((3, 4)) + 1) @ (np.ones((5, 4)) * 2).T, (-np.ones((4, 3))).T @ np.ones((4, 2))\n",
        "(np.ones(5))[:, None] * np.ones((5, 3)), np.ones((5, 3)) * [1, 2, 3, 4, 5]\n",
        "x / x.sum(axis=1)[:, None]\n",
    ];
    for line in expected {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
    let left = project.check(&[]).code(1);
    assert_eq!(left.stdout.lines().count(), 1, "a list has no axis to add: {left:?}");
}

#[test]
fn git_apply_accepts_a_diff_of_a_file_in_a_folder() {
    let script = "\
import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\n\n\
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)\n\
model = nn.Linear(4, 1)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor epoch in range(2):\n    for x, y in loader:\n        \
optimizer.zero_grad()\n        loss = nn.functional.mse_loss(model(x), y)\n        loss.backward()\n        optimizer.step()\n";
    let project = Project::with(&[("src/train.py", script)]);
    let diff = project.run(&["distribute", "src/train.py", "--diff"]).code(0).out("--- a/src/train.py");
    project.write("change.diff", diff.stdout.as_bytes());
    let git = |arguments: &[&str]| {
        let run = Command::new("git").args(arguments).current_dir(project.path(".")).output().expect("git starts");
        assert!(run.status.success(), "{run:?}");
    };
    git(&["init", "-q"]);
    git(&["apply", "change.diff"]);
    assert!(project.read("src/train.py").contains("torch.distributed"));
}

#[test]
fn diffs_and_pages_have_colours_where_they_are_wanted() {
    let project = Project::with(&[("a.py", NEEDLESS)]);
    project.check(&["--fix", "--diff", "--color", "always"]).code(0).out("\x1b[32m+x = 1\x1b[0m");
    project.run(&["explain", "PT202", "--color", "always"]).code(0).out("\x1b[1m# matmul-mismatch (PT202)\x1b[0m");
    let plain = project.run(&["explain", "PT202"]).code(0);
    assert!(!plain.stdout.contains('\x1b'), "{plain:?}");
}

#[test]
fn links_lead_to_the_file_and_to_the_page_of_the_rule() {
    let project = Project::with(&[("a b.py", BROKEN)]);
    let mut command = project.command(&["check"]);
    command.env("FORCE_HYPERLINK", "1").env("PYTROPE_DOCS_URL", "https://docs.example/pytrope/");
    let run = crate::project::Run::of(&command.output().expect("the binary starts")).code(1);
    assert!(run.stdout.contains("a%20b.py#L1\x1b\\a b.py:1:5\x1b]8;;\x1b\\"), "{run:?}");
    assert!(
        run.stdout.contains("\x1b]8;;https://docs.example/pytrope/rules/PT001.html\x1b\\PT001\x1b]8;;\x1b\\"),
        "{run:?}"
    );
    let plain = project.run(&["check"]).code(1);
    assert!(!plain.stdout.contains("\x1b]8"), "no links where they cannot be followed: {plain:?}");
}

#[test]
fn a_baseline_holds_from_every_working_directory() {
    let project = Project::with(&[("pytrope.toml", "baseline = \"known.json\"\n"), ("sub/a.py", BROKEN)]);
    project.check(&["--update-baseline", "sub"]).code(0).err("Wrote 1 finding to known.json");
    let mut inside = project.command(&["check", "--output-format", "concise", "a.py"]);
    let run = inside.current_dir(project.path("sub")).output().expect("the binary starts");
    assert_eq!(run.status.code(), Some(0), "{run:?}");
}

#[test]
fn a_mistyped_entry_is_corrected() {
    let project = Project::with(&[("net.py", "class Classifier:\n    def forward(self, x):\n        return x\n")]);
    project.run(&["migrate", "net.py", "--entry", "Classifer()"]).code(2).err("did you mean `Classifier`?");
    project.run(&["prune", "net.py", "--entry", "Classifer()"]).code(2).err("did you mean `Classifier`?");
    project.run(&["migrate", "net.py"]).code(2).err("`--entry` is required");
    project.run(&["check", "--showshapes"]).code(2).err("--show-shapes");
}

#[test]
fn errors_do_not_name_temporary_files() {
    let project = Project::with(&[("a.py", BROKEN)]);
    let run = project.check(&["-o", "missing/report.txt"]).code(2).err("cannot write missing/report.txt");
    assert!(!run.stderr.contains(".pytrope-"), "{run:?}");
}

#[test]
fn mistyped_paths_are_corrected_and_no_number_of_the_system_is_shown() {
    let project = Project::with(&[("src/classifier.py", BROKEN), ("pytrope.toml", "roots = ['libs']\n")]);
    let run = project.check(&["src/clasifier.py"]).code(2);
    assert_eq!(
        run.stderr.lines().find(|line| line.starts_with("error")),
        Some("error: src/clasifier.py: No such file or directory; did you mean `src/classifier.py`?")
    );
    project.run(&["distribute", "src/clasifier.py"]).code(2).err("did you mean `src/classifier.py`?");
    let run = project.check(&["--baseline", "nothing.json"]).code(2).err("No such file or directory");
    assert!(!run.stderr.contains("os error"), "{run:?}");
    project.check(&[]).err("warning: `roots`: there is no folder libs");
    let run = project.run(&["distribute", "--target", "ddp", "x.py"]).code(2).err("a similar argument exists: '--to'");
    assert!(!run.stderr.contains("as a value") && !run.stderr.contains("--target-version"), "{run:?}");
}

#[test]
fn a_file_that_is_not_analysed_to_the_end_is_said() {
    let lines = (0..60_000).fold(String::new(), |text, at| text + "x" + &at.to_string() + " = 1 + 1\n");
    let project = Project::with(&[("huge.py", &lines)]);
    project.check(&["-v"]).code(0).err("1 file took too many steps and was not analysed to the end").err("huge.py");
}

#[test]
fn print_statements_are_said_to_be_python_2() {
    let project = Project::with(&[("old.py", "print \"hello\"\n"), ("other.py", "print (1) 2\n")]);
    project.run(&["check", "old.py"]).code(1).out("help: this is Python 2");
    let run = project.run(&["check", "other.py"]).code(1);
    assert!(!run.stdout.contains("Python 2"), "{run:?}");
}
