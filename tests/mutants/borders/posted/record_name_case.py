"""A field whose name is written with a capital."""
import numpy as np

stars = np.zeros(10, dtype=[("ra", "f8"), ("dec", "f8"), ("mag", "f4")])
bright = stars[stars["Mag"] < 5]  # instead: bright = stars[stars["mag"] < 5]
print(len(bright))
