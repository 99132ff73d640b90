"""After a merge, a shared column has a suffix."""
import pandas as pd

left = pd.DataFrame({"id": [1, 2], "price": [3.0, 4.0]})
right = pd.DataFrame({"id": [1, 2], "price": [5.0, 6.0]})
both = left.merge(right, on="id")
print(both["price"].mean())  # instead: print(both["price_x"].mean())
