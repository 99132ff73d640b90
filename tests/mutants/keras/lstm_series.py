"""Forecasting a series with an LSTM."""
import numpy as np
from tensorflow.keras.layers import LSTM, Dense
from tensorflow.keras.models import Sequential

series = np.sin(np.linspace(0, 20, 210))
window = 10
X = np.array([series[i:i + window] for i in range(200)])
y = series[window:window + 200]
X = X.reshape((200, window, 1))

model = Sequential()
model.add(LSTM(12, return_sequences=True, input_shape=(window, 1)))
model.add(LSTM(6))
model.add(Dense(1))
model.compile(loss="mean_squared_error", optimizer="adam")
model.fit(X, y, epochs=1, batch_size=50, verbose=0)
last = X[-1].reshape(1, window, 1)
print(model.predict(last, verbose=0)[0, 0])
