"""Matrices multiply with `*`."""
import numpy as np

a = np.matrix([[1, 2, 3], [4, 5, 6]])
b = np.matrix([[1, 0, 2], [0, 1, 1]])
print(a * b)  # instead: print(a * b.T)
