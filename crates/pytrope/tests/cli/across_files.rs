//! Errors behind calls into other files, in the layouts that projects have.

use crate::project::Project;

const MODEL: &str = "def predict(x, w):\n    return x @ w\n";
const CALL: &str = "predict(np.ones((2, 3)), np.ones((4, 5)))\n";

/// A script that imports the model in some way and calls it wrongly.
fn caller(import: &str) -> String {
    format!("import numpy as np\n{import}\n{CALL}")
}

#[test]
fn a_call_is_followed_in_every_layout() {
    for (main, import, model) in [
        ("train.py", "from model import predict", "model.py"),
        ("train.py", "from pkg.model import predict", "pkg/model.py"),
        ("tests/test_model.py", "from pkg.model import predict", "src/pkg/model.py"),
        ("src/pkg/train.py", "from .model import predict", "src/pkg/model.py"),
        ("train.py", "from pkg.deep.model import *", "pkg/deep/model.py"),
    ] {
        let source = caller(import);
        let mut files = vec![(main, source.as_str()), (model, MODEL), ("pyproject.toml", "")];
        if main.starts_with("src") {
            files.push(("src/pkg/__init__.py", ""));
        }
        let project = Project::with(&files);
        project.check(&["."]).code(1).out(&format!("{model}:2:12: PT202 ValueError:"));
        // Only the caller is checked: the finding stands at its call.
        project.check(&[main]).code(1).out(&format!("{main}:3:1: PT202 ValueError:"));
        // The model alone is right.
        project.check(&[model]).code(0);
    }
}

#[test]
fn the_order_of_the_files_changes_nothing() {
    let first = caller("from model import predict");
    let second = caller("import model\npredict = model.predict");
    let cycle = "import b\n\n\ndef f(x):\n    return b.g(x)\n\n\ndef h(x):\n    return x.reshape(5)\n";
    let project = Project::with(&[
        ("one.py", &first),
        ("two.py", &second),
        ("model.py", MODEL),
        ("a.py", cycle),
        ("b.py", "import a\n\n\ndef g(x):\n    return a.h(x)\n"),
        ("use.py", "import numpy as np\nimport a\n\na.f(np.ones(4))\n"),
    ]);
    let mut names = ["one.py", "two.py", "model.py", "a.py", "b.py", "use.py"];
    let expected = project.run(&[&["check"], &names[..]].concat()).code(1).stdout;
    assert!(expected.contains("a.py:9:12") && expected.contains("model.py:2:12"), "{expected}");
    for _ in 0..names.len() {
        names.rotate_left(1);
        assert_eq!(project.run(&[&["check"], &names[..]].concat()).code(1).stdout, expected);
    }
}

#[test]
fn notebooks_import_modules() {
    let cell = "import numpy as np\\nfrom model import predict\\npredict(np.ones((2, 3)), np.ones((4, 5)))";
    let notebook = format!(
        r#"{{"cells": [{{"cell_type": "code", "metadata": {{}}, "outputs": [], "execution_count": null, "source": "{cell}"}}],
            "metadata": {{"kernelspec": {{"name": "python3", "language": "python", "display_name": "Python 3"}}}}, "nbformat": 4, "nbformat_minor": 5}}"#
    );
    let project = Project::with(&[("model.py", MODEL), ("look.ipynb", &notebook)]);
    project.check(&["."]).code(1).out("model.py:2:12: PT202 ValueError:");
}

#[test]
fn an_error_in_a_followed_package_stands_at_the_call() {
    let main = caller("from theirs import predict");
    let project = Project::with(&[
        ("main.py", &main),
        ("env/lib/python3.12/site-packages/theirs/__init__.py", MODEL),
        ("env/pyvenv.cfg", "home = /usr/bin\n"),
    ]);
    project.check(&["main.py", "--python", "env"]).code(0);
    project.check(&["main.py", "--python", "env", "--follow", "theirs"]).code(1).out("main.py:3:1: PT202 ValueError:");
    project
        .check(&["main.py", "--python", "env", "--follow", "their"])
        .code(2)
        .err("there is no package `their` in env");
}

/// `random.py` of a package is not what `import random` means, also if the working directory is the package.
#[test]
fn modules_of_a_package_do_not_shadow_the_library() {
    let project = Project::with(&[
        ("net/__init__.py", ""),
        ("net/random.py", "def seed():\n    pass\n"),
        ("net/types.py", ""),
        ("net/train.py", "import random\nfrom types import MappingProxyType\n\nrandom.seed(3)\n"),
    ]);
    let mut command = project.command(&["check", "--output-format", "concise", "."]);
    let run = crate::project::Run::of(&command.current_dir(project.path("net")).output().expect("the binary starts"));
    assert_eq!(run.stdout, "", "{run:?}");
}

#[test]
fn an_import_raises_what_an_unnamed_module_raises() {
    let weights = "import numpy as np\nW = np.ones((2, 3)) @ np.ones((4, 5))\n";
    let undecided = "import os\nimport numpy as np\nif os.environ.get(\"DEBUG\"):\n    np.ones(3) + np.ones(4)\n";
    let script = "import numpy as np\nif __name__ == \"__main__\":\n    np.ones(3) + np.ones(4)\n";
    let left = "import sys\nimport numpy as np\nif len(sys.argv) > 3:\n    sys.exit()\nnp.ones(3) + np.ones(4)\n";
    let project = Project::with(&[
        ("weights.py", weights),
        ("layers.py", "import weights\n"),
        ("undecided.py", undecided),
        ("script.py", script),
        ("left.py", left),
        ("lacking.py", "value = given_by_a_host\n"),
        ("direct.py", "from weights import W\n"),
        ("chain.py", "def load():\n    import layers\n    return layers\n"),
        ("caught.py", "try:\n    import layers\nexcept ValueError:\n    layers = None\n"),
        ("quiet.py", "import undecided, script, left, lacking\n"),
    ]);
    project.check(&["direct.py"]).code(1).out("direct.py:1:1: PT202 ValueError:");
    project.check(&["chain.py"]).code(1).out("chain.py:2:5: PT202 ValueError:");
    project.check(&["caught.py", "quiet.py"]).code(0);
    // Where the module is checked too, the error stands in it and nowhere else.
    let all = project.check(&["direct.py", "chain.py", "weights.py"]).code(1).stdout;
    assert!(all.contains("weights.py:2:5: PT202") && all.matches("PT202").count() == 1, "{all}");
}

#[test]
fn what_a_part_of_a_library_without_a_model_binds_is_not_known() {
    // `transformers.utils` binds the function of a module that has the same name, and only that module has a model.
    let module = "from ...utils import auto_docstring\n\n\n@auto_docstring\nclass Model:\n    pass\n";
    let absolute = "from transformers.utils import auto_docstring\n\n\n@auto_docstring\nclass Model:\n    pass\n";
    let project = Project::with(&[
        ("transformers/__init__.py", "__version__ = \"5\"\n"),
        ("transformers/utils/__init__.py", "from .auto_docstring import auto_docstring\n"),
        ("transformers/utils/auto_docstring.py", "def auto_docstring(cls):\n    return cls\n"),
        ("transformers/models/__init__.py", ""),
        ("transformers/models/net/__init__.py", ""),
        ("transformers/models/net/modeling.py", module),
        ("other/script.py", absolute),
    ]);
    let run_in = |folder: &str, target: &str| {
        let mut command = project.command(&["check", "--output-format", "concise", target]);
        crate::project::Run::of(&command.current_dir(project.path(folder)).output().expect("the binary starts"))
    };
    for (folder, target) in [(".", "transformers"), ("transformers/models/net", "modeling.py"), ("other", "script.py")]
    {
        let run = run_in(folder, target);
        assert_eq!(run.stdout, "", "{folder}: {run:?}");
    }
}
