"""A metric of predictions and labels of other length."""
import numpy as np
from sklearn.metrics import accuracy_score

truth = np.array([0, 1, 1, 0, 1])
guess = np.array([0, 1, 0, 0])  # instead: guess = np.array([0, 1, 0, 0, 1])
print(accuracy_score(truth, guess))
