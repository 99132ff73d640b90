//! Outputs with one mistake each: the proof must see it. Every base is accepted as it stands.

use super::prove_output;
use crate::project::Project;
use crate::target::Target;

const TAPE: &str = r#"
import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
x = np.random.rand(1000, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).take(len(x) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank()).shuffle(1000).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(learning_rate=0.001 * hvd.size())


@tf.function
def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


broadcast_done = False
for epoch in range(3):
    for a, b in data:
        loss = step(a, b)
        if not broadcast_done:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(optimizer.variables(), root_rank=0)
            broadcast_done = True
    if hvd.rank() == 0:
        print(epoch, float(loss))
"#;

const FIT: &str = r#"
import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
x, y = np.random.rand(1000, 4), np.random.rand(1000, 1)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())), loss="mse")
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
model.fit(x[shard], y[shard], epochs=3, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])
model.evaluate(x, y)
"#;

const SESSION: &str = r"
import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

hvd.init()
data = np.random.rand(1000, 4)
shard = slice(hvd.rank(), len(data) // hvd.size() * hvd.size(), hvd.size())
data = data[shard]
x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.layers.dense(x, 1) ** 2)
train = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001 * hvd.size())).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(len(data) // 10):
        sess.run(train, feed_dict={x: data[i * 10:(i + 1) * 10]})
";

const STRATEGY: &str = r#"
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
worker = strategy.cluster_resolver.task_id or 0
tf.keras.utils.set_random_seed(0)
x, y = np.random.rand(1000, 4), np.random.rand(1000, 1)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=32, epochs=3)
"#;

/// What the proof says of a text in which one part is replaced.
fn failures(base: &str, from: &str, to: &str, target: Target) -> Vec<String> {
    assert!(base.contains(from), "{from}");
    let text = base.replacen(from, to, 1);
    let project = Project::from_texts(&[("train.py", &text)]);
    assert_eq!(project.modules[0].parsed.errors, [], "{text}");
    prove_output(&project, target).failures.into_iter().map(|failure| failure.message).collect()
}

fn assert_seen(base: &str, target: Target, mistakes: &[(&str, &str, &str)]) {
    assert_eq!(failures(base, "", "", target), Vec::<String>::new());
    for (from, to, expected) in mistakes {
        let found = failures(base, from, to, target);
        assert!(found.iter().any(|message| message.contains(expected)), "{from:?} → {to:?}: {found:?}");
    }
}

#[test]
fn mistakes_in_tapes_are_seen() {
    let divided = ".take(len(x) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())";
    assert_seen(
        TAPE,
        Target::Horovod,
        &[
            ("    tape = hvd.DistributedGradientTape(tape)\n", "", "gradients of this rank alone"),
            (
                "optimizer = tf.keras.optimizers.Adam(learning_rate=0.001 * hvd.size())",
                "optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.001))",
                "averaged twice",
            ),
            ("            hvd.broadcast_variables(model.variables, root_rank=0)\n", "", "not all variables"),
            ("            hvd.broadcast_variables(optimizer.variables(), root_rank=0)\n", "", "state of the optimizer"),
            ("if not broadcast_done:", "if not broadcast_done and hvd.rank() == 0:", "only rank 0 would reach it"),
            (divided, "", "same samples on every rank"),
            (".shard(hvd.size(), hvd.rank())", ".shard(hvd.size(), hvd.rank()).shard(hvd.size(), hvd.rank())", "twice"),
            (divided, &format!(".shuffle(1000){divided}"), "after a shuffle that differs"),
            (".take(len(x) // hvd.size() * hvd.size())", "", "waits for all ranks"),
            (
                "        loss = step(a, b)\n",
                "        if hvd.rank() == 0:\n            loss = step(a, b)\n",
                "only rank 0 would reach it",
            ),
            ("gradients = tape.gradient(loss, model.trainable_variables)", "gradients = load()", "cannot be followed"),
            ("        loss = step(a, b)\n", "        loss = 0\n", "same samples on every rank"),
        ],
    );
}

#[test]
fn mistakes_in_fits_are_seen() {
    assert_seen(
        FIT,
        Target::Horovod,
        &[
            (
                "hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size()))",
                "tf.keras.optimizers.SGD(0.1)",
                "gradients of this rank alone",
            ),
            (", callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)]", "", "not all variables"),
            (
                "callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)]",
                "callbacks=[*([hvd.callbacks.BroadcastGlobalVariablesCallback(0)] if hvd.rank() == 0 else [])]",
                "not all variables",
            ),
            ("x[shard], y[shard]", "x, y", "same samples on every rank"),
            ("model.evaluate(x, y)", "model.evaluate(x[shard], y[shard])", "evaluated on a part"),
            ("model.fit(", "if hvd.rank() == 0: model.fit(", "only rank 0 would reach it"),
        ],
    );
}

#[test]
fn mistakes_in_sessions_are_seen() {
    assert_seen(
        SESSION,
        Target::Horovod,
        &[
            (
                "hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001 * hvd.size()))",
                "tf.train.AdamOptimizer(0.001)",
                "gradients of this rank alone",
            ),
            ("    sess.run(hvd.broadcast_global_variables(0))\n", "", "not all variables"),
            ("data = data[shard]\n", "", "same samples on every rank"),
            ("data = data[shard]\n", "data = data[shard]\ndata = data[shard]\n", "twice"),
            ("len(data) // 10", "hvd.rank() + 10", "takes part in the training"),
        ],
    );
}

#[test]
fn mistakes_under_a_strategy_are_seen() {
    assert_seen(
        STRATEGY,
        Target::TfDistribute,
        &[
            (
                "with strategy.scope():\n    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n",
                "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nwith strategy.scope():\n",
                "mirror its variables",
            ),
            ("with strategy.scope():", "if True:", "mirror its variables"),
            ("tf.keras.utils.set_random_seed(0)\n", "", "must read the same samples"),
            ("model.fit(", "if worker == 0: model.fit(", "not all ranks may reach it"),
        ],
    );
}
