"""A field that a structured array does not have."""
import numpy as np

people = np.array([("Ann", 31, 1.7), ("Bob", 45, 1.8)], dtype=[("name", "U10"), ("age", "i4"), ("height", "f8")])
print(people["weight"].mean())  # instead: print(people["height"].mean())
