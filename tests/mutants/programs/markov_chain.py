"""Stationary distribution of a small chain in three ways."""
import numpy as np

P = np.array([[0.9, 0.075, 0.025], [0.15, 0.8, 0.05], [0.25, 0.25, 0.5]])
assert np.allclose(P.sum(axis=1), 1)
state = np.array([1.0, 0.0, 0.0])
for step in range(100):
    state = state @ P
values, vectors = np.linalg.eig(P.T)
leading = np.argmax(values.real)
stationary = vectors[:, leading].real
stationary = stationary / stationary.sum()
A = np.vstack([P.T - np.eye(3), np.ones((1, 3))])
b = np.array([0.0, 0.0, 0.0, 1.0])
solved, *_ = np.linalg.lstsq(A, b, rcond=None)
powers = np.linalg.matrix_power(P, 50)
spread = powers - stationary
print(np.abs(spread).max() < 0.1, np.abs(solved - state).max() < 0.1)
