//! `check --show-shapes`.

use crate::project::Project;

const SOURCE: &str = "\
import numpy as np


def half(x):
    n, m = x.shape
    y = x[: n // 2]
    return y


def never_called(z):
    w = np.zeros((3, 4))
    return w @ z


a = np.ones((8, 3))
b = half(a)
c = load(a)
";

#[test]
fn assignments_have_their_shapes_beside_them() {
    let project = Project::with(&[("a.py", SOURCE)]);
    let run = project.run(&["check", "--show-shapes", "a.py"]).code(1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    for (line, note) in [
        (5, "# n: 8; m: 3"),
        (4, "# x: ndarray[8, 3]"),
        (6, "# y: ndarray[4, 3]"),
        (7, "# return: ndarray[4, 3]"),
        (11, "# w: ndarray[3, 4]"),
        (15, "# a: ndarray[8, 3]"),
        (16, "# b: ndarray[4, 3]"),
        (17, "error[PT100]: NameError: name 'load' is not defined"),
    ] {
        assert!(lines[line - 1].contains(note), "line {line} has no {note:?}\n{}", run.stdout);
    }
    let code =
        |text: &str| text.lines().map(|line| line.split("  #").next().unwrap_or("").trim_end().to_owned()).collect();
    let (printed, source): (Vec<String>, Vec<String>) = (code(&run.stdout), code(SOURCE));
    assert_eq!(printed, source, "the source itself is as it was");
}

#[test]
fn shapes_are_json_too() {
    let project = Project::with(&[("a.py", SOURCE)]);
    let run = project.run(&["check", "--show-shapes", "--output-format", "json", "a.py"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let of_b = report["shapes"].as_array().and_then(|shapes| shapes.iter().find(|shape| shape["name"] == "b"));
    let of_b = of_b.expect("b is bound");
    assert_eq!((of_b["line"].as_u64(), of_b["value"].as_str()), (Some(16), Some("ndarray[4, 3]")));
}

#[test]
fn what_is_unknown_says_why() {
    let source = "\
import numpy as np
import elsewhere
from elsewhere import thing

def area(width, height):
    total = width * height
    return total

a = elsewhere.load()
b = elsewhere.table
c = np.ones(3) + np.ones(4)
d = thing
reveal_type(d)
e = a * c
gone(1)
f = gone.part(2)
";
    let project = Project::with(&[("a.py", source)]);
    let run = project.run(&["check", "--show-shapes", "a.py"]).code(1);
    for note in [
        "# total: Unknown (`width` is a parameter without a known value)",
        "# a: Unknown (`elsewhere.load` has no model)",
        "# b: Unknown (`table` is not known here)",
        "# c: Unknown (computing it raises an exception)",
        "# d: Unknown (`thing` comes from a library that is not modelled)",
        "# f: Unknown (computing it raises an exception)",
    ] {
        assert!(run.stdout.contains(note), "no {note:?} in\n{}", run.stdout);
    }
    project.run(&["check", "a.py"]).code(1).out("= help: `thing` comes from a library that is not modelled");
}

#[test]
fn cells_of_a_notebook_are_told_apart() {
    let code =
        |lines: &str| format!(r#"{{"cell_type": "code", "metadata": {{}}, "outputs": [], "source": {lines:?}}}"#);
    let cells = [
        code("import numpy as np"),
        r#"{"cell_type": "markdown", "metadata": {}, "source": "Text"}"#.to_owned(),
        code("%time\nx = np.ones(3)"),
    ];
    let text = format!(r#"{{"cells": [{}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#, cells.join(", "));
    let project = Project::with(&[("n.ipynb", &text)]);
    let run = project.run(&["check", "--show-shapes", "n.ipynb"]).code(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[..4], ["# ---- cell 1 ----", "import numpy as np", "# ---- cell 3 ----", "%time"]);
    assert!(lines[4].starts_with("x = np.ones(3) ") && lines[4].ends_with("# x: ndarray[3]"), "{lines:?}");
}

#[test]
fn attributes_loops_and_calls_from_other_files_are_shown() {
    let model = "\
import numpy as np


class Net:
    def __init__(self, n):
        self.w = np.zeros((n, 2))

    def run(self, xs):
        for x in xs:
            y = x @ self.w
        return y
";
    let main = "import numpy as np\nfrom model import Net\n\nNet(3).run([np.ones(3), np.ones(3)])\n";
    let project = Project::with(&[("model.py", model), ("main.py", main)]);
    let run = project.run(&["check", "--show-shapes", "."]).code(0);
    for note in ["# n: 3", "# self.w: ndarray[3, 2]", "# x: ndarray[3]", "# y: ndarray[2]", "# return: ndarray[2]"] {
        run.stdout.lines().find(|line| line.ends_with(note)).unwrap_or_else(|| panic!("no {note:?}\n{}", run.stdout));
    }
}

#[test]
fn statistics_say_what_is_known_and_why_not() {
    let source = "\
import tifffile
import numpy as np


def patches(image, dim):
    n = image.shape[0]
    rows = image.reshape(n, dim)
    return rows @ np.zeros((dim, 4))


a = np.ones((8, 3))
b = a @ np.ones((3, 2))
picture = tifffile.imread('a.tif')
small = picture[:, ::2]
";
    let project = Project::with(&[("a.py", source), ("b.py", "x = 1\n")]);
    let run = project.run(&["check", "--statistics", "."]).code(0);
    let run = run.out("`tifffile.imread` has no model  a.py:13").err("nothing found in 2 files; shapes of ");
    assert!(!run.stdout.contains("b.py"), "it has no arrays\n{}", run.stdout);
    let run = project.run(&["check", "--statistics", "--output-format", "json", "."]).code(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["diagnostics"], serde_json::json!([]));
    let total = &report["statistics"]["total"];
    assert!(total["shape"].as_u64() >= Some(2) && total["unknown"].as_u64() >= Some(1), "{total}");
    let causes = report["statistics"]["causes"].as_array().expect("a list");
    assert!(causes.iter().any(|cause| cause["reason"] == "`tifffile.imread` has no model" && cause["line"] == 13));
}

#[test]
fn functions_are_shown_as_their_own_file_calls_them() {
    let source = "\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.linear = nn.Linear(dim, dim)

    def forward(self, x):
        y = self.linear(x)
        y += 1
        return y


class Net(nn.Module):
    def __init__(self, dim, depth, layers):
        super().__init__()
        self.blocks = nn.ModuleList([Block(dim) for _ in range(depth)])
        self.layers = layers

    def forward(self, images, maps: list[torch.Tensor]):
        b, c, h, w = images.shape
        x = images.flatten(2).transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        for layer in self.layers:
            x = layer(x)
        last = nn.functional.max_pool2d(maps[-1], 2)
        return x
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]).code(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    for (line, note) in [
        (10, "# x: Tensor[?, ?, ?]"),
        (11, "# y: Tensor[x.shape[0], x.shape[1], dim]"),
        (12, "# y: Tensor[x.shape[0], x.shape[1], dim]"),
        (24, "# x: Tensor[b, h*w, c]"),
        (29, "# last: Tensor[?, ?, ?, ?]"),
    ] {
        assert!(lines[line - 1].contains(note), "line {line} has no {note:?}\n{}", run.stdout);
    }
}

#[test]
fn sizes_of_a_configuration_have_its_names() {
    let source = "\
import torch
from torch import nn
from elsewhere import traced


def default(value, otherwise):
    return value if value is not None else otherwise


@traced
class Block(nn.Module):
    def __init__(self, config, inner=None):
        super().__init__()
        inner = default(inner, 64)
        self.up = nn.Linear(config.hidden_size, inner)
        self.down = nn.Linear(inner, config.hidden_size)
        self.act_fn = config.act

    @traced
    def forward(self, x: torch.FloatTensor, cache=None, **kwargs):
        b, n, c = x.shape
        y = self.act_fn(self.up(x))
        if cache is not None:
            y, x = cache.update(y, x)
        z = self.down(y)
        scores = z @ z.transpose(1, 2)
        if kwargs.get(\"mask\") is not None:
            scores = kwargs[\"fold\"](scores)
        w = nn.functional.softmax(scores, -1)
        return w


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.block = Block(config)

    def forward(self, x, **kwargs):
        b, n, c = x.shape
        y = self.block(x, **kwargs)
        return y
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    for (line, note) in [(22, "# y: Tensor[b, n, inner]"), (24, "# y: Tensor[?, ?, ?]; x: Tensor[?, ?, ?]")] {
        assert!(lines[line - 1].contains(note), "line {line} has no {note:?}\n{}", run.stdout);
    }
}

#[test]
fn initialisers_optional_inputs_and_positions_leave_what_is_known() {
    let source = "\
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, length, dim):
        super().__init__()
        self.table = nn.Embedding(length, dim)

    def forward(self, x):
        return self.table(torch.arange(x.shape[1]))


class Net(nn.Module):
    def __init__(self, block, dim):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)
        self.blocks = nn.Sequential(block(8), block(16))
        self.embed = nn.Embedding(100, dim)
        self.positions = Positions(50, dim)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        y = self.stem(x)
        return self.blocks(y)

    def embedded(self, ids: torch.LongTensor | None = None, embeds: torch.Tensor | None = None):
        if ids is not None:
            shape = ids.size()
        else:
            shape = embeds.size()[:-1]
        batch, length = shape
        if embeds is None:
            embeds = self.embed(ids)
        z = embeds * 2
        return z

    def placed(self, x: torch.Tensor):
        x = self.embed(x)
        x = x + self.positions(x)
        return x
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    for (line, note) in [(27, "# y: Tensor[x.shape[0], 8,"), (38, "# z: Tensor["), (43, "# x: Tensor[..., dim]")] {
        assert!(lines[line - 1].contains(note), "line {line} has no {note:?}\n{}", run.stdout);
    }
    assert!(!lines[37].contains("..."), "the rank of either input is known\n{}", run.stdout);
}

#[test]
fn layers_for_arrays_of_several_ranks_are_told_apart() {
    let source = "\
from torch import nn


class ConvNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv = nn.Conv2d(dim, dim, 1)
        self.norm = nn.BatchNorm2d(dim)

    def forward(self, x):
        return self.norm(self.conv(x))


class LinearNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.linear = nn.Linear(dim, dim)
        self.norm = nn.BatchNorm1d(dim)

    def forward(self, x):
        x = self.linear(x)
        return self.norm(x.flatten(0, 1)).reshape_as(x)


class Mlp(nn.Module):
    def __init__(self, dim, use_conv: bool = False):
        super().__init__()
        layer = ConvNorm if use_conv else LinearNorm
        self.first = layer(dim)

    def forward(self, x):
        y = self.first(x)
        return y
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    let line = run.stdout.lines().find(|line| line.contains("y = self.first(x)")).unwrap_or_default();
    assert!(
        line.contains("| Tensor[...]") || line.contains("# y: Tensor[...]"),
        "one of them is of open rank\n{}",
        run.stdout
    );
}

#[test]
fn callers_give_what_functions_need() {
    let source = "\
import torch
from torch import nn


def repeat(states: torch.Tensor, times: int):
    batch, heads, length, dim = states.shape
    return states[:, :, None].expand(batch, heads, times, length, dim).flatten(1, 2)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dim = config.dim
        self.key = nn.Linear(config.dim, config.dim)

    def forward(self, states: torch.Tensor):
        outer = states.shape[:-1]
        key = self.key(states).view(*outer, -1, self.dim).transpose(1, 2)
        key = repeat(key, 2)
        made = key.transpose(1, 2).reshape(*outer, -1)
        return made


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = Attention(config)

    def forward(self, given: torch.Tensor | None = None):
        result = self.attention(given)
        return result
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    for line in [18, 19, 20, 30] {
        assert!(lines[line - 1].contains("Tensor["), "line {line} is of no array\n{}", run.stdout);
        assert!(!lines[line - 1].contains("..."), "the rank in line {line} is open\n{}", run.stdout);
    }
}

/// A layer that refuses what it is given in the only call: what other callers would get is not shown beside the error.
#[test]
fn what_raises_in_a_call_is_not_shown_as_made() {
    let head = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, classes=10):\n        \
                super().__init__()\n        self.head = nn.Linear(8, classes)\n\n    def forward(self, x):\n";
    let created = "Unknown (computing it raises an exception)";
    for (body, line, shown, hidden) in [
        ("        return self.head(x)\n", 11, format!("# return: {created}; error[PT215]"), "classes"),
        ("        y = self.head(x)\n        return y\n", 11, format!("# y: {created}; error[PT215]"), "classes"),
        (
            "        y = self.head(x)\n        return y\n",
            12,
            "# return: Unknown (an error is reported before)".to_owned(),
            "classes",
        ),
        (
            "        y = self.head(x)\n        if x.ndim == 5:\n            y = torch.relu(y)\n        return y\n",
            13,
            "# y: Unknown (an error is reported before)".to_owned(),
            "classes",
        ),
        // The other branch belongs to other callers.
        (
            "        if x.ndim == 5:\n            y = self.head(x)\n        return x\n",
            12,
            "# y: Tensor[".to_owned(),
            "Unknown",
        ),
    ] {
        let text = format!("{head}{body}\n\nNet()(torch.zeros(3, 9))\n");
        let project = Project::with(&[("a.py", &text)]);
        let run = project.run(&["check", "--show-shapes", "a.py"]);
        let found = run.stdout.lines().nth(line - 1).expect("the line");
        assert!(found.contains(&shown) && !found.contains(hidden), "{found}");
    }
}

/// The note beside the line of a source that begins with a text.
pub(crate) fn note_of<'r>(printed: &'r str, line: &str) -> &'r str {
    let found = printed.lines().find(|printed| printed.trim_start().starts_with(line)).unwrap_or_default();
    found.split_once("  # ").map_or("", |(_, note)| note)
}

#[test]
fn unknown_values_become_what_their_use_requires() {
    let source = "\
import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))

    def forward(self, states):
        scaled = self.weight * states.float()
        return scaled


def rotate(q, cos, sin, axis=1):
    cos = cos.unsqueeze(axis)
    b, h, n, d = q.shape
    turned = (q * cos) + (half(q) * sin)
    return turned


def half(x):
    first = x[..., : x.shape[-1] // 2]
    return torch.cat((-first, first), dim=-1)


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        heads = getattr(config, 'heads', None) or config.dim // config.head_dim
        self.project = nn.Linear(config.dim, heads)

    def forward(self, x, pair: tuple[torch.Tensor, torch.Tensor] | None = None):
        left, right = pair
        out = self.project(x)
        return out


def run(block, image):
    made = block(image)
    b, n, c = made.shape
    swapped = made.transpose(1, 2)
    return swapped
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    for (line, shown) in [
        ("self.weight = ", "Parameter[features]"),
        ("cos = cos.unsqueeze", "cos: Tensor["),
        ("scaled = ", "Tensor[..., features]"),
        ("turned = ", "Tensor[?, ?, ?, ?]"),
        ("left, right = pair", "left: Tensor[...]"),
        ("out = ", "Tensor[..., heads]"),
        ("swapped = ", "Tensor[b, c, n]"),
    ] {
        assert!(note_of(&run.stdout, line).contains(shown), "{line} is not {shown}\n{}", run.stdout);
    }
}

#[test]
fn optional_layers_of_a_filtered_row_are_taken_to_be_there() {
    let source = "\
import torch
from torch import nn


def exists(value):
    return value is not None


def row(*layers):
    return nn.Sequential(*filter(exists, layers))


class Block(nn.Module):
    def __init__(self, dim, norm=False, drop=0.0):
        super().__init__()
        self.inner = row(
            nn.LayerNorm(dim) if norm else None,
            nn.Linear(dim, 2 * dim),
            nn.Dropout(drop) if drop > 0 else None,
        )

    def forward(self, x: torch.Tensor):
        b, n, c = x.shape
        y = self.inner(x)
        return y
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    assert!(note_of(&run.stdout, "y = ").contains("Tensor[b, n, 2*dim]"), "{}", run.stdout);
}

#[test]
fn default_blocks_of_the_program_are_taken_for_those_given() {
    let source = "\
import torch
from torch import nn


class Patches(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.project = nn.Conv2d(3, dim, 16, 16)

    def forward(self, image):
        return self.project(image).flatten(2).transpose(1, 2)


class Net(nn.Module):
    def __init__(self, dim, patches=Patches):
        super().__init__()
        self.patches = patches(dim)

    def forward(self, image):
        tokens = self.patches(image)
        return tokens
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    let note = note_of(&run.stdout, "tokens = ");
    assert!(note.starts_with("tokens: Tensor[") && note.ends_with(", dim]"), "{note}\n{}", run.stdout);
}

#[test]
fn what_is_flattened_on_one_path_keeps_its_own_rank_on_the_other() {
    let source = "\
import torch
from torch import nn
from elsewhere import Norm


class Stem(nn.Sequential):
    def __init__(self, n):
        super().__init__()
        self.add_module('conv', Norm(n, n))


class Later(nn.Sequential):
    def __init__(self, n):
        super().__init__()
        self.add_module('late', Norm(n, n))


class One(nn.Module):
    def __init__(self, use_conv=False):
        super().__init__()
        self.use_conv = use_conv

    def forward(self, x):
        if not self.use_conv:
            x = x.flatten(2)
        return x


class Several(nn.Module):
    def __init__(self, use_conv=False, early=None):
        super().__init__()
        self.use_conv = use_conv
        self.stem = Stem(3) if early else Later(2)

    def forward(self, image):
        image = self.stem(image)
        if not self.use_conv:
            image = image.flatten(2).transpose(1, 2)
        return image
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    assert!(note_of(&run.stdout, "def forward(self, x):").contains("x: Tensor[...]"), "{}", run.stdout);
    assert!(note_of(&run.stdout, "x = x.flatten(2)").contains("x: Tensor[?, ?, ?]"), "{}", run.stdout);
    assert!(note_of(&run.stdout, "image = self.stem").contains("image: Tensor[...]"), "{}", run.stdout);
    assert!(note_of(&run.stdout, "image = image.flatten").contains("Tensor[?, ?, ?]"), "{}", run.stdout);
}

#[test]
fn a_tuple_with_one_of_several_arrays_is_joined_for_each() {
    let source = "\
import torch


def extend(cache, n, m, flag):
    if flag:
        k = torch.zeros(2, n, 4, 5)
    else:
        k = torch.zeros(2, m, 4, 5)
    old, other = cache.kv
    joined = torch.cat((old, k), dim=-2)
    twice = torch.cat((k, k), dim=-2)
    return joined, twice
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    let joined = note_of(&run.stdout, "joined = ");
    assert!(joined.contains("Tensor[2, ?, ?, 5]"), "{joined}\n{}", run.stdout);
    let twice = note_of(&run.stdout, "twice = ");
    assert!(twice.contains("Tensor[2, ?, 8, 5]"), "{twice}\n{}", run.stdout);
}

#[test]
fn unknown_code_is_taken_to_leave_a_model_as_it_is() {
    let source = "\
import torch
from torch import nn
from elsewhere import Base, checkpointed


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.words = nn.Embedding(config.vocab_size, config.hidden_size)

    def forward(self, ids: torch.LongTensor):
        batch, length = ids.shape
        return self.words(ids)


class Model(Base):
    def __init__(self, config):
        super().__init__(config)
        self.embeddings = Embeddings(config)
        self.post_init()

    def forward(self, ids: torch.LongTensor):
        self.trace(ids)
        embedded = self.embeddings(ids)
        return embedded


def install(model):
    Embeddings.forward = checkpointed(Embeddings.forward)
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    let note = note_of(&run.stdout, "embedded = ");
    assert!(note.starts_with("embedded: Tensor[") && note.ends_with(", config.hidden_size]"), "{note}\n{}", run.stdout);
}

#[test]
fn layers_that_are_not_known_are_asked_for_each_array() {
    let source = "\
import torch
from torch import nn


def apply(layers, x: torch.Tensor, flag):
    n, m = x.shape
    if flag:
        y = torch.zeros(n, 3)
    else:
        y = torch.zeros(n, 4)
    y = layers.norm(y)
    for layer in layers:
        y = layer(y)
    return y


def many(x: torch.Tensor, kind: int):
    n, m = x.shape
    if kind == 0:
        y = torch.zeros(n, 3)
    elif kind == 1:
        y = torch.zeros(n, 4)
    elif kind == 2:
        y = torch.zeros(n, 5)
    else:
        y = torch.zeros(n, 6)
    z = torch.relu(y)
    return z
";
    let project = Project::with(&[("net.py", source)]);
    let run = project.run(&["check", "--show-shapes", "net.py"]);
    let normed = note_of(&run.stdout, "y = layers.norm");
    assert!(normed.contains("Tensor[n, 3] | Tensor[n, 4]"), "{normed}\n{}", run.stdout);
    assert!(note_of(&run.stdout, "y = layer(y)").contains("Tensor[?, ?]"), "{}", run.stdout);
    assert!(note_of(&run.stdout, "z = ").contains("z: Tensor[n, ?]"), "{}", run.stdout);
}
