"""A scaler fitted to all columns transforms some of them."""
import numpy as np
from sklearn.preprocessing import StandardScaler

data = np.random.rand(50, 6)
scaler = StandardScaler().fit(data)
part = scaler.transform(data[:, :4])  # instead: part = scaler.transform(data)[:, :4]
print(part.mean(axis=0))
