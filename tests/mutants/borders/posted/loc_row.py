"""A row label that is not there."""
import pandas as pd

df = pd.DataFrame({"a": [1, 2, 3]})
print(df.loc[3])  # instead: print(df.loc[2])
