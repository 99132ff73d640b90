"""A channel gate of the wrong width."""
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((16, 16, 32))
gate = layers.GlobalAveragePooling2D()(inputs)
gate = layers.Dense(8, activation="relu")(gate)
gate = layers.Dense(16, activation="sigmoid")(gate)  # instead: gate = layers.Dense(32, activation="sigmoid")(gate)
gate = layers.Reshape((1, 1, 16))(gate)  # instead: gate = layers.Reshape((1, 1, 32))(gate)
outputs = layers.Multiply()([inputs, gate])
model = keras.Model(inputs, outputs)
