"""A single image given to predict without a batch axis."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    keras.Input(shape=(32, 32, 3)),
    layers.Conv2D(8, 3),
    layers.GlobalAveragePooling2D(),
    layers.Dense(2),
])
image = np.random.rand(32, 32, 3)
print(model.predict(image))
