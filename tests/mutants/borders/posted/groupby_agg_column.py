"""A column of the groups that was dropped."""
import pandas as pd

df = pd.DataFrame({"team": ["a", "b", "a"], "points": [1, 2, 3], "fouls": [0, 1, 2]})
df = df.drop(columns=["fouls"])
print(df.groupby("team")["fouls"].sum())  # instead: print(df.groupby("team")["points"].sum())
