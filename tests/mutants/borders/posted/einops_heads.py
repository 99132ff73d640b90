"""einops: heads that do not divide the width."""
import numpy as np
from einops import rearrange

x = np.zeros((2, 10, 50))
q = rearrange(x, "b n (h d) -> b h n d", h=8)  # instead: q = rearrange(x, "b n (h d) -> b h n d", h=5)
print(q.shape)
