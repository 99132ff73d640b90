"""One function shuffles and batches, for training and for validation."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(1)
x = random.rand(256, 2).astype("float32")
table = {"inputs": x, "target": x.sum(1, keepdims=True)}
train = {name: rows[:200] for name, rows in table.items()}
val = {name: rows[200:] for name, rows in table.items()}


def to_dataset(rows, shuffle=True, batch_size=8):
    rows = dict(rows)
    labels = rows.pop("target")
    ds = tf.data.Dataset.from_tensor_slices((rows["inputs"], labels))
    if shuffle:
        ds = ds.shuffle(buffer_size=len(labels))
    ds = ds.batch(batch_size)
    return ds


train_ds = to_dataset(train)
val_ds = to_dataset(val, shuffle=False)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")
model.fit(train_ds, validation_data=val_ds, epochs=4)
