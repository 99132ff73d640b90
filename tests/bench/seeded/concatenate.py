"""Features joined along the wrong axis."""
import numpy as np

ages = np.ones((100, 1))
pixels = np.ones((100, 64))
table = np.concatenate([ages, pixels], axis=0)  # raises ValueError
print(table.shape)
