"""A scaler transforms before it is fitted."""
import numpy as np
from sklearn.preprocessing import MinMaxScaler

scaler = MinMaxScaler()
test = scaler.transform(np.random.rand(5, 2))  # instead: test = scaler.fit_transform(np.random.rand(5, 2))
print(test.max())
