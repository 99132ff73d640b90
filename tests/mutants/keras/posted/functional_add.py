"""A residual connection between different channels."""
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((32, 32, 3))
x = layers.Conv2D(16, 3, padding="same", activation="relu")(inputs)
y = layers.Conv2D(32, 3, padding="same")(x)  # instead: y = layers.Conv2D(16, 3, padding="same")(x)
z = layers.Add()([x, y])
outputs = layers.Dense(10)(layers.GlobalMaxPooling2D()(z))
model = keras.Model(inputs, outputs)
