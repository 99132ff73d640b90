"""Windows of a series as properties of an object that makes training, validation and test data alike."""
import numpy as np
import tensorflow as tf

series = np.stack([np.sin(np.arange(300) / 5), np.cos(np.arange(300) / 7)], axis=1).astype(np.float32)


class Windows:
    def __init__(self, width, train, valid):
        self.width, self.train_rows, self.valid_rows = width, train, valid

    def split(self, rows):
        return rows[:, :-1], rows[:, 1:]

    def make(self, rows):
        dataset = tf.keras.utils.timeseries_dataset_from_array(
            data=rows, targets=None, sequence_length=self.width + 1, shuffle=True, batch_size=16)
        return dataset.map(self.split)

    @property
    def train(self):
        return self.make(self.train_rows)

    @property
    def valid(self):
        return self.make(self.valid_rows)


def fit(model, windows, epochs=3):
    stopping = tf.keras.callbacks.EarlyStopping(monitor="val_loss", patience=5, verbose=1)
    model.compile(loss="mse", optimizer=tf.keras.optimizers.Adam(0.01))
    return model.fit(windows.train, epochs=epochs, validation_data=windows.valid, callbacks=[stopping])


windows = Windows(12, series[:220], series[220:])
model = tf.keras.Sequential([tf.keras.layers.GRU(8, return_sequences=True), tf.keras.layers.Dense(2)])
history = fit(model, windows)
print(history.history["val_loss"])
