"""A vector of features given to Conv1D without a channel axis."""
import numpy as np
from tensorflow.keras.layers import Conv1D, Dense, Flatten
from tensorflow.keras.models import Sequential

X_train = np.random.rand(60, 13)
y_train = np.random.randint(0, 2, 60)
model = Sequential()
model.add(Conv1D(16, 3, activation="relu", input_shape=(13,)))
model.add(Flatten())
model.add(Dense(1, activation="sigmoid"))
