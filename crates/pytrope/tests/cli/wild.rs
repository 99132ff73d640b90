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
fn modules_may_be_found_by_their_names() {
    let parser =
        "from .actions import generate\ngenerate('net.parser')\ndef parse(data):\n    return Action.parse(data)\n";
    let actions = "import sys\ndef generate(name):\n    make(vars(sys.modules[name]))\ndef make(names): pass\n";
    clean(&[("net/__init__.py", ""), ("net/parser.py", parser), ("net/actions.py", actions)]);
    let other = parser.replace("net.parser", "net.reader");
    Project::with(&[("net/__init__.py", ""), ("net/parser.py", &other), ("net/actions.py", actions)])
        .check(&["."])
        .code(1)
        .out("PT100");
}

#[test]
fn builtins_of_python_2_are_expected_behind_a_test_of_the_version() {
    clean(&[("a.py", "import sys\nif sys.version < '3':\n    zero = long(0)\n")]);
    clean(&[("a.py", "from compat import PY2\nzero = long(0) if PY2 else 0\n")]);
    Project::with(&[("a.py", "from compat import old\nif old:\n    zero = long(0)\n")])
        .check(&["."])
        .code(1)
        .out("PT100");
}

#[test]
fn files_may_be_executed_by_their_importer() {
    let commands = "def stop(name):\n    return send_command('STOP', name)\n";
    let package =
        "from net import commands as __commands\nexec(open(__commands.__file__).read())\ndef send_command(*a): pass\n";
    clean(&[("net/__init__.py", package), ("net/commands.py", commands)]);
    let project = [("net/__init__.py", "from net import commands\n"), ("net/commands.py", commands)];
    Project::with(&project).check(&["."]).code(1).out("PT100");
}

#[test]
fn class_attributes_of_other_modules_may_have_been_assigned() {
    let logger = "class Log:\n    handler = None\n    form = lambda text: text\n    @classmethod\n    def load(cls, handler, form):\n        \
                  cls.handler = handler\n        cls.form = form\n";
    let user = "from logger import Log\ndef info(text):\n    Log.handler.write(Log.form(text, 1))\ninfo('x')\n";
    clean(&[("logger.py", logger), ("user.py", user)]);
    let fixed = "class Log:\n    handler = None\n";
    Project::with(&[("logger.py", fixed), ("user.py", user)]).check(&["."]).code(1).out("PT102");
}

#[test]
fn fields_that_methods_store_by_computed_names_are_not_known() {
    let base = "class Cumulator:\n    def __init__(self):\n        self.fields = ('data',)\n        self.data = []\n    \
                def stop(self):\n        for field in self.fields:\n            setattr(self, field, join(getattr(self, field)))\n\
                def join(parts):\n    return parts\n";
    let node =
        "from base import Cumulator\nclass Node(Cumulator):\n    def rows(self):\n        return self.data.shape\n";
    clean(&[("base.py", base), ("node.py", node)]);
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
    clean(&[("n.ipynb", &notebook(&["plot(cars)"], r#"{"jupytext": {"main_language": "R"}}"#))]);
    let python = notebook(&["plot(cars)"], r#"{"jupytext": {"main_language": "python"}}"#);
    Project::with(&[("n.ipynb", &python)]).check(&["."]).code(1).out("PT100");
    clean(&[("build.config.py", "modules = make_list([core])\n")]);
}

#[test]
fn devices_are_no_sources() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    if cfg!(target_os = "linux") {
        project.check(&["/dev/zero"]).code(2).err("not a regular file");
        project.check(&["--baseline", "/dev/zero", "a.py"]).code(2).err("not a regular file");
    }
}

#[cfg(unix)]
#[test]
fn pipes_are_no_sources() {
    let project = Project::with(&[("a.py", "x = 1\n"), ("in/b.py", "undefined\n")]);
    for pipe in ["pipe.py", "in/pipe.py"] {
        let made = std::process::Command::new("mkfifo").arg(project.path(pipe)).status();
        assert!(made.is_ok_and(|status| status.success()));
    }
    // Nothing writes to the pipes: a reader would wait forever.
    project.check(&["pipe.py"]).code(2).err("not a regular file");
    project.check(&["--baseline", "pipe.py", "a.py"]).code(2).err("not a regular file");
    project.check(&["--config", "pipe.py", "a.py"]).code(2).err("not a regular file");
    let link = project.path("link.py");
    std::os::unix::fs::symlink(project.path("pipe.py"), link).expect("a link");
    project.check(&["link.py"]).code(2).err("not a regular file");
    // In a folder it is no source file.
    project.check(&["in"]).code(1).out("in/b.py:1:1: PT100");
}

#[test]
fn limits_of_the_analysis_are_no_syntax_errors() {
    let chain = format!("x = {}1\n", "1 and ".repeat(3_000));
    let run = Project::with(&[("a.py", &chain)]).check(&["a.py"]).out("PT004");
    assert!(!run.stdout.contains("PT001"), "{run:#?}");
    let broken = Project::with(&[("a.py", "x = (1 and\n")]).check(&["a.py"]).code(1).out("PT001");
    assert!(!broken.stdout.contains("PT004"), "{broken:#?}");
}

#[test]
fn a_crate_gives_names_to_the_files_it_runs() {
    let script = "def exercise():\n    return drive(3)\n";
    clean(&[("host/Cargo.toml", "[package]\n"), ("host/tests/run.py", script)]);
    let tools = Project::with(&[("host/Cargo.toml", "[package]\n"), ("host/tools/run.py", script)]);
    tools.check(&["."]).code(1).out("host/tools/run.py:2:12: PT100");
    let python = Project::with(&[
        ("host/Cargo.toml", "[package]\n"),
        ("host/pyproject.toml", "[project]\nname = 'p'\n"),
        ("host/tests/run.py", script),
    ]);
    python.check(&["."]).code(1).out("host/tests/run.py:2:12: PT100");
}

#[test]
fn one_name_that_many_files_lack_is_given_by_a_host() {
    let game = |name: &str| format!("actor = Actor('{name}')\n\ndef update():\n    clock.tick()\n");
    let (a, b, c) = (game("a"), game("b"), game("c"));
    clean(&[("a.py", &a), ("b.py", &b), ("c.py", &c), ("d.py", "def draw():\n    clock.tick()\n")]);
    // Two are mistakes, and so are copies of one.
    Project::with(&[("a.py", &a), ("b.py", &b)]).check(&["."]).code(1).out("a.py:1:9: PT100");
    Project::with(&[("a.py", &a), ("b.py", &a), ("c.py", &a)]).check(&["."]).code(1).out("c.py:1:9: PT100");
    // What the other files import is forgotten here.
    let [x, y, z] = [1, 2, 3].map(|n| format!("plot({n})\n"));
    let with = "from figures import plot\nplot(4)\n";
    Project::with(&[("x.py", &x), ("y.py", &y), ("z.py", &z), ("p.py", with), ("q.py", with), ("r.py", with)])
        .check(&["."])
        .code(1)
        .out("x.py:1:1: PT100");
    // What Python 2 had is gone everywhere.
    let [x, y, z] = [1, 2, 3].map(|n| format!("for i in xrange({n}):\n    pass\n"));
    Project::with(&[("x.py", &x), ("y.py", &y), ("z.py", &z)]).check(&["."]).code(1).out("z.py:1:10: PT100");
}

#[test]
fn functions_of_many_files_lack_the_names_of_a_compiler() {
    let kernel = |name: &str| format!("def {name}(x, y):\n    r = declare('{name}')\n    return sqrt(x)\n");
    let (a, b, c) = (kernel("a"), kernel("b"), kernel("c"));
    let with = "from compiler import declare\nfrom math import sqrt\ndef d(x):\n    return declare(sqrt(x))\n";
    clean(&[("a.py", &a), ("b.py", &b), ("c.py", &c), ("d.py", with)]);
    Project::with(&[("a.py", &a), ("b.py", &b), ("d.py", with)]).check(&["."]).code(1).out("a.py:2:9: PT100");
    // A module was forgotten, however often.
    let [x, y, z] = [1, 2, 3].map(|n| format!("def f{n}(x):\n    return np.sum(x)\n"));
    Project::with(&[("x.py", &x), ("y.py", &y), ("z.py", &z)]).check(&["."]).code(1).out("z.py:2:12: PT100");
}

#[test]
fn a_file_that_lacks_many_names_is_a_fragment() {
    let lines = |count: usize| {
        let lines: Vec<String> = (0..count).map(|n| format!("X{n} = Binder(event{n})\n")).collect();
        lines.concat()
    };
    clean(&[("part.py", &lines(12))]);
    Project::with(&[("part.py", &lines(3))]).check(&["."]).code(1).out("part.py:1:6: PT100");
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

#[test]
fn what_modules_beside_the_checked_ones_store_is_read_before_anything_is_judged() {
    // `helper.py` is not checked, and only a function of the last file imports it.
    let project = Project::with(&[
        ("a.py", "def use():\n    return late\n"),
        ("z.py", "def run():\n    import helper\n"),
        ("helper.py", "import deeper\n"),
        ("deeper.py", "def fill(module):\n    module.late = 1\n"),
    ]);
    for threads in ["1", "2", "8"] {
        project.check(&["--threads", threads, "a.py", "z.py"]).code(0);
    }
    project.check(&["a.py"]).code(1).out("a.py:2:12: PT100");
}

#[test]
fn half_a_module_and_text_that_others_include_lack_names() {
    clean(&[("resources.py", "def names():\n    return [key(i) for i in range(count())]\n"), ("resources.cpp", "")]);
    // Ten modules, and one that no import could make work.
    let others: Vec<(String, String)> = (0..10).map(|at| (format!("m{at}.py"), "import sys\n".to_owned())).collect();
    let mut files: Vec<(&str, &str)> = others.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push(("text/apply.py", "def use(x):\n    return table[x] + model.size\n"));
    clean(&files);
    // One that imports is a module with two mistakes, and so is one alone.
    files.pop();
    files.push(("text/apply.py", "import os\ndef use(x):\n    return table[x] + model.size\n"));
    Project::with(&files).check(&["."]).code(1).out("PT100");
    Project::with(&[("apply.py", "def use(x):\n    return table[x] + model.size\n")])
        .check(&["."])
        .code(1)
        .out("PT100");
}

#[test]
fn a_file_of_a_package_with_the_name_of_a_library_is_not_called() {
    clean(&[
        ("tools/pytest/__init__.py", ""),
        ("tools/pytest/main.py", "import pytest\ndef run():\n    return pytest.main(['-q'])\n"),
    ]);
    let project = Project::with(&[
        ("tool/__init__.py", ""),
        ("tool/start.py", ""),
        ("tool/run.py", "from tool import start\nstart()\n"),
    ]);
    project.check(&["."]).code(1).out("'module' object is not callable");
}

#[test]
fn what_an_author_has_marked_for_other_checkers_is_not_reported() {
    clean(&[("a.py", "def remote(n):\n    time.sleep(n)  # noqa: F821\n    return time.time()\n")]);
    clean(&[("a.py", "# ruff: noqa: F821\ndef remote(n):\n    time.sleep(n)\n")]);
    clean(&[
        ("a.py", "import logging\ndef f():\n    return logging.TRACE_ALL  # type: ignore[attr-defined]\n"),
        ("b.py", "import logging\ndef g():\n    return logging.TRACE_ALL\n"),
    ]);
    // Marks for something else, or in another file, say nothing about a name.
    let project = Project::with(&[("a.py", "def f():\n    return missing  # noqa: E501\n")]);
    project.check(&["."]).code(1).out("PT100");
    let project = Project::with(&[
        ("a.py", "def f():\n    return missing  # noqa: F821\n"),
        ("b.py", "def f():\n    return missing\n"),
    ]);
    project.check(&["."]).code(1).out("b.py:2:12: PT100");
}

#[test]
fn templates_are_no_python() {
    clean(&[("a.py", "CONFIG = {{{config}}}\nprint(CONFIG['x'], missing)\n")]);
    clean(&[("tool/templates/run.py", "import os\ndef run():\n    return os.path.join(__FOLDER, __NAME)\n")]);
    Project::with(&[("a.py", "x = {{1, 2}}\n")]).check(&["."]).code(1).out("unhashable type: 'set'");
}

#[test]
fn a_file_that_its_package_executes_by_name_lacks_names() {
    clean(&[
        ("pack/__init__.py", "def load(name):\n    exec(open(name).read(), {'FOLDER': 'x'})\nload('config.py')\n"),
        ("pack/config.py", "import os\nPATHS = [os.path.join(FOLDER, 'lib')]\n"),
    ]);
}

#[test]
fn files_of_a_namespace_package_hide_no_standard_module() {
    clean(&[
        ("graph/typing.py", "State = 1\n"),
        ("graph/warnings.py", "class Old(Warning):\n    pass\n"),
        ("graph/state.py", "from typing import Any\nfrom warnings import warn\nfrom graph.typing import State\n"),
        ("graph/deep/__init__.py", ""),
        ("graph/deep/use.py", "from typing import Any\nimport warnings\nwarnings.warn('x')\n"),
    ]);
}

#[test]
fn what_is_stored_in_another_module_is_changed_by_that_module() {
    clean(&[
        (
            "policy.py",
            "import unread\n_enforcer = None\n@unread.synchronized\ndef init():\n    global _enforcer\n    _enforcer = unread.Enforcer()\ndef get():\n    \
             if not _enforcer:\n        init()\n    return _enforcer\n",
        ),
        (
            "test_policy.py",
            "import policy\ndef test():\n    policy._enforcer = None\n    policy.get()\n    policy._enforcer.quiet = True\n",
        ),
    ]);
}

#[test]
fn codecs_of_packages_are_read_as_what_they_encode() {
    clean(&[("use.py", "# -*- coding: future_fstrings -*-\nname = 'x'\nprint(f'{name}')\n")]);
    let project = Project::with(&[("use.py", "# -*- coding: future_strings -*-\nprint(1)\n")]);
    project.check(&["."]).code(1).out("unknown encoding");
}

#[test]
fn a_codec_that_a_file_registers_may_be_any_encoding() {
    let spec = ("test_spec.py", "# coding: spec\ndescribe 'a thing':\n    it 'works':\n        assert True\n");
    let user = ("use.py", "import test_spec\nfrom test_spec import anything\ntest_spec.anything\n");
    let codec = ("codec.py", "import codecs\ndef setup(find):\n    codecs.register(find)\n");
    clean(&[spec, user, codec]);
    clean(&[spec, ("codec.py", "from codecs import register\ndef find(name): return None\nregister(find)\n")]);
    let other = ("codec.py", "import atexit\ndef setup(find):\n    atexit.register(find)\n");
    Project::with(&[spec, other]).check(&["."]).code(1).out("unknown encoding: spec");
    Project::with(&[spec, ("codec.py", "import codecs\ncodecs.lookup('utf-8')\n")]).check(&["."]).code(1).out("PT003");
}

#[test]
fn others_sources_inside_a_project_are_not_built_by_it() {
    let text = "import jets\njets.cluster()\n";
    let package = ("src/jets/__init__.py", "def cluster(jets): return jets\n");
    let project = ("pyproject.toml", "[project]\nname = 'jets'\n");
    clean(&[project, package, ("extern/core/example/use.py", text)]);
    Project::with(&[project, package, ("tests/use.py", text)]).check(&["."]).code(1).out("PT104");
}

#[test]
fn folders_of_templates_hold_no_programs() {
    let text = "import json\njson.to_text({})\n";
    clean(&[("project/templates/main.py", text), ("cookie_template/run.py", text)]);
    let package = [("tests/run_template/__init__.py", ""), ("tests/run_template/main.py", text)];
    Project::with(&package).check(&["."]).code(1).out("PT102");
}

#[test]
fn a_module_that_imports_its_own_name_means_a_library() {
    let open = ("p/utils/socket.py", "import socket\ndef open(): return socket.socket(socket.AF_INET)\n");
    let beside = ("p/utils/ports.py", "import socket\ndef ports(): return socket.socket()\n");
    clean(&[open, beside, ("p/__init__.py", "")]);
    let own = ("p/utils/sockets.py", "def open(): return 1\n");
    let user = ("p/utils/use.py", "import sockets\nsockets()\n");
    Project::with(&[own, user]).check(&["."]).code(1).out("PT103");
}

#[test]
fn names_that_a_stub_declares_are_there() {
    let module = ("p/table.py", "def make(): return Row(), column()\n");
    let stub = ("p/table.pyi", "class Row: ...\ndef column() -> int: ...\n");
    clean(&[module, stub]);
    Project::with(&[module, ("p/table.pyi", "class Rows: ...\n")]).check(&["."]).code(1).out("'Row' is not defined");
}
