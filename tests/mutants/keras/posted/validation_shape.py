"""Validation data that were not reshaped."""
import numpy as np
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

x_train = np.random.rand(64, 28, 28).reshape(64, 784)
x_val = np.random.rand(16, 28, 28)
y_train = np.eye(10)[np.random.randint(0, 10, 64)]
y_val = np.eye(10)[np.random.randint(0, 10, 16)]
model = Sequential([Dense(32, activation="relu", input_shape=(784,)), Dense(10, activation="softmax")])
model.compile(loss="categorical_crossentropy", optimizer="adam")
model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=1, verbose=0)
