"""One-dimensional convolutions on a signal."""
import numpy as np
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Conv1D, Dense, Flatten, MaxPooling1D

signals = np.random.randn(30, 120)
kinds = np.random.randint(0, 5, 30)
signals = np.expand_dims(signals, axis=-1)
train, test = signals[:24], signals[24:]
train_y, test_y = kinds[:24], kinds[24:]
model = Sequential()
model.add(Conv1D(filters=8, kernel_size=5, activation="relu", input_shape=(train.shape[1], 1)))
model.add(MaxPooling1D(pool_size=4))
model.add(Conv1D(8, 3, activation="relu"))
model.add(Flatten())
model.add(Dense(5, activation="softmax"))
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, train_y, validation_data=(test, test_y), epochs=1, verbose=0)
model.evaluate(test, test_y, verbose=0)
