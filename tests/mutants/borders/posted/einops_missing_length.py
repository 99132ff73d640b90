"""A composed axis without a length."""
import numpy as np
from einops import rearrange

x = np.zeros((2, 12, 12, 3))
print(rearrange(x, "b (h p) (w q) c -> b (h w) (p q c)", p=4).shape)  # instead: print(rearrange(x, "b (h p) (w q) c -> b (h w) (p q c)", p=4, q=4).shape)
