"""Integer labels with categorical_crossentropy."""
import numpy as np
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential

x = np.random.rand(40, 6)
y = np.random.randint(0, 5, size=40)
model = Sequential()
model.add(Dense(12, input_dim=6, activation="relu"))
model.add(Dense(5, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x, y, epochs=1, verbose=0)
