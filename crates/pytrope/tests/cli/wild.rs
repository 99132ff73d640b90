//! What unseen code has taught: which file a module is, what is said after a syntax error, notebooks as IPython runs them, and inputs
//! and outputs that are no files.

use crate::project::Project;

/// Checks files together and asserts that nothing is found.
#[track_caller]
fn clean(files: &[(&str, &str)]) {
    Project::with(files).check(&["."]).code(0);
}

#[test]
fn modules_of_one_name_in_sibling_folders_are_not_mixed() {
    clean(&[
        ("a/main.py", "from lib import D\nd = D('x', 3)\n"),
        ("a/lib.py", "class D:\n    def __init__(self, root, size): pass\n"),
        ("b/main.py", "from lib import D\nd = D('x')\n"),
        ("b/lib.py", "class D:\n    def __init__(self, root): pass\n"),
    ]);
    clean(&[
        ("one/tutorial/__init__.py", ""),
        ("one/tutorial/t.py", "from .views import home\nprint(home()['first'])\n"),
        ("one/tutorial/views.py", "def home(): return {'first': 1}\n"),
        ("two/tutorial/__init__.py", ""),
        ("two/tutorial/t.py", "from .views import home\nprint(home()['title'])\n"),
        ("two/tutorial/views.py", "def home(): return {'title': 1}\n"),
    ]);
}

#[test]
fn a_library_is_not_a_file_of_its_name_elsewhere() {
    let library = "class Client:\n    def __init__(self, model): self.model = model\n";
    clean(&[("a/client.py", library), ("b/use.py", "from client import Client\nClient(key='x')\n")]);
    let project =
        Project::with(&[("a/client.py", library), ("a/use.py", "from client import Client\nClient(key='x')\n")]);
    project.check(&["."]).code(1).out("a/use.py:2:1: PT104");
}

#[test]
fn tests_see_the_package_of_their_project() {
    let files = [
        ("p/pyproject.toml", "[project]\nname = 'p'\n"),
        ("p/src/pkg/__init__.py", "def f(x): return x\n"),
        ("p/tests/test_f.py", "from pkg import f\n\ndef test_f():\n    f()\n"),
    ];
    Project::with(&files).check(&["."]).code(1).out("p/tests/test_f.py:4:5: PT104");
}

#[test]
fn a_package_may_delete_its_submodules() {
    clean(&[
        ("torch/__init__.py", ""),
        ("torch/optim/__init__.py", "from torch.optim.adam import Adam\n\ndel adam\n"),
        ("torch/optim/adam.py", "class Adam: ...\n"),
    ]);
}

#[test]
fn nothing_is_certain_after_a_syntax_error() {
    let project =
        Project::with(&[("a.py", "n = \nprint(n.x)\nundefined\n"), ("b.py", "from a import n, other\nn.upper()\n")]);
    let run = project.check(&["."]).code(1).out("a.py:1:5: PT001");
    assert_eq!(run.stdout.matches("PT").count(), 1, "{run:#?}");
}

#[test]
fn a_template_is_no_broken_program() {
    let project = Project::with(&[("a.py", "import {{ name }}\n"), ("{{x}}/b.py", "from {{x}} import y\n")]);
    project.check(&["."]).code(0);
}

fn notebook(cells: &[&str], metadata: &str) -> String {
    let cells: Vec<String> = cells
        .iter()
        .map(|source| format!(r#"{{"cell_type": "code", "metadata": {{}}, "outputs": [], "source": {source:?}}}"#))
        .collect();
    format!(r#"{{"cells": [{}], "metadata": {metadata}, "nbformat": 4, "nbformat_minor": 5}}"#, cells.join(", "))
}

#[test]
fn notebooks_are_run_by_ipython() {
    for cells in [
        &["cd data", "pwd", "ls -la"][..],
        &["  x = 1\n  y = x + 1", "print(y)"],
        &["f = None", "%time f = len", "print(f([1]))"],
        &["*int*?", "timeit sum([1])"],
        &["%%cython\ncdef int g(): return 1", "g()"],
    ] {
        clean(&[("n.ipynb", &notebook(cells, "{}"))]);
    }
    clean(&[("n.ipynb", &notebook(&["let x = 1"], r#"{"kernelspec": {"name": "swift", "language": "swift"}}"#))]);
}

#[test]
fn devices_are_no_sources() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    if cfg!(target_os = "linux") {
        project.check(&["/dev/zero"]).code(2).err("not a regular file");
        project.check(&["--baseline", "/dev/zero", "a.py"]).code(2).err("not a regular file");
    }
}

#[test]
fn an_output_never_replaces_an_input() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    project.check(&["-o", "a.py", "a.py"]).code(2).err("would replace it");
    project.check(&["a.py", "-o", "./a.py"]).code(2);
    assert_eq!(project.read("a.py"), "x = 1\n");
    project.check(&["a.py", "-o", "-"]).code(0);
    assert!(!project.path("-").exists());
}
