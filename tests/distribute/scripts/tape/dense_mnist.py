"""A dense network on digits, trained by a gradient tape."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x_train = rng.random((512, 28, 28)).astype("float32")
y_train = (x_train.mean(axis=(1, 2)) > 0.5).astype("int64")

train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(512).batch(32)

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(10),
])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.001)  # a usual start

for epoch in range(4):
    for step, (images, labels) in enumerate(train_ds):
        with tf.GradientTape() as tape:
            logits = model(images, training=True)
            loss = loss_fn(labels, logits)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    # One line per epoch.
    print("epoch", epoch, "loss", float(loss))

model.save_weights("dense.weights.h5")
print("done")
