"""More clusters than points."""
import numpy as np
from sklearn.cluster import KMeans

points = np.random.rand(4, 2)
print(KMeans(n_clusters=6, n_init=1).fit(points).labels_)  # instead: print(KMeans(n_clusters=2, n_init=1).fit(points).labels_)
