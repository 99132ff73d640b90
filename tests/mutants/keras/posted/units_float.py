import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Input((8,)),
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(3),
])
model.compile("adam", loss="categorical_crossentropy")
import numpy as np

x = np.random.rand(10, 8)
y = np.random.randint(0, 3, (10,))
model.fit(x, y, epochs=1, verbose=0)  # instead: model.fit(x, np.eye(3)[y], epochs=1, verbose=0)
