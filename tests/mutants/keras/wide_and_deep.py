"""Two paths over the same columns."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

rows, columns = 50, 9
data = np.random.rand(rows, columns).astype("float32")
target = data.sum(axis=1)
wide_in = keras.layers.Input(shape=(5,), name="wide")
deep_in = keras.layers.Input(shape=(6,), name="deep")
h = keras.layers.Dense(12, activation="relu")(deep_in)
h = keras.layers.Dense(8, activation="relu")(h)
merged = keras.layers.concatenate([wide_in, h])
main = keras.layers.Dense(1, name="main")(merged)
aux = keras.layers.Dense(1, name="aux")(h)
model = keras.Model(inputs=[wide_in, deep_in], outputs=[main, aux])
model.compile(loss=["mse", "mse"], loss_weights=[0.9, 0.1], optimizer="sgd")
model.fit((data[:, :5], data[:, 3:]), (target, target), epochs=1, verbose=0)
first, second = model.predict((data[:3, :5], data[:3, 3:]), verbose=0)
print(first.shape, second.shape, tf.reduce_mean(first - second).numpy())
