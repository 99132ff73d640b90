"""A vector indexed as a matrix."""
import numpy as np

signal = np.linspace(0.0, 1.0, 50)
window = signal[10:20, 0]  # raises IndexError
print(window)
