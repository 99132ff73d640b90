"""A decision stump found by trying every threshold."""
import numpy as np

rng = np.random.default_rng(41)
X = rng.normal(size=(30, 4))
y = np.where(X[:, 2] > 0.3, 1, -1)
weights = np.ones(30) / 30
best = (np.inf, 0, 0.0, 1)
for feature in range(X.shape[1]):
    values = np.sort(X[:, feature])
    thresholds = (values[:-1] + values[1:]) / 2
    votes = np.where(X[:, feature][:, None] > thresholds[None, :], 1, -1)
    wrong = votes != y[:, None]
    errors = weights @ wrong
    place = int(np.argmin(errors))
    if errors[place] < best[0]:
        best = (errors[place], feature, thresholds[place], 1)
error, feature, threshold, sign = best
predicted = sign * np.where(X[:, feature] > threshold, 1, -1)
alpha = 0.5 * np.log((1 - error + 1e-9) / (error + 1e-9))
weights = weights * np.exp(-alpha * y * predicted)
weights /= weights.sum()
print(weights.shape, (predicted == y).mean() > 0.5)
