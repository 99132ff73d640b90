//! `draw` and `report`: tables and pages that need nothing but a browser.

use crate::project::Project;

const NET: &str = "\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, features=2048):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(4))
        self.head = nn.Linear(features, 10)

    def forward(self, images):
        return self.head(torch.flatten(self.stem(images), 1))
";

#[test]
fn a_model_is_drawn_as_a_table_with_names_for_sizes() {
    let project = Project::with(&[("net.py", NET)]);
    let run = project.run(&["draw", "net.py", "--entry", "Net()", "--input", "images=n,3,32,32"]).code(0);
    for part in [
        "stem (Sequential)",
        "0 (Conv2d)",
        "(n, 32, 32, 32)",
        "884,736·n",
        "head (Linear)",
        "(n, 10)",
        "Parameters: 21,386",
    ] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
}

#[test]
fn the_failing_layer_is_named_with_both_shapes() {
    let project = Project::with(&[("net.py", NET)]);
    let arguments = ["draw", "net.py", "--entry", "Net(1568)", "--input", "images=8,3,32,32"];
    let run = project.run(&arguments).code(1).out("Fails: RuntimeError: linear expects 1568 features");
    assert!(!run.stderr.contains("1568"), "said once: {run:?}");
    assert!(run.stdout.contains("head (Linear)") && run.stdout.contains("✗ given (8, 2048)"), "{}", run.stdout);
    let picture = [&arguments[..], &["-o", "flow.svg"]].concat();
    project.run(&picture).code(1).err("Wrote flow.svg").err("linear expects 1568 features");
    assert!(project.read("flow.svg").contains("class=\"badbox\""));
}

#[test]
fn inputs_are_searched_for_where_none_are_given() {
    let project = Project::with(&[("net.py", NET)]);
    let square = "images.shape[2] == images.shape[3]";
    project.run(&["draw", "net.py", "--entry", "Net", "--assume", square, "-o", "flow.html"]).code(0);
    let page = project.read("flow.html");
    assert!(page.contains("(1, 3, 32, 32)") && page.contains("<details open>"), "{page}");
}

const TWO_INPUTS: &str = "\
from torch import nn


class ConvBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(3, 4, 2, stride=2)

    def forward(self, x):
        return self.up(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = ConvBlock()
        self.embed = nn.Embedding(100, 4)

    def forward(self, image, tokens):
        return self.block(image).mean((2, 3)) + self.embed(tokens).mean(1)
";

#[test]
fn work_is_counted_for_layers_and_not_for_what_is_named_like_one() {
    let project = Project::with(&[("net.py", TWO_INPUTS)]);
    let run = project.run(&["draw", "net.py", "--entry", "ConvBlock()", "--input", "x=n,3,8,8"]).code(0);
    assert!(run.stdout.contains("3,072·n"), "{}", run.stdout);
    let run = project.run(&["draw", "net.py", "--entry", "Net()", "--input", "image=2,3,8,8"]).code(0);
    let block = run.stdout.lines().find(|line| line.contains("(ConvBlock)")).expect("a row of the block");
    assert!(block.trim_end().ends_with("(2, 4, 16, 16)"), "{block}");
}

#[test]
fn inputs_that_are_not_given_are_searched_for_beside_those_that_are() {
    let project = Project::with(&[("net.py", TWO_INPUTS)]);
    let run = project.run(&["draw", "net.py", "--entry", "Net()", "--input", "image=2,3,8,8"]).code(0);
    let tokens = run.stdout.lines().find(|line| line.starts_with("tokens (input)")).expect("a row of the tokens");
    assert!(tokens.contains('(') && run.stdout.contains("Returns: (2, 4)"), "{}", run.stdout);
}

#[test]
fn mistakes_in_the_question_are_explained() {
    let project = Project::with(&[("net.py", NET)]);
    project.run(&["draw", "net.py"]).code(2).err("`--entry` is required: the model to draw, such as --entry 'Net()'");
    project.run(&["draw", "net.py", "--entry", "Nett()"]).code(2).err("did you mean `Net`?");
    project.run(&["draw", "net.py", "--entry", "Net()", "--input", "x=1"]).code(2).err("`x` is not a parameter");
    project.run(&["draw", "net.py", "--entry", "Net()", "--input", "images"]).code(2).err("NAME=SIZES");
    project.run(&["draw", "net.py", "--entry", "Net()", "-o", "flow.png"]).code(2).err("must end in .svg or .html");
    project
        .run(&["draw", "net.py", "--entry", "3"])
        .code(2)
        .err("`3` is neither a function nor a model, which has a `forward` or `call`: it is 3");
    project.run(&["draw", "nothing.py", "--entry", "Net()"]).code(2).err("no such file");
    project.run(&["draw", "nett.py", "--entry", "Net()"]).code(2).err("did you mean `net.py`?");
    let built = Project::with(&[("built.py", "from torch import nn\n\nnetwork = nn.Linear(3, 4)\n")]);
    built.run(&["draw", "built.py", "--entry", "netwrok"]).code(2).err("did you mean `network`?");
}

#[test]
fn a_report_has_findings_shapes_coverage_and_source() {
    let code = "import numpy as np\n\nprices = np.ones((12, 5))\ntotal = prices * np.ones(12)\nname = '<b>'\n";
    let project = Project::with(&[("shop.py", code), ("fine.py", "x = 1\n")]);
    project.run(&["report", "-o", "page.html"]).code(0).err("Wrote 1 finding in 2 files to page.html");
    let page = project.read("page.html");
    for part in ["PT201", "ndarray[12, 5]", "class=\"size differs\"", "50 %", "fine.py", "&lt;b&gt;"] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    for loading in ["<script", " src=", "http:", "https:", "@import", "<b>"] {
        assert!(!page.contains(loading), "{loading}");
    }
}

#[test]
fn the_picture_in_the_readme_is_current() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let project = Project::with(&[]);
    let mut command = project.command(&["draw", "examples/classifier.py", "--entry", "Classifier()"]);
    command.args(["--input", "images=8,3,32,32", "-o"]).arg(project.path("new.svg")).current_dir(&root);
    command.output().expect("the binary starts");
    let published = root.join("docs/assets/classifier.svg");
    if std::env::var_os("PYTROPE_UPDATE").is_some() {
        std::fs::write(&published, project.read("new.svg")).expect("a writable docs folder");
    }
    let committed = std::fs::read_to_string(&published).unwrap_or_default();
    assert_eq!(committed, project.read("new.svg"), "PYTROPE_UPDATE=1 writes it");
}

#[test]
fn every_parameter_counts_once_and_functions_are_drawn_too() {
    let code = "\
import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.head = nn.Linear(4, 10, bias=False)
        self.head.weight = self.embed.weight
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, words):
        return self.head(self.embed(words) * self.scale)


def gram(x):
    centred = x - x.mean(dim=0)
    return centred.T @ centred
";
    let project = Project::with(&[("net.py", code)]);
    let tied = project.run(&["draw", "net.py", "--entry", "Tied()", "--input", "words=n,7"]).code(0);
    assert!(tied.stdout.contains("Parameters: 44 "), "{}", tied.stdout);
    let gram = project.run(&["draw", "net.py", "--entry", "gram", "--input", "x=n,3"]).code(0);
    assert!(
        gram.stdout.contains("centred = x - x.mean(dim=0)") && gram.stdout.contains("Returns: (3, 3)"),
        "{}",
        gram.stdout
    );
}

const CLONES: &str = "\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2)
        self.first = nn.Linear(32, 32)
        self.second = self.first

    def forward(self, x):
        return self.second(self.first(self.encoder(x)))
";

#[test]
fn copies_of_a_layer_have_parameters_of_their_own_and_a_layer_with_two_names_has_them_once() {
    let project = Project::with(&[("net.py", CLONES)]);
    let run = project.run(&["draw", "net.py", "--entry", "Net()", "--input", "x=n,5,32"]).code(0);
    // PyTorch: two encoder layers of 8,544 parameters and one linear layer of 1,056.
    assert!(run.stdout.contains("Parameters: 18,144"), "{}", run.stdout);
    let count = |text: &str| run.stdout.matches(text).count();
    assert_eq!((count("self_attn"), count("first (Linear)"), count("layers.1 (")), (2, 2, 1), "{}", run.stdout);
}

#[test]
fn a_name_stands_for_any_size_but_nothing() {
    // An empty batch passes a normalisation of the wrong width; no other one does.
    let code = "from torch import nn\n\nnet = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(16))\n";
    let project = Project::with(&[("net.py", code)]);
    let run = project.run(&["draw", "net.py", "--entry", "net", "--input", "input=n,3,9,9"]).code(1);
    assert!(run.stdout.contains("✗ given (n, 8, 7, 7)"), "{}", run.stdout);
}

#[test]
fn functions_of_numpy_are_given_arrays_of_numpy() {
    let code = "\
import numpy as np


def softmax(x):
    shifted = x - x.max(axis=1, keepdims=True)
    powers = np.exp(shifted)
    u, s, _ = np.linalg.svd(powers.T)
    return powers / powers.sum(axis=1, keepdims=True)
";
    let annotated = code.replace("import numpy", "import torch\nimport numpy").replace("(x):", "(x: np.ndarray):");
    let project = Project::with(&[("soft.py", code), ("both.py", &annotated)]);
    for file in ["soft.py", "both.py"] {
        let run = project.run(&["draw", file, "--entry", "softmax", "--input", "x=n,4"]).code(0);
        assert!(run.stdout.contains("powers = np.exp(shifted)") && run.stdout.contains("Returns: (n, 4)"), "{run:?}");
        let several = run.stdout.lines().find(|line| line.contains("s from u, s, _ = np.linalg.svd"));
        assert!(several.is_some_and(|line| line.trim_end().ends_with(",)")), "{run:?}");
        assert!(!run.stdout.contains("Parameters"), "a function has none: {run:?}");
    }
}

#[test]
fn functions_of_jax_are_given_arrays_of_jax() {
    let code = "\
import jax
import jax.numpy as jnp


def loss(w1, w2, x, y):
    hidden = jnp.tanh(x @ w1)
    logp = jax.nn.log_softmax(hidden @ w2)
    chosen = jnp.sum(logp * y, axis=-1)
    return -chosen
";
    let annotated =
        code.replace("import jax.numpy", "import numpy as np\nimport jax.numpy").replace("w1,", "w1: jax.Array,");
    let project = Project::with(&[("mlp.py", code), ("both.py", &annotated)]);
    let inputs = ["--input", "w1=784,256", "--input", "w2=256,10", "--input", "x=n,784", "--input", "y=n,10"];
    for file in ["mlp.py", "both.py"] {
        let run = project.run(&[&["draw", file, "--entry", "loss"], &inputs[..]].concat()).code(0);
        assert!(run.stdout.contains("hidden = jnp.tanh(x @ w1)") && run.stdout.contains("(n, 256)"), "{run:?}");
        assert!(run.stdout.contains("Returns: (n,)"), "{run:?}");
    }
}

#[test]
fn results_without_axes_and_compiled_functions_are_drawn_too() {
    let code = "\
import jax
import jax.numpy as jnp


def loss(w, x, y):
    error = x @ w - y
    return -jnp.mean(error ** 2)


@jax.jit
def step(w, x):
    hidden = x @ w
    return jnp.tanh(hidden)


def product(w, x):
    return x @ w


mapped = jax.vmap(product, in_axes=(None, 0))
";
    let numpy = "import numpy as np\n\n\ndef norm(x):\n    squares = x * x\n    return np.sqrt(squares.sum())\n";
    let project = Project::with(&[("f.py", code), ("n.py", numpy)]);
    let draw = |arguments: &[&str]| project.run(&[&["draw"], arguments].concat()).code(0).stdout;
    let loss = draw(&["f.py", "--entry", "loss", "--input", "w=4", "--input", "x=n,4", "--input", "y=n"]);
    assert!(loss.contains("error = x @ w - y") && loss.contains("Returns: ()\n"), "{loss}");
    let step = draw(&["f.py", "--entry", "step", "--input", "w=4,3", "--input", "x=n,4"]);
    assert!(step.contains("Returns: (n, 3)\n"), "{step}");
    let mapped = draw(&["f.py", "--entry", "mapped", "--input", "w=4,3", "--input", "x=n,7,4"]);
    assert!(mapped.contains("Returns: (n, 7, 3)\n"), "{mapped}");
    let norm = draw(&["n.py", "--entry", "norm", "--input", "x=n"]);
    assert!(norm.contains("Returns: float64\n"), "{norm}");
}

const EQUINOX: &str = "\
import equinox as eqx
import jax


class Net(eqx.Module):
    layers: list

    def __init__(self, key):
        first, second = jax.random.split(key)
        self.layers = [eqx.nn.Linear(8, 16, key=first), eqx.nn.Linear(16, 3, key=second)]

    def __call__(self, x):
        hidden = jax.nn.relu(self.layers[0](x))
        return self.layers[1](hidden)


def build():
    return Net(jax.random.key(0))
";

#[test]
fn modules_of_equinox_are_drawn_by_the_arrays_that_they_bind() {
    let project = Project::with(&[("net.py", EQUINOX)]);
    let run = project.run(&["draw", "net.py", "--entry", "build()", "--input", "x=8"]).code(0);
    assert!(run.stdout.contains("hidden = jax.nn.relu(self.layers[0](x))  (16,)"), "{run:?}");
    assert!(run.stdout.contains("Returns: (3,)\n"), "{run:?}");
}

#[test]
fn containers_that_a_model_returns_are_shown_by_what_they_hold() {
    let code = "\
from collections import OrderedDict, namedtuple
from torch import nn

Outputs = namedtuple('Outputs', ['logits', 'aux'])


class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        y = self.head(x)
        if self.kind == 'named':
            return Outputs(y, None)
        if self.kind == 'ordered':
            result = OrderedDict()
            result['out'] = y
            return result
        return {'out': y, 'sizes': [x, y]}
";
    let project = Project::with(&[("net.py", code)]);
    for (kind, returned) in [
        ("named", "Returns: (n, 4), None"),
        ("ordered", "Returns: out: (n, 4)"),
        ("plain", "Returns: out: (n, 4), sizes: "),
    ] {
        let run = project.run(&["draw", "net.py", "--entry", &format!("Net('{kind}')"), "--input", "x=n,8"]).code(0);
        assert!(run.stdout.contains(returned), "{returned}\n{}", run.stdout);
    }
}

/// The entry imports a module that a registry was filled before: what it has changed must be there in the second run too, which draws.
#[test]
fn a_model_of_a_registry_is_built_behind_an_import_inside_a_function() {
    let registry = "\
models = {}


def register(function):
    models[function.__name__] = function
    return function
";
    let nets = "\
from torch import nn
from registry import register


@register
def small():
    return nn.Linear(8, 4)
";
    let factory = "\
import nets
from registry import models


def create(name):
    import helpers
    if name not in models:
        raise RuntimeError(f'unknown model {name}')
    return helpers.finish(models[name]())
";
    let helpers = "def finish(model):\n    return model.eval()\n";
    let project = Project::with(&[
        ("registry.py", registry),
        ("nets.py", nets),
        ("factory.py", factory),
        ("helpers.py", helpers),
    ]);
    let run = project.run(&["draw", "factory.py", "--entry", "create('small')", "--input", "input=n,8"]).code(0);
    assert!(run.stdout.contains("Returns: (n, 4)"), "{}", run.stdout);
    project
        .run(&["draw", "factory.py", "--entry", "create('large')"])
        .code(2)
        .err("the entry `create('large')` cannot be evaluated: RuntimeError");
}

#[test]
fn what_has_no_named_parameters_is_refused_with_what_can_be_drawn() {
    let project = Project::with(&[("net.py", "def net(*arrays):\n    return arrays\n")]);
    let arguments = ["draw", "net.py", "--entry", "net", "--input", "x=n,8"];
    project
        .run(&arguments)
        .code(2)
        .err("`net` has no named parameters; what can be drawn are models of PyTorch and Keras");
}

#[test]
fn what_must_hold_of_named_sizes_is_said() {
    let code = "from torch import nn\n\nnarrow = nn.Linear(8, 3)\n";
    let project = Project::with(&[("net.py", code), ("big.py", NET)]);
    let draw = |file: &str, entry: &str, input: &str| {
        project.run(&["draw", file, "--entry", entry, "--input", input]).code(0).stdout
    };
    let narrow = draw("net.py", "narrow", "input=n,k");
    assert!(narrow.contains("Only where: k == 8\n"), "{narrow}");
    assert!(!draw("net.py", "narrow", "input=n,8").contains("Only where"), "it fits every batch");
    let flat = draw("big.py", "Net()", "images=n,3,h,w");
    assert!(flat.contains("Only where: (h//4)*(w//4) == 64"), "{flat}");
    let page = ["draw", "net.py", "--entry", "narrow", "--input", "input=n,k", "-o", "flow.html"];
    project.run(&page).code(0);
    assert!(project.read("flow.html").contains("Only where: k == 8"));
    project.run(&[&page[..7], &["flow.svg"]].concat()).code(0);
    assert!(project.read("flow.svg").contains("Only where: k == 8"));
}
