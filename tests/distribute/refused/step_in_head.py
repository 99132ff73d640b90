"""refused: PT413"""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
xs, ys = tf.ones((8, 2)), tf.ones((8, 1))


def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for x, y in tf.data.Dataset.from_tensor_slices((xs, ys)).batch(2):
    if step(x, y) > 0.5:
        print("large")
