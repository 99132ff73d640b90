"""A matrix stays two-dimensional."""
import numpy as np

m = np.matrix(np.ones((3, 4)))
row = m[0]
print(row[2])  # instead: print(row[0, 2])
