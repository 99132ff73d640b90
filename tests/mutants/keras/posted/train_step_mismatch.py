"""A custom training loop whose labels have one axis too many."""
import tensorflow as tf

net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
x, y = tf.random.normal((6, 4)), tf.constant([0, 1, 2, 0])  # instead: x, y = tf.random.normal((6, 4)), tf.constant([0, 1, 2, 0, 1, 2])
with tf.GradientTape() as tape:
    loss = loss_of(y, net(x))
print(tape.gradient(loss, net.trainable_variables)[0].shape)
