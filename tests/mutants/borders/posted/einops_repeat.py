"""einops: a repeated token with another batch."""
import numpy as np
from einops import pack, repeat

tokens = np.zeros((4, 9, 16))
cls = repeat(np.zeros((1, 16)), "n d -> b n d", b=3)  # instead: cls = repeat(np.zeros((1, 16)), "n d -> b n d", b=4)
packed, shapes = pack([cls, tokens], "b * d")
print(packed.shape)
