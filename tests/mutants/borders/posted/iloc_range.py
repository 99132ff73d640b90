"""A position beyond the columns."""
import pandas as pd

df = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]})
print(df.iloc[:, 2])  # instead: print(df.iloc[:, 1])
