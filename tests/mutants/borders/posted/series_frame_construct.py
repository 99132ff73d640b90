"""A frame from an array and names of other number."""
import numpy as np
import pandas as pd

scores = np.random.rand(10, 3)
df = pd.DataFrame(scores, columns=["mean", "std"])  # instead: df = pd.DataFrame(scores, columns=["mean", "std", "max"])
print(df.head())
