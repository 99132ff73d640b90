"""A transformer encoder block."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def encoder(inputs, head_size, num_heads, ff_dim, dropout=0.0):
    x = layers.LayerNormalization(epsilon=1e-6)(inputs)
    x = layers.MultiHeadAttention(key_dim=head_size, num_heads=num_heads, dropout=dropout)(x, x)
    x = layers.Dropout(dropout)(x)
    res = x + inputs
    x = layers.LayerNormalization(epsilon=1e-6)(res)
    x = layers.Conv1D(filters=ff_dim, kernel_size=1, activation="relu")(x)
    x = layers.Conv1D(filters=inputs.shape[-1], kernel_size=1)(x)
    return x + res


inputs = keras.Input(shape=(20, 6))
x = inputs
for _ in range(2):
    x = encoder(x, 8, 2, 4, 0.1)
x = layers.GlobalAveragePooling1D(data_format="channels_last")(x)
x = layers.Dense(8, activation="relu")(x)
outputs = layers.Dense(3, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
model.fit(np.random.rand(10, 20, 6), np.random.randint(0, 3, 10), epochs=1, verbose=0)
