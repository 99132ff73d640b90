import numpy as np


def load_data(n):
    x = np.random.normal(size=(n, 6))
    y = (x.sum(axis=1) > 0).astype("int64")
    cut = n * 3 // 4
    print("loaded", n, "samples")
    return (x[:cut], y[:cut]), (x[cut:], y[cut:])
