"""A matrix times a flat vector as a row."""
import numpy as np

a = np.asmatrix(np.eye(3))
b = np.array([1.0, 2.0, 3.0])
print(a * b)  # instead: print(a * b[:, None])
