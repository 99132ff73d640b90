//! Which files a run is about.

use crate::project::{BROKEN, Project};

/// The paths with a finding, in order.
fn paths(stdout: &str) -> Vec<&str> {
    let mut paths: Vec<&str> = stdout.lines().filter_map(|line| line.split(':').next()).collect();
    paths.dedup();
    paths
}

#[test]
fn folders_are_searched_and_named_files_are_always_taken() {
    let project = Project::with(&[
        ("b.py", BROKEN),
        ("a/stub.pyi", BROKEN),
        ("a/text.txt", BROKEN),
        (".hidden/c.py", BROKEN),
        ("script", BROKEN),
    ]);
    assert_eq!(paths(&project.check(&[]).code(1).stdout), ["a/stub.pyi", "b.py"]);
    assert_eq!(
        paths(&project.check(&["script", "a/text.txt", "b.py", "b.py"]).code(1).stdout),
        ["a/text.txt", "b.py", "script"]
    );
}

#[test]
fn ignored_files_are_left_out_as_git_leaves_them_out() {
    let project = Project::with(&[("a.py", BROKEN), ("build/b.py", BROKEN), (".gitignore", "build/\n")]);
    std::fs::create_dir(project.path(".git")).expect("a writable folder");
    assert_eq!(paths(&project.check(&[]).code(1).stdout), ["a.py"]);
    project.write("pytrope.toml", b"respect-gitignore = false\n");
    assert_eq!(paths(&project.check(&[]).code(1).stdout), ["a.py", "build/b.py"]);
}

#[test]
fn include_and_exclude_are_globs() {
    let project = Project::with(&[("a.py", BROKEN), ("gen/b.py", BROKEN), ("c.pyw", BROKEN)]);
    project.write("pytrope.toml", b"exclude = [\"gen\"]\n");
    assert_eq!(paths(&project.check(&[]).code(1).stdout), ["a.py"]);
    assert_eq!(paths(&project.check(&["--isolated", "--exclude", "a.*"]).code(1).stdout), ["gen/b.py"]);
    project.write("pytrope.toml", b"include = [\"*.pyw\"]\n");
    assert_eq!(paths(&project.check(&[]).code(1).stdout), ["c.pyw"]);
}

#[test]
fn an_empty_folder_is_said_to_be_empty() {
    Project::new().check(&[]).code(0).err("no Python files found");
}

#[test]
fn findings_do_not_depend_on_the_number_of_threads() {
    let project = Project::new();
    for index in 0..50 {
        project.write(&format!("f{index}.py"), BROKEN.as_bytes());
    }
    let one = project.check(&["--threads", "1"]).code(1).stdout;
    let many = project.check(&["--threads", "8"]).code(1).stdout;
    assert_eq!(one.lines().count(), 50 * one.lines().filter(|line| line.starts_with("f0.py")).count());
    assert_eq!(one, many);
}

#[cfg(unix)]
#[test]
fn loops_of_symbolic_links_end_with_a_warning() {
    let project = Project::with(&[("pkg/a.py", BROKEN)]);
    std::os::unix::fs::symlink(project.path("pkg"), project.path("pkg/again")).expect("a link");
    let run = project.check(&[]).code(1).err("again: a symbolic link back to");
    assert_eq!(paths(&run.stdout), ["pkg/a.py"]);
}

#[cfg(unix)]
#[test]
fn a_folder_linked_twice_is_analysed_once() {
    let project = Project::with(&[("real/a.py", BROKEN)]);
    std::os::unix::fs::symlink(project.path("real"), project.path("alias")).expect("a link");
    assert_eq!(paths(&project.check(&[]).code(1).stdout), ["alias/a.py"]);
}

#[cfg(unix)]
#[test]
fn unreadable_paths_are_errors_after_the_rest_is_analysed() {
    let project = Project::with(&[("a.py", BROKEN)]);
    std::os::unix::fs::symlink("nowhere", project.path("gone.py")).expect("a link");
    project.check(&[]).code(2).out("a.py:1:").err("gone.py: No such file or directory");
    project.check(&["missing.py", "a.py"]).code(2).out("a.py:1:").err("missing.py: No such file");
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_an_error_after_the_rest_is_analysed() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::with(&[("a.py", BROKEN), ("secret.py", "x = 1\n")]);
    std::fs::set_permissions(project.path("secret.py"), std::fs::Permissions::from_mode(0o000)).expect("own file");
    if std::fs::read(project.path("secret.py")).is_ok() {
        // The superuser reads everything; the dangling link above shows the same path for it.
        project.check(&[]).code(1).out("a.py:1:");
    } else {
        project.check(&[]).code(2).out("a.py:1:").err("secret.py: Permission denied");
    }
}
