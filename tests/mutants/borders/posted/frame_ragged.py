"""A frame of lists of two lengths."""
import pandas as pd

print(pd.DataFrame({"day": ["Mo", "Tu", "We"], "sales": [5, 7]}))  # instead: print(pd.DataFrame({"day": ["Mo", "Tu", "We"], "sales": [5, 7, 6]}))
