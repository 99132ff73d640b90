"""Sentiment of word sequences by a recurrent network; the optimizer is a string."""
from tensorflow.keras.layers import LSTM, Dense, Embedding
from tensorflow.keras.models import Sequential
import numpy as np

VOCABULARY = 50


def load():
    rng = np.random.default_rng(31)
    words = rng.integers(1, VOCABULARY, size=(240, 12))
    mood = (words.mean(axis=1) > VOCABULARY / 2).astype("float32")
    return words, mood


def build():
    model = Sequential()
    model.add(Embedding(VOCABULARY, 16))
    model.add(LSTM(8))
    model.add(Dense(1, activation="sigmoid"))
    model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


if __name__ == "__main__":
    X, y = load()
    model = build()
    model.fit(X, y, batch_size=16, epochs=6, validation_split=0.2, verbose=2)
