"""Sparse matrices of two shapes are added."""
from scipy import sparse

print((sparse.eye(4, format="csr") + sparse.eye(5, format="csr")).shape)  # instead: print((sparse.eye(4, format="csr") + sparse.eye(4, format="csr")).shape)
