"""Distances between points of different dimension."""
import numpy as np
from scipy.spatial.distance import cdist

a = np.random.rand(5, 3)
b = np.random.rand(7, 2)  # instead: b = np.random.rand(7, 3)
print(cdist(a, b, "euclidean").shape)
