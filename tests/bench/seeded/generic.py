"""Wrong for every size: one column more than the weights have."""
import numpy as np


def predict(x):
    n, d = x.shape
    design = np.hstack([np.ones((n, 1)), x])
    weights = np.zeros(d)
    return design @ weights  # raises ValueError


print(predict(np.ones((10, 3))))
