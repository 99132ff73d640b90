"""A batch of bilinear forms with the sizes mixed up."""
import numpy as np

left = np.ones((5, 3))
form = np.ones((4, 3))
right = np.ones((5, 4))
scores = np.einsum("bi,ij,bj->b", left, form, right)  # raises ValueError
print(scores)
