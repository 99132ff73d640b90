"""A functional model with two named inputs."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(38)
left = rng.normal(size=(150, 3)).astype("float32")
right = rng.normal(size=(150, 2)).astype("float32")
target = left.sum(axis=1, keepdims=True) - right.sum(axis=1, keepdims=True)

a = tf.keras.Input((3,), name="a")
b = tf.keras.Input((2,), name="b")
joined = tf.keras.layers.Concatenate()([a, b])
out = tf.keras.layers.Dense(1)(tf.keras.layers.Dense(8, activation="relu")(joined))
model = tf.keras.Model(inputs=[a, b], outputs=out)
model.compile(loss="mse", optimizer="sgd")
model.fit([left, right], target, batch_size=15, epochs=5)
predictions = model.predict([left[:4], right[:4]])
print(predictions.ravel())
