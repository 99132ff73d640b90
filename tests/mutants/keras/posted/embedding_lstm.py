"""An LSTM after Flatten."""
from tensorflow.keras.layers import LSTM, Dense, Embedding, Flatten
from tensorflow.keras.models import Sequential

model = Sequential([
    Embedding(1000, 32, input_shape=(100,)),
    Flatten(),
    LSTM(16),
    Dense(1, activation="sigmoid"),
])
