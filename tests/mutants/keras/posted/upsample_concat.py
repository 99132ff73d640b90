"""A decoder that joins feature maps of odd size."""
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((30, 30, 1))  # instead: inputs = keras.Input((32, 32, 1))
down1 = layers.Conv2D(8, 3, padding="same")(inputs)
pool1 = layers.MaxPooling2D(2)(down1)
down2 = layers.Conv2D(16, 3, padding="same")(pool1)
pool2 = layers.MaxPooling2D(2)(down2)
up = layers.UpSampling2D(2)(pool2)
merged = layers.Concatenate()([up, down2])
model = keras.Model(inputs, layers.Conv2D(1, 1)(merged))
