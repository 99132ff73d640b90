"""A kernel longer than what pooling has left."""
from tensorflow.keras import Sequential, layers

model = Sequential()
model.add(layers.Input((24, 2)))
model.add(layers.Conv1D(8, 5, activation="relu"))
model.add(layers.MaxPooling1D(4))
model.add(layers.Conv1D(16, 5, activation="relu"))
model.add(layers.MaxPooling1D(4))  # instead: model.add(layers.MaxPooling1D(1))
model.add(layers.Flatten())
model.add(layers.Dense(3))
