"""A Normalization layer adapted to other columns."""
import numpy as np
from tensorflow.keras import layers

norm = layers.Normalization(axis=-1)
norm.adapt(np.random.rand(50, 4))
print(norm(np.random.rand(5, 3)).shape)  # instead: print(norm(np.random.rand(5, 4)).shape)
