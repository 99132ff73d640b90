import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def inputs():
    data = tf.data.Dataset.from_tensor_slices(np.random.rand(400, 5).astype("float32"))
    data = data.map(lambda x: (x, tf.reduce_sum(x, keepdims=True)))
    return tf.data.make_one_shot_iterator(data.shuffle(400).repeat(4).batch(20)).get_next()


features, targets = inputs()
prediction = tf.layers.dense(features, 1, name="out")
loss = tf.losses.mean_squared_error(targets, prediction)
tf.summary.scalar("loss", loss)
step = tf.train.create_global_step()
learning_rate = tf.train.polynomial_decay(0.1, step, 100, 0.001)
optimizer = tf.train.AdagradOptimizer(learning_rate)
grads = optimizer.compute_gradients(loss)
clipped = [(tf.clip_by_norm(g, 1.0), v) for g, v in grads]
train = optimizer.apply_gradients(clipped, global_step=step)
with tf.train.MonitoredTrainingSession(checkpoint_dir="run", save_summaries_steps=10, log_step_count_steps=None) as session:
    while not session.should_stop():
        value, at, _ = session.run([loss, step, train])
        if at % 10 == 0:
            print(at, value)
