"""Values of a frame are multiplied by weights of another length."""
import numpy as np
import pandas as pd

frame = pd.DataFrame({"x": [1.0, 2.0], "y": [0.5, 0.1], "z": [3.0, 1.0], "label": [0, 1]})
weights = np.array([0.2, 0.3])  # instead: weights = np.array([0.2, 0.3, 0.5])
print(frame.drop(columns="label").to_numpy() @ weights)
