"""k-means with a missing axis in the distances."""
import numpy as np

points = np.random.rand(200, 3)
centres = points[:5]
for _ in range(10):
    distances = ((points - centres) ** 2).sum(axis=-1)  # raises ValueError
    nearest = distances.argmin(axis=1)
    centres = np.array([points[nearest == k].mean(axis=0) for k in range(5)])
