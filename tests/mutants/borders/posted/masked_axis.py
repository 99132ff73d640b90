"""A mean along an axis that a masked array lacks."""
import numpy as np

data = np.ma.masked_invalid(np.ones((4, 5)))
print(data.mean(axis=2))  # instead: print(data.mean(axis=1))
