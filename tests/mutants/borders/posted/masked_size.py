"""A mask that is shorter than the data."""
import numpy as np

print(np.ma.array([1, 2, 3, 4], mask=[True, False]).sum())  # instead: print(np.ma.array([1, 2, 3, 4], mask=[True, False, False, True]).sum())
