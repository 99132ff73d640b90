"""A field is filled with values of another length."""
import numpy as np

table = np.zeros(4, dtype=np.dtype([("id", "i8"), ("pos", "f4", (3,))]))
table["pos"] = np.ones((4, 2))  # instead: table["pos"] = np.ones((4, 3))
print(table["pos"].shape)
