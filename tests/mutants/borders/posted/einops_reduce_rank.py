"""A pattern for images on a batch of vectors."""
import numpy as np
from einops import reduce

print(reduce(np.zeros((4, 16)), "b h w c -> b c", "mean").shape)  # instead: print(reduce(np.zeros((4, 16)), "b c -> c", "mean").shape)
