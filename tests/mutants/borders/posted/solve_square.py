"""A least-squares problem given to solve."""
import numpy as np
from scipy import linalg

a = np.random.rand(6, 3)
b = np.random.rand(6)
print(linalg.solve(a, b))  # instead: print(linalg.lstsq(a, b)[0])
