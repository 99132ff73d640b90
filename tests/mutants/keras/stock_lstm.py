"""Windows of a series for a stacked LSTM."""
import numpy as np
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import LSTM, Dense, Dropout

series = np.sin(np.linspace(0, 30, 200))
window = 20


def make_windows(values, size):
    xs, ys = [], []
    for start in range(len(values) - size):
        xs.append(values[start:start + size])
        ys.append(values[start + size])
    return np.array(xs), np.array(ys)


X, y = make_windows(series, window)
X = X.reshape((X.shape[0], X.shape[1], 1))
split = 150
model = Sequential()
model.add(LSTM(16, return_sequences=True, input_shape=(window, 1)))
model.add(Dropout(0.2))
model.add(LSTM(8))
model.add(Dense(1))
model.compile(loss="mean_squared_error", optimizer="adam")
model.fit(X[:split], y[:split], epochs=1, batch_size=32, verbose=0)
predicted = model.predict(X[split:], verbose=0)
print(predicted.shape, float(np.mean((predicted[:, 0] - y[split:]) ** 2)))
