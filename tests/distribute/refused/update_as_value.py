"""refused: PT413 the update is kept under another name."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
update = getattr(optimizer, "apply_gradients")
for x in tf.data.Dataset.from_tensor_slices(tf.ones((64, 4))).batch(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    update(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
