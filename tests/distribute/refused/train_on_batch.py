"""refused: PT404 one model is fitted, another trained batch by batch."""
import numpy as np
import tensorflow as tf

x = np.random.rand(128, 4).astype("float32")
y = x.sum(1, keepdims=True)
a = tf.keras.Sequential([tf.keras.layers.Dense(1)])
a.compile(optimizer="rmsprop", loss="mse")
a.fit(x, y, epochs=2)
b = tf.keras.Sequential([tf.keras.layers.Dense(1)])
b.compile(optimizer="rmsprop", loss="mse")
for i in range(0, 128, 16):
    b.train_on_batch(x[i:i + 16], y[i:i + 16])
