"""A mask by a condition of another length."""
import numpy as np

temperature = np.array([20.0, 21.5, -99.0, 19.0])
station = np.array([1, 2, 3])
print(np.ma.masked_where(station == 3, temperature).mean())  # instead: print(np.ma.masked_where(temperature == -99.0, temperature).mean())
