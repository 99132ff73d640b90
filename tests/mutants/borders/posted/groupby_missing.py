"""A group key that the frame does not have."""
import pandas as pd

df = pd.DataFrame({"city": ["A", "B", "A"], "temp": [20, 25, 22]})
print(df.groupby("town")["temp"].mean())  # instead: print(df.groupby("city")["temp"].mean())
