"""Data with another number of columns than input_dim says."""
import numpy as np
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

data = np.random.rand(100, 9)
X = data[:, 0:8]
Y = data[:, 8]
model = Sequential()
model.add(Dense(12, input_dim=9, activation="relu"))
model.add(Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="adam")
model.fit(X, Y, epochs=1, verbose=0)
