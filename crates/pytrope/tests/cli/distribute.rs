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
