"""Standardising columns with statistics of rows."""
import numpy as np

data = np.arange(60.0).reshape(12, 5)
mean = data.mean(axis=1)
spread = data.std(axis=0)
scaled = (data - mean) / spread  # raises ValueError
print(scaled)
