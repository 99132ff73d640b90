"""More components than features."""
import numpy as np
from sklearn.decomposition import PCA

X = np.random.rand(30, 4)
print(PCA(n_components=6).fit_transform(X).shape)  # instead: print(PCA(n_components=3).fit_transform(X).shape)
