"""Two-dimensional convolution by loops over the output."""
import numpy as np


def conv2d(image, kernel, padding=0):
    if padding:
        image = np.pad(image, padding)
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            window = image[i:i + kh, j:j + kw]
            out[i, j] = np.sum(window * kernel)
    return out


image = np.arange(36, dtype=float).reshape(6, 6)
blur = np.ones((3, 3)) / 9
edge = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
smooth = conv2d(image, blur)
same = conv2d(image, blur, padding=1)
gx = conv2d(image, edge)
gy = conv2d(image, edge.T)
magnitude = np.sqrt(gx ** 2 + gy ** 2)
residue = image - same
stack = np.stack([smooth, gx, gy, magnitude], axis=-1)
print(stack.shape, residue.shape)
