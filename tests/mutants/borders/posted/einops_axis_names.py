"""einops: an axis on one side only."""
import numpy as np
from einops import rearrange, reduce

images = np.zeros((4, 32, 32, 3))
pooled = reduce(images, "b (h s) (w s) c -> b h w c", "max", s=2)  # instead: pooled = reduce(images, "b (h s) (w t) c -> b h w c", "max", s=2, t=2)
print(rearrange(pooled, "b h w c -> b c h w").shape)
