"""Frames are merged on a key that one lacks."""
import pandas as pd

users = pd.DataFrame({"id": [1, 2], "name": ["x", "y"]})
orders = pd.DataFrame({"user_id": [1, 1], "amount": [5, 7]})
print(users.merge(orders, on="id"))  # instead: print(users.merge(orders, left_on="id", right_on="user_id"))
