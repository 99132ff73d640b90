"""An LSTM is given a table instead of sequences."""
import numpy as np
from tensorflow.keras.layers import LSTM, Dense, Input
from tensorflow.keras.models import Sequential

series = np.sin(np.linspace(0, 20, 200))
windows = np.array([series[i : i + 10] for i in range(150)])
targets = series[10:160]
model = Sequential([Input((10,)), LSTM(16), Dense(1)])  # instead: model = Sequential([Input((10, 1)), LSTM(16), Dense(1)])
model.compile(loss="mse", optimizer="adam")
model.fit(windows[..., None], targets, epochs=1, verbose=0)
