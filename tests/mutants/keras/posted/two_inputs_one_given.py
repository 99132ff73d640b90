"""A model with two inputs, fitted on one array."""
import numpy as np
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Concatenate, Dense

a = Input((5,))
b = Input((7,))
out = Dense(1)(Concatenate()([a, b]))
model = Model([a, b], out)
model.compile("adam", "mse")
X = np.random.rand(20, 12)
y = np.random.rand(20)
model.fit(X, y, epochs=1, verbose=0)
