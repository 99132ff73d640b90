"""Masked arrays that do not broadcast."""
import numpy as np

a = np.ma.masked_where(np.arange(6) > 3, np.arange(6))
b = np.ma.array([1, 2, 3, 4, 5], mask=[0, 0, 1, 0, 0])  # instead: b = np.ma.array([1, 2, 3, 4, 5, 6], mask=[0, 0, 1, 0, 0, 0])
print((a + b).filled(-1))
