"""The last column, counted from one."""
import numpy as np

table = np.eye(4)
last = table[:, 4]  # raises IndexError
print(last)
