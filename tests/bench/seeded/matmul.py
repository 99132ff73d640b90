"""A layer applied to a batch: the weights are transposed."""
import numpy as np

rng = np.random.default_rng(0)
batch = rng.normal(size=(32, 784))
weights = rng.normal(size=(10, 784))
bias = np.zeros(10)
logits = batch @ weights + bias  # raises ValueError
print(logits.argmax(axis=1))
