//! What reaches the interpreter: imports between files, environments, and models of one's own.

use crate::project::Project;

const BROKEN_PRODUCT: &str = "from lib import left, right\nleft @ right\n";
const LIB: &str = "import numpy as np\nleft = np.ones((2, 3))\nright = np.ones((4, 5))\n";

#[test]
fn modules_are_found_beside_the_file_in_src_and_in_roots() {
    for (main, lib, config) in [
        ("main.py", "lib.py", ""),
        ("app/main.py", "app/lib.py", ""),
        ("scripts/main.py", "src/lib.py", ""),
        ("main.py", "vendored/lib.py", "roots = [\"vendored\"]\n"),
    ] {
        let project = Project::with(&[(main, BROKEN_PRODUCT), (lib, LIB), ("pytrope.toml", config)]);
        project.check(&[main]).code(1).out(&format!("{main}:2:1: PT202 ValueError:"));
        project.check(&[]).code(1).out(&format!("{main}:2:1: PT202 ValueError:"));
    }
}

#[test]
fn relative_imports_work_in_packages() {
    let project = Project::with(&[
        ("pkg/__init__.py", ""),
        ("pkg/lib.py", LIB),
        ("pkg/inner/__init__.py", ""),
        ("pkg/inner/main.py", "from ..lib import left, right\nleft @ right\n"),
    ]);
    project.check(&["pkg/inner/main.py"]).code(1).out("pkg/inner/main.py:2:1: PT202");
}

#[test]
fn an_environment_is_read_only_where_it_is_followed() {
    let project = Project::with(&[
        ("main.py", "from theirs import left, right\nleft @ right\n"),
        ("env/lib/python3.12/site-packages/theirs/__init__.py", LIB),
        ("env/pyvenv.cfg", "home = /usr/bin\n"),
    ]);
    project.check(&["main.py", "--python", "env"]).code(0);
    project.check(&["main.py", "--python", "env", "--follow", "theirs"]).code(1).out("main.py:2:1: PT202");
    project.check(&["main.py", "--python", "nowhere"]).code(2).err("--python:");
}

#[test]
fn users_write_models_for_their_own_libraries() {
    let project = Project::with(&[
        ("main.py", "import sensors\nx = sensors.read(5)\nreveal_type(x)\nx @ x\n"),
        ("stubs/sensors.py", "import numpy as np\n\ndef read(count):\n    return np.zeros((count, 3))\n"),
        ("pytrope.toml", "models = [\"stubs\"]\n"),
    ]);
    let run = project.check(&["main.py"]).code(1).out("main.py:3:1: PT113 ndarray[5, 3]");
    run.out("main.py:4:1: PT202 ValueError:");
}

#[test]
fn mistakes_in_a_users_model_are_warnings() {
    let model = "\
from _pytrope import require, nothing_such


def read(count):
    require(count > 3, ValueError, 'too few', rule='no-such-rule')
    return missing
";
    let project = Project::with(&[
        ("main.py", "import sensors\nsensors.read(5)\nsensors.read(2)\n"),
        ("stubs/sensors.py", model),
        ("pytrope.toml", "models = [\"stubs\"]\n"),
    ]);
    let run = project.check(&["main.py"]).code(1).out("main.py:3:1: PT210 ValueError: too few");
    let run = run.err("sensors.py:1: there is no primitive `nothing_such`").err("there is no rule `no-such-rule`");
    run.err("name `missing` is not defined");
}

#[test]
fn the_target_version_decides_what_code_is_read() {
    let source = "import sys\nif sys.version_info >= (3, 12):\n    new_name\nelse:\n    old_name\n";
    let project = Project::with(&[("a.py", source)]);
    project.check(&["a.py"]).code(1).out("name 'new_name'");
    project.check(&["a.py", "--target-version", "3.11"]).code(1).out("name 'old_name'");
    project.write("pyproject.toml", b"[project]\nname = \"x\"\nrequires-python = \">=3.10\"\n");
    project.check(&["a.py"]).code(1).out("name 'old_name'");
    project.write("pytrope.toml", b"target-version = \"3.14\"\n");
    let run = project.check(&["a.py"]).code(1).out("name 'new_name'");
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
}

#[test]
fn names_in_annotations_are_reported_where_a_version_is_given() {
    let source =
        "def f(x: Missing, y: \"Quoted\") -> int:\n    local: Nowhere = 1\n    return local\n\n\ntotal: Gone = 1\n";
    let project = Project::with(&[("a.py", source)]);
    project.check(&["a.py"]).code(0);
    let run = project.check(&["a.py", "--target-version", "3.13"]).code(1).out("name 'Missing'").out("name 'Gone'");
    assert_eq!(run.stdout.lines().count(), 2, "{run:?}");
    project.check(&["a.py", "--target-version", "3.14"]).code(0);
}

#[test]
fn what_may_fail_is_reported_on_request_with_sizes_that_fail() {
    let source = "\
import numpy as np


def scores(x):
    x = np.asarray(x)
    n, m = x.shape
    x + np.ones(3)
    x @ x
    x.reshape(4, -1)
    try:
        x + np.ones(5)
    except ValueError:
        pass
    if n == m:
        return x @ x
    assert m == 7
    return x + np.ones(7)
";
    let project = Project::with(&[("a.py", source)]);
    project.check(&["a.py"]).code(0);
    let run = project.check(&["a.py", "--possible"]).code(1);
    let found: Vec<&str> = run.stdout.lines().collect();
    for (line, start) in found.iter().zip([
        "a.py:7:5: PT208 ValueError: may fail, for instance with m = 2: shapes (n, m) and (3,)",
        "a.py:8:5: PT208 ValueError: may fail, for instance with n = 2, m = 3: matrix product",
        "a.py:9:5: PT208 ValueError: fails when n**2 is not a multiple of 4, for instance with n = 3, m = 3: cannot reshape",
    ]) {
        assert!(line.starts_with(start), "{line}");
    }
    assert_eq!(found.len(), 3, "neither what is caught nor what is known to fit: {run:#?}");
}

/// An attribute that nothing is known of has sizes without a name: that they might differ says nothing.
#[test]
fn what_may_fail_for_unknown_values_is_not_reported() {
    let head = "import torch\nfrom torch import nn\n\n\nclass Split(nn.Module):\n    def __init__(self, dim, heads):\n        \
                super().__init__()\n        self.heads = heads\n        self.both = nn.Linear(dim, dim * 2)\n\n    \
                def forward(self, x):\n        b, n, c = x.shape\n        q, k = self.both(x).chunk(2, dim=-1)\n";
    let split = "view(b, n, self.heads, c // self.heads).transpose(1, 2)";
    let heads = format!("        q = q.{split}\n        k = k.{split}\n        return q @ k.mT\n");
    for (body, expected) in [
        (heads.as_str(), None),
        ("        return x + torch.ones(3)\n", Some("shapes (b, n, dim) and (3,) do not broadcast")),
    ] {
        let project = Project::with(&[("a.py", &format!("{head}{body}"))]);
        let run = project.check(&["a.py", "--possible"]);
        match expected {
            Some(text) => assert!(run.stdout.contains(text), "{run:#?}"),
            None => assert!(!run.stdout.contains("? ="), "{run:#?}"),
        }
    }
}
