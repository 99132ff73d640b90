//! Where rewriters put their results: standard output, files, diffs, reports; and nothing at all on refusal.

use crate::project::{Project, Run};

/// A small training script that `distribute` rewrites.
const TRAIN: &str = "\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(64, 4)
y = torch.randn(64, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for features, target in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(features), target)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
";

/// A script without a training loop, which `distribute` refuses.
const NO_LOOP: &str = "print('hello')\n";

fn distribute(project: &Project, arguments: &[&str]) -> Run {
    let mut all = vec!["distribute", "train.py"];
    all.extend(arguments);
    project.run(&all)
}

fn rewritten(project: &Project) -> String {
    distribute(project, &["--quiet"]).code(0).out("DistributedDataParallel").stdout
}

#[test]
fn standard_output_a_file_and_in_place_hold_the_same() {
    let project = Project::with(&[("train.py", TRAIN)]);
    let printed = rewritten(&project);
    assert_eq!(project.read("train.py"), TRAIN, "printing changes nothing");
    distribute(&project, &["-o", "new.py"]).code(0);
    assert_eq!(project.read("new.py"), printed);
    std::fs::create_dir(project.path("out")).expect("a writable folder");
    distribute(&project, &["-o", "out"]).code(0);
    assert_eq!(project.read("out/train.py"), printed);
    distribute(&project, &["--in-place"]).code(0);
    assert_eq!(project.read("train.py"), printed);
}

#[test]
fn a_diff_names_files_from_the_root_of_the_repository() {
    let project = Project::with(&[("src/train.py", TRAIN)]);
    std::fs::create_dir(project.path(".git")).expect("a writable folder");
    let shown = project.run(&["distribute", "src/train.py", "--diff"]).code(0).stdout;
    assert!(shown.starts_with("--- a/src/train.py\n+++ b/src/train.py\n"), "{shown}");
    let absolute = project.path("src/train.py").display().to_string();
    assert_eq!(project.run(&["distribute", &absolute, "--diff"]).code(0).stdout, shown);
}

#[test]
fn a_diff_changes_nothing_and_applies() {
    let project = Project::with(&[("train.py", TRAIN)]);
    let printed = rewritten(&project);
    let diff = distribute(&project, &["--diff"]).code(0).out("--- a/train.py\n+++ b/train.py\n").stdout;
    assert_eq!(project.read("train.py"), TRAIN);
    project.write("change.diff", diff.as_bytes());
    let mut patch = std::process::Command::new("git");
    patch
        .args(["apply", "change.diff"])
        .current_dir(project.path(""))
        .env("GIT_CEILING_DIRECTORIES", project.path(".."));
    assert!(patch.status().expect("git starts").success(), "{diff}");
    assert_eq!(project.read("train.py"), printed);
}

#[test]
fn the_report_is_one_object() {
    let project = Project::with(&[("train.py", TRAIN)]);
    let run = distribute(&project, &["--output-format", "json"]).code(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["version"], 1);
    assert!(report["diagnostics"].is_array(), "{report}");
    assert_eq!(report["source"], report["files"][0]["source"]);
    assert_eq!(report["files"][0]["path"], "train.py");
    assert_eq!(report["source"].as_str(), Some(rewritten(&project).as_str()));
}

#[test]
fn a_refusal_writes_nothing_and_ends_with_one() {
    let project = Project::with(&[("train.py", NO_LOOP)]);
    for arguments in [&["--in-place"][..], &["-o", "new.py"], &["--diff"], &[]] {
        let run = distribute(&project, arguments).code(1).err("PT4");
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    assert_eq!(project.read("train.py"), NO_LOOP);
    assert!(!project.path("new.py").exists());
    let run = distribute(&project, &["--output-format", "json"]).code(1);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert!(report["source"].is_null() && report["files"] == serde_json::json!([]), "{report}");
    assert!(report["diagnostics"][0]["code"].as_str().is_some_and(|code| code.starts_with("PT4")), "{report}");
}

#[test]
fn a_target_that_is_not_there_and_options_that_exclude_each_other_are_usage_errors() {
    let project = Project::with(&[("train.py", TRAIN)]);
    project.run(&["distribute", "missing.py"]).code(2).err("missing.py");
    distribute(&project, &["--in-place", "--diff"]).code(2).err("cannot be used with");
    distribute(&project, &["-o", "x.py", "--in-place"]).code(2).err("cannot be used with");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_survive_in_place() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::with(&[("real.py", TRAIN)]);
    std::fs::set_permissions(project.path("real.py"), std::fs::Permissions::from_mode(0o755)).expect("own file");
    std::os::unix::fs::symlink("real.py", project.path("train.py")).expect("a link");
    distribute(&project, &["--in-place"]).code(0);
    assert!(project.path("train.py").is_symlink());
    assert!(project.read("real.py").contains("DistributedDataParallel"));
    let mode = std::fs::metadata(project.path("real.py")).expect("the file is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[test]
fn several_files_go_to_a_folder() {
    let source = include_str!("../../../../examples/choreo/hello_roles.py");
    let project = Project::with(&[("hello_roles.py", source)]);
    let printed = project.run(&["project", "hello_roles.py"]).code(0).out("# ---- hello_roles_").stdout;
    project.run(&["project", "hello_roles.py", "-o", "out"]).code(0);
    let count = std::fs::read_dir(project.path("out")).expect("a folder").count();
    assert_eq!(count, printed.matches("# ---- ").count());
    project.write("file.txt", b"");
    project.run(&["project", "hello_roles.py", "-o", "file.txt"]).code(2).err("file.txt");
}
