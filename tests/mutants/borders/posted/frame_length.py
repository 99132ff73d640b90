"""A column of another length is added."""
import numpy as np
import pandas as pd

frame = pd.DataFrame({"a": range(5), "b": list("abcde")})
frame["c"] = np.arange(4)  # instead: frame["c"] = np.arange(5)
print(frame.shape)
