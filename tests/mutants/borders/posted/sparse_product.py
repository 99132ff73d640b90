"""A sparse matrix times a vector of another length."""
import numpy as np
from scipy import sparse

m = sparse.random(10, 8, density=0.2, format="csr")
v = np.ones(10)  # instead: v = np.ones(8)
print(m @ v)
