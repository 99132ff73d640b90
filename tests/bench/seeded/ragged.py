"""A table with a value missing."""
import numpy as np

rows = [[1, 2, 3], [4, 5], [6, 7, 8]]
table = np.array(rows)  # raises ValueError
print(table.mean())
