"""One sample as a vector."""
import numpy as np
from sklearn.ensemble import RandomForestClassifier

X = np.random.rand(40, 3)
y = np.arange(40) % 2
model = RandomForestClassifier(n_estimators=5).fit(X, y)
print(model.predict(X[0]))  # instead: print(model.predict(X[:1]))
