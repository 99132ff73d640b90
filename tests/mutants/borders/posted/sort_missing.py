"""Sorting by a column that has another name."""
import pandas as pd

scores = pd.DataFrame({"name": ["x", "y"], "score": [2, 1]})
print(scores.sort_values("Score"))  # instead: print(scores.sort_values("score"))
