"""A tagger with per-word outputs and sample weights."""
import numpy as np
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import LSTM, Bidirectional, Dense, Embedding, SpatialDropout1D, TimeDistributed

words, tags, max_len = 60, 9, 14
inp = Input(shape=(max_len,))
h = Embedding(input_dim=words, output_dim=10)(inp)
h = SpatialDropout1D(0.1)(h)
h = Bidirectional(LSTM(units=12, return_sequences=True))(h)
out = TimeDistributed(Dense(tags, activation="softmax"))(h)
model = Model(inp, out)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
X = np.random.randint(0, words, size=(10, max_len))
y = np.random.randint(0, tags, size=(10, max_len))
model.fit(X, y, batch_size=5, epochs=1, verbose=0)
best = np.argmax(model.predict(X, verbose=0), axis=-1)
print((best == y).mean() >= 0, best.shape)
