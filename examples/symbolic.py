"""Nobody calls this function here, yet its product cannot work for any argument."""

import numpy as np


def predict(x, hidden):
    x = np.asarray(x)
    rows, columns = x.shape
    weights = np.zeros((columns + 1, hidden))
    return x @ weights
