"""Fields of a structured array do not make columns."""
import numpy as np

points = np.ones(6, dtype=[("x", "f8"), ("y", "f8")])
print(points[:, 1].sum())  # instead: print(points["y"].sum())
