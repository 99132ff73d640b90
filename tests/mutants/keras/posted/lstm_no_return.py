"""Stacked LSTMs without return_sequences."""
from tensorflow.keras.layers import LSTM, Dense, Dropout
from tensorflow.keras.models import Sequential

model = Sequential()
model.add(LSTM(50, input_shape=(60, 1)))
model.add(Dropout(0.2))
model.add(LSTM(50))
model.add(Dense(1))
