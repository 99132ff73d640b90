"""A repeated tf.data pipeline with a fixed number of steps."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(35)
xs = rng.normal(size=(256, 5)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)


def scale(x, y):
    return x * 0.5, y


def pipeline(x, y, training):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = ds.map(scale)
    if training:
        ds = ds.shuffle(256).repeat()
    return ds.batch(16).prefetch(tf.data.AUTOTUNE)


train_ds = pipeline(xs[:224], ys[:224], True)
val_ds = pipeline(xs[224:], ys[224:], False)

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
schedule = tf.keras.optimizers.schedules.CosineDecay(0.02, decay_steps=60)
model.compile(tf.keras.optimizers.Adam(schedule), loss="mse")
model.fit(train_ds, steps_per_epoch=14, epochs=4, validation_data=val_ds)
