"""Inputs in a dictionary that a comprehension makes, in a list with a name, and a pipeline over a dictionary."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
columns = {name: random.rand(101, 1).astype("float32") for name in ("a", "b", "c")}
labels = sum(columns.values())


def network(names):
    inputs = {name: tf.keras.Input(shape=(1,), name=name) for name in names}
    out = tf.keras.layers.Dense(1)(tf.keras.layers.Concatenate()(list(inputs.values())))
    model = tf.keras.Model(inputs, out)
    model.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")
    return model


features = {name: np.array(value) for name, value in columns.items()}
model = network(columns)
model.fit(x=features, y=labels, batch_size=10, epochs=3)

pair = [columns["a"], columns["b"]]
ins = [tf.keras.Input(shape=(1,)), tf.keras.Input(shape=(1,))]
second = tf.keras.Model(ins, tf.keras.layers.Dense(1)(tf.keras.layers.Concatenate()(ins)))
second.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")
second.fit(pair, labels, batch_size=10, epochs=3)

third = network(columns)
third.fit(tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(101).batch(10), epochs=3)
print("done", float(third.evaluate(features, labels)) >= 0)
