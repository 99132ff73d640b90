"""A size that became a float."""
import numpy as np

samples = 100
train = np.zeros((samples * 0.8, 4))  # raises TypeError
print(train)
