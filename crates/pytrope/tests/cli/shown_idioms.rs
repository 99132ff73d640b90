//! `check --show-shapes` on the idioms of large model libraries: configuration objects, decorators of other files, attention over caches.

use crate::project::Project;
use crate::shapes::note_of;

#[track_caller]
fn check_notes(files: &[(&str, &str)], expected: &[(&str, &str)]) {
    let project = Project::with(files);
    let run = project.run(&["check", "--show-shapes", files[0].0]);
    for (line, note) in expected {
        let shown = note_of(&run.stdout, line);
        assert!(shown.contains(note), "{line:?} is shown as {shown:?}, not {note:?}\n{}", run.stdout);
    }
}

#[test]
fn sizes_of_a_configuration_are_divided_and_have_defaults() {
    let source = "\
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_heads
        self.head_size = int(config.hidden_size / config.num_heads)
        self.all_size = self.heads * self.head_size
        self.query = nn.Linear(config.hidden_size, self.all_size)
        self.head_dim = getattr(config, 'head_dim', config.hidden_size // config.num_heads)
        self.key = nn.Linear(config.hidden_size, config.num_heads * self.head_dim)

    def forward(self, x: torch.Tensor):
        b, n, c = x.shape
        q = self.query(x).view(b, n, -1, self.head_size).transpose(1, 2)
        k = self.key(x).view(b, n, -1, self.head_dim)
        shape = (*x.shape[:-1], -1, self.head_dim)
        k2 = self.key(x).view(shape)
        return q, k, k2
";
    check_notes(
        &[("net.py", source)],
        &[
            ("q = ", "q: Tensor[b, config.num_heads, n, config.hidden_size//config.num_heads]"),
            ("k = ", "k: Tensor[b, n, config.num_heads, config.head_dim]"),
            ("k2 = ", "k2: Tensor[b, n, config.num_heads, config.head_dim]"),
        ],
    );
}

#[test]
fn decorators_of_other_files_keep_what_they_decorate() {
    let decorators = "\
import functools


def registered(name):
    def wrap(cls):
        cls.forward = traced(cls.forward)
        return build(cls, name)
    return wrap


def traced(function):
    @functools.wraps(function)
    def run(*args, **kwargs):
        return log(function(*args, **kwargs))
    return run


class Hooked:
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.forward = traced(cls.forward)
";
    let source = "\
import torch
from torch import nn
from decorators import Hooked, registered, traced


@registered('norm')
class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    @traced
    def forward(self, x):
        return self.weight * x


class Layer(Hooked, nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = Norm(dim)
        self.up = nn.Linear(dim, 4 * dim)

    def forward(self, x):
        b, n, c = x.shape
        y = self.norm(x)
        z = self.up(y)
        return z


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.layer = Layer(dim)

    def forward(self, images):
        b, n, c = images.shape
        seen = self.layer(images)
        return seen
";
    check_notes(
        &[("net.py", source), ("decorators.py", decorators)],
        &[("y = ", "y: Tensor[b, n, "), ("z = ", "z: Tensor[b, n, 4*dim]"), ("seen = ", "seen: Tensor[b, n, 4*dim]")],
    );
}

#[test]
fn operators_are_applied_to_each_array_that_an_operand_may_be() {
    let source = "\
import torch


def attend(q: torch.Tensor, k: torch.Tensor, mask: torch.Tensor | None, few, base, dim: int):
    b, h, n, d = q.shape
    if few:
        scores = torch.zeros(b, h, n, 3)
    else:
        scores = torch.zeros(b, h, n, 4)
    if mask is not None:
        scores = scores + mask
    done = scores
    powers = base ** (torch.arange(0, dim) / dim)
    return done, powers
";
    check_notes(
        &[("net.py", source)],
        &[
            ("scores = scores + mask", "scores: Tensor[b, h, n, 3] | Tensor[b, h, n, 4]"),
            ("powers = ", "powers: Tensor[dim]"),
        ],
    );
}

#[test]
fn equations_may_be_one_of_several() {
    let source = "\
import torch
from torch import einsum


def attend(q: torch.Tensor, k: torch.Tensor):
    b, h, n, d = q.shape
    equation = 'b j d' if k.ndim == 3 else 'b h j d'
    scores = einsum(f'b h i d, {equation} -> b h i j', q, k)
    return scores
";
    check_notes(&[("net.py", source)], &[("scores = ", "scores: Tensor[?, h, n, ?]")]);
}

#[test]
fn an_annotation_that_no_call_agrees_with_is_not_believed() {
    let source = "\
from typing import Optional, Tuple

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)

    def forward(self, hidden: Optional[Tuple[torch.Tensor]]):
        normed = self.norm(hidden)
        return normed


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.block = Block(dim)

    def forward(self, x: torch.Tensor):
        b, n, c = x.shape
        result = self.block(x)
        return result
";
    check_notes(
        &[("net.py", source)],
        &[("normed = ", "normed: Tensor[hidden.shape[0], hidden.shape[1], "), ("result = ", "result: Tensor[b, n, ")],
    );
}

#[test]
fn training_scripts_keep_their_shapes_to_the_end() {
    let source = "\
import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, path):
        self.lines = open(path).read().splitlines()

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        ids = [ord(c) for c in self.lines[index]]
        return torch.tensor(ids), len(ids) % 2


def collate(batch):
    sequences, labels = zip(*batch)
    lengths = torch.tensor([len(s) for s in sequences])
    return pad_sequence(sequences, batch_first=True), lengths, torch.tensor(labels)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return self.norm(x + self.up(x))


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embedding = nn.Embedding(256, width)
        self.blocks = nn.ModuleList([Block(width) for _ in range(8)])
        self.head = nn.Linear(width, 2)

    def forward(self, ids):
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(dim=1))


def train(model, loader, optimizer):
    total = 0.0
    for ids, lengths, labels in loader:
        logits = model(ids)
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        wrong = logits @ torch.zeros(3, 1)
    return total


def evaluate(model, loader):
    found = []
    for ids, lengths, labels in loader:
        scores = model(ids).softmax(dim=-1)
        found.append(scores)
    return torch.cat(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('data')
    parser.add_argument('--epochs', type=int, default=3)
    parser.add_argument('--width', type=int, default=32)
    args = parser.parse_args()
    loader = DataLoader(Rows(args.data), batch_size=16, collate_fn=collate)
    model = Net(args.width)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(args.epochs):
        train(model, loader, optimizer)
        evaluate(model, loader)


main()
";
    check_notes(
        &[("train.py", source)],
        &[
            ("return pad_sequence", "(Tensor[?, ?], Tensor[?], Tensor[?])"),
            ("logits = ", "logits: Tensor[?, 2]"),
            ("scores = ", "scores: Tensor[?, 2]"),
        ],
    );
    let project = Project::with(&[("train.py", source)]);
    project.run(&["check", "train.py"]).code(1).out("PT202");
}
