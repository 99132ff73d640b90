"""A record array from tuples with a missing value."""
import numpy as np

kind = np.dtype([("id", "i4"), ("x", "f8"), ("y", "f8")])
print(np.array([(1, 0.5), (2, 0.7)], dtype=kind))  # instead: print(np.array([(1, 0.5, 0.1), (2, 0.7, 0.2)], dtype=kind))
