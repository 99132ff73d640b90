"""Callbacks that save, log, decide on metrics and set the rate."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.callbacks import EarlyStopping, ModelCheckpoint, ReduceLROnPlateau

rng = np.random.default_rng(34)
xs = rng.normal(size=(200, 5)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
val_x, val_y = xs[160:], ys[160:]
train_x, train_y = xs[:160], ys[:160]

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=0.01), loss="mse", metrics=["mae"])

checkpoint = ModelCheckpoint("best.weights.h5", monitor="val_loss", save_best_only=True, save_weights_only=True)


def rate(epoch):
    return 0.01 if epoch < 3 else 0.005


callbacks = [
    checkpoint,
    EarlyStopping(monitor="val_loss", patience=2),
    ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=1),
    tf.keras.callbacks.TensorBoard(log_dir="tb"),
    tf.keras.callbacks.LearningRateScheduler(rate),
]
model.fit(train_x, train_y, batch_size=16, epochs=5, validation_data=(val_x, val_y), callbacks=callbacks)
print("evaluated:", model.evaluate(val_x, val_y, verbose=0))
