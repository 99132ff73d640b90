"""Labels lost a row before the split."""
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

rng = np.random.default_rng(0)
X = rng.normal(size=(100, 5))
y = (X[:, 0] > 0).astype(int)[1:]  # instead: y = (X[:, 0] > 0).astype(int)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=0)
print(LogisticRegression().fit(X_train, y_train).score(X_test, y_test))
