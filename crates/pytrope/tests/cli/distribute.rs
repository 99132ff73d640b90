//! `pytrope distribute`: what it explains, where several modules go, and what it refuses.

use crate::project::Project;

const MAIN: &str = "\
import tensorflow as tf

from network import Net
from reading import dataset

net = Net()
optimizer = tf.keras.optimizers.Adam(0.01)
checkpoint = tf.train.Checkpoint(net=net)


def train():
    for x in dataset():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x) ** 2)
        gradients = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(gradients, net.trainable_variables))
    return loss


if __name__ == \"__main__\":
    result = train()
    print(float(result))
    checkpoint.save(\"kept\")
";

const NETWORK: &str = "\
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self, units=4):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units)

    def call(self, x):
        return self.dense(x)
";

const READING: &str = "\
import tensorflow as tf


def dataset():
    print(\"reading\")
    return tf.data.Dataset.from_tensor_slices(tf.ones((64, 4))).batch(8)
";

fn project() -> Project {
    Project::with(&[("main.py", MAIN), ("network.py", NETWORK), ("reading.py", READING)])
}

#[test]
fn the_explanation_names_pattern_parts_and_every_edit() {
    let run = project().run(&["distribute", "main.py", "--explain"]).code(0);
    let lines: Vec<&str> = run.stdout.lines().map(str::trim).collect();
    assert_eq!(lines[0], "main.py:15: TF2 gradient tape", "{}", run.stdout);
    for part in [
        "models:",
        "main.py:6: Net()",
        "optimizers:",
        "main.py:7: tf.keras.optimizers.Adam(0.01)",
        "datasets:",
        "reading.py:6: tf.data.Dataset.from_tensor_slices(tf.ones((64, 4)))",
        "checkpoints:",
        "main.py:8: tf.train.Checkpoint(net=net)",
        "edits:",
    ] {
        assert!(lines.contains(&part), "{part} is not in\n{}", run.stdout);
    }
    for rule in [
        "initialise",
        "scale-learning-rate",
        "distributed-gradient-tape",
        "broadcast-variables",
        "shard-dataset",
        "rank-zero-output",
    ] {
        assert!(lines.iter().any(|line| line.contains(&format!(": {rule}: "))), "{rule} is not in\n{}", run.stdout);
    }
}

#[test]
fn several_modules_need_a_folder_and_go_there_together() {
    let project = project();
    let run = project.run(&["distribute", "main.py", "-o", "new.py"]).code(2);
    assert!(run.stderr.contains("reading.py must change too") && run.stderr.contains("-o DIR"), "{}", run.stderr);
    assert!(!project.path("new.py").exists());
    project.run(&["distribute", "main.py", "-o", "out"]).code(0);
    assert!(project.read("out/main.py").contains("hvd.init()"));
    assert!(project.read("out/reading.py").contains("if hvd.rank() == 0:"));
    assert_eq!(project.read("out/network.py"), NETWORK, "what does not change goes along");
    assert_eq!(project.read("main.py"), MAIN);
    project.run(&["distribute", "main.py", "--in-place"]).code(0);
    assert_eq!(project.read("main.py"), project.read("out/main.py"));
    project.run(&["distribute", "main.py", "--in-place"]).code(1).err("already distributed");
}

#[test]
fn bad_input_is_refused_with_line_and_reason() {
    let loops = "import torch\n\nmodel.train()\nfor x in loader:\n    loss(model(x)).backward()\n";
    for (name, text, code, line) in [
        ("broken.py", "def f(:\n", "PT001", 1),
        ("nothing.py", "import torch\n", "PT402", 1),
        ("tricks.py", "import torch\n\nexec('x = 1')\n", "PT407", 3),
        ("hidden.py", "import tensorflow as tf\n\nmake = getattr(tf, name)\n", "PT407", 3),
        ("loops.py", loops, "PT412", 5),
    ] {
        let project = Project::with(&[(name, text)]);
        let run = project.run(&["distribute", name, "--in-place"]).code(1);
        assert!(run.stderr.contains(code) && run.stderr.contains(&format!("{name}:{line}:")), "{}", run.stderr);
        assert_eq!(project.read(name), text);
    }
}

#[test]
fn an_engine_that_does_not_fit_is_refused() {
    project().run(&["distribute", "main.py", "--to", "ddp"]).code(1).err("PT416");
}

const TORCH: &str = "\
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.rand(64, 4), torch.rand(64, 1))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
";

#[test]
fn every_engine_of_the_framework_writes_its_own_output() {
    let project = Project::with(&[("train.py", TORCH)]);
    for (engine, sign) in [
        ("ddp", "DDP(model)"),
        ("fsdp2", "fully_shard(model, mesh=mesh)"),
        ("accelerate", "accelerator.prepare(model)"),
    ] {
        let run = project.run(&["distribute", "train.py", "--to", engine]).code(0);
        assert!(run.stdout.contains(sign), "{engine}: {}", run.stdout);
    }
    project.run(&["distribute", "train.py", "--to", "tf-distribute"]).code(1).err("PT416");
}

#[test]
fn recipes_name_the_launcher_the_script_and_the_engine() {
    let project = Project::with(&[("train.py", TORCH)]);
    let all = project.run(&["distribute", "train.py", "--recipe"]).code(0);
    for part in ["torchrun --standalone --nproc-per-node=gpu train.py", "#SBATCH --job-name=train", "kind: PyTorchJob"]
    {
        assert!(all.stdout.contains(part), "{part} is not in\n{}", all.stdout);
    }
    let slurm = project.run(&["distribute", "train.py", "--recipe", "slurm", "--to", "accelerate"]).code(0);
    assert!(
        slurm.stdout.starts_with("#!/bin/bash\n") && slurm.stdout.contains("accelerate launch"),
        "{}",
        slurm.stdout
    );
    project.run(&["distribute", "train.py", "--recipe", "horovodrun"]).code(2).err("is not started this way");
}

#[test]
fn a_package_that_is_run_with_m_keeps_its_place() {
    let main = TORCH
        .replace("torch.nn.Linear(4, 1)", "make()")
        .replace("import torch\n", "import torch\nfrom .nets import make\n");
    let nets = "import torch\n\n\ndef make():\n    print(\"a model\")\n    return torch.nn.Linear(4, 1)\n";
    let project = Project::with(&[("tool/__init__.py", ""), ("tool/train.py", &main), ("tool/nets.py", nets)]);
    project.run(&["distribute", "tool/train.py", "-o", "out"]).code(0);
    assert!(project.read("out/tool/train.py").contains("from .nets import make"));
    assert!(project.read("out/tool/nets.py").contains("if dist.get_rank() == 0:"));
    let recipe = project.run(&["distribute", "tool/train.py", "--recipe", "torchrun"]).code(0);
    assert!(recipe.stdout.contains("--nproc-per-node=gpu -m tool.train"), "{}", recipe.stdout);
}

#[test]
fn a_notebook_gives_a_script() {
    let cells: Vec<String> =
        ["%matplotlib inline\n!pip install torch\n", TORCH].iter().map(|cell| format!("{cell:?}")).collect();
    let cells: Vec<String> = cells
        .iter()
        .map(|source| {
            format!(r#"{{"cell_type": "code", "metadata": {{}}, "outputs": [], "execution_count": null, "source": {source}}}"#)
        })
        .collect();
    let notebook =
        format!(r#"{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [{}]}}"#, cells.join(", "));
    let project = Project::with(&[("train.ipynb", &notebook)]);
    project.run(&["distribute", "train.ipynb", "-o", "train.py"]).code(0);
    let script = project.read("train.py");
    assert!(
        script.contains("# %matplotlib inline\n# !pip install torch\n") && script.contains("DDP(model)"),
        "{script}"
    );
    project.run(&["distribute", "train.ipynb", "--in-place"]).code(2).err("a notebook gives a script");
}

#[test]
fn the_scripts_of_a_folder_go_together() {
    let other = TORCH.replace("lr=0.1", "lr=0.2");
    let project = Project::with(&[("work/one.py", TORCH), ("work/two.py", &other)]);
    project.run(&["distribute", "work"]).code(2).err("several scripts of this folder train");
    project.run(&["distribute", "work", "-o", "out"]).code(0);
    assert!(project.read("out/one.py").contains("lr=0.1") && project.read("out/two.py").contains("lr=0.2"));
}

#[test]
fn a_framework_that_distributes_itself_is_named_with_its_command() {
    let lightning = "import lightning as L\n\nL.Trainer(max_epochs=1).fit(model, loader)\n";
    let trainer = "from transformers import Trainer\n\nTrainer(model=model).train()\n";
    let project = Project::with(&[("a.py", lightning), ("b.py", trainer)]);
    project.run(&["distribute", "a.py"]).code(1).err("devices=4");
    project.run(&["distribute", "b.py"]).code(1).err("torchrun --nproc-per-node=4 b.py");
}
