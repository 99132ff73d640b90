import numpy as np

counts = np.ones((5, 3))
shares = counts / counts.sum(axis=1)
similarity = counts @ counts
