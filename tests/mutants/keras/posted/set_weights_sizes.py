"""Weights of another layer are set."""
import numpy as np
from tensorflow.keras import layers

layer = layers.Dense(4)
layer.build((None, 6))
layer.set_weights([np.zeros((4, 6)), np.zeros(4)])  # instead: layer.set_weights([np.zeros((6, 4)), np.zeros(4)])
print(len(layer.get_weights()))
