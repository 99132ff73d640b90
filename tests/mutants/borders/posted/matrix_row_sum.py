"""Row sums of a matrix stay a column."""
import numpy as np

m = np.matrix(np.ones((3, 4)))
weights = m.sum(axis=1)
print(weights * m)  # instead: print(weights.T * m)
