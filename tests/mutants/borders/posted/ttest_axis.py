"""Filtering along an axis that is not there."""
import numpy as np
from scipy.signal import savgol_filter

print(savgol_filter(np.random.rand(4, 50), 5, 2, axis=2).shape)  # instead: print(savgol_filter(np.random.rand(4, 50), 5, 2, axis=1).shape)
