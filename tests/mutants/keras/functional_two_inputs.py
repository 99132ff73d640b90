"""Two inputs, joined."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

age = keras.Input(shape=(4,), name="age")
text = keras.Input(shape=(10,), name="text")
a = layers.Dense(8, activation="relu")(age)
t = layers.Dense(8, activation="relu")(text)
merged = layers.concatenate([a, t])
hidden = layers.Dense(6, activation="relu")(merged)
out = layers.Dense(1, activation="sigmoid")(hidden)
model = keras.Model(inputs=[age, text], outputs=out)
model.compile(optimizer="adam", loss="binary_crossentropy")
ages = np.random.rand(12, 4)
texts = np.random.rand(12, 10)
target = np.random.randint(0, 2, size=(12, 1))
model.fit([ages, texts], target, epochs=1, verbose=0)
print(model.predict([ages, texts], verbose=0).shape)
