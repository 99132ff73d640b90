"""A structured array is one-dimensional."""
import numpy as np

points = np.zeros(5, dtype=[("x", float), ("y", float)])
points["x"] = np.arange(5)
print(points[:, 0])  # instead: print(points["x"])
