"""Frames of a video through one network each."""
import numpy as np
from tensorflow.keras import layers, models

model = models.Sequential()
model.add(layers.TimeDistributed(layers.Conv2D(4, (3, 3), activation="relu"), input_shape=(5, 16, 16, 3)))
model.add(layers.TimeDistributed(layers.MaxPooling2D((2, 2))))
model.add(layers.TimeDistributed(layers.Flatten()))
model.add(layers.LSTM(8))
model.add(layers.Dense(2, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam")
video = np.random.rand(4, 5, 16, 16, 3)
answers = np.eye(2)[[0, 1, 1, 0]]
model.fit(video, answers, epochs=1, verbose=0)
