"""A model is used before it is fitted."""
import numpy as np
from sklearn.linear_model import Ridge

model = Ridge(alpha=0.5)
X, y = np.random.rand(20, 3), np.random.rand(20)
print(model.predict(X))  # instead: print(model.fit(X, y).predict(X))
