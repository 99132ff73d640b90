"""Queries of another dimension."""
import numpy as np
from sklearn.neighbors import KNeighborsClassifier

model = KNeighborsClassifier(n_neighbors=3).fit(np.random.rand(30, 4), np.arange(30) % 3)
print(model.predict(np.random.rand(2, 5)))  # instead: print(model.predict(np.random.rand(2, 4)))
