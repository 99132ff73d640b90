"""Models of different sizes through one function, with callbacks and an optimizer from others."""
import pathlib

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

ROWS, BATCH = 160, 20
STEPS = ROWS // BATCH
x = np.random.rand(200, 4).astype("float32")
pairs = tf.data.Dataset.from_tensor_slices((x, (x.sum(axis=1) > 2).astype("float32")))
valid = pairs.take(40).cache().batch(BATCH)
train = pairs.skip(40).take(ROWS).cache().shuffle(ROWS).repeat().batch(BATCH)
schedule = tf.keras.optimizers.schedules.InverseTimeDecay(0.05, decay_steps=STEPS * 100, decay_rate=1)


def make_optimizer():
    return tf.keras.optimizers.Adam(schedule)


def make_callbacks(name):
    return [
        tf.keras.callbacks.EarlyStopping(monitor="val_loss", patience=50),
        tf.keras.callbacks.TensorBoard(pathlib.Path("logs") / name),
    ]


def compile_and_fit(model, name, optimizer=None, epochs=4):
    if optimizer is None:
        optimizer = make_optimizer()
    model.compile(optimizer=optimizer, loss=tf.keras.losses.BinaryCrossentropy(from_logits=True))
    return model.fit(
        train,
        steps_per_epoch=STEPS,
        epochs=epochs,
        validation_data=valid,
        callbacks=make_callbacks(name),
        verbose=0)


histories = {}
for name, units in (("small", 4), ("large", 16)):
    histories[name] = compile_and_fit(tf.keras.Sequential([layers.Dense(units, "elu"), layers.Dense(1)]), name)
for name, history in histories.items():
    print(name, history.history["loss"][-1])
