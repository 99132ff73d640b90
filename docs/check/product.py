import numpy as np

features = np.random.rand(100, 3)
targets = np.random.rand(100)


def predict(x, weights):
    return x @ weights


weights = np.zeros((4, 1))
error = predict(features, weights) - targets
