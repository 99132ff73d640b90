"""A guided tour of NumPy, as a tutorial page would give it."""
import numpy as np

# --- making arrays -------------------------------------------------------
a = np.array([1, 2, 3, 4, 5, 6])
print(a.ndim, a.shape, a.size, a.dtype)
m = a.reshape(2, 3)
print(m)
print(m[0], m[:, 1], m[-1, -1])

z = np.zeros((2, 3))
o = np.ones_like(z)
e = np.eye(3)
f = np.full((2, 2), np.pi)
r = np.arange(0, 1, 0.25)
lin = np.linspace(0, 1, num=5)
print(z + o, e.trace(), f.sum(), r, lin)

# --- joining and splitting -----------------------------------------------
left = np.array([[1, 2], [3, 4]])
right = np.array([[5, 6], [7, 8]])
print(np.vstack((left, right)))
print(np.hstack((left, right)))
print(np.concatenate([left, right], axis=0).shape)
big = np.arange(1, 25).reshape(2, 12)
for part in np.hsplit(big, 3):
    print(part.shape)
first, second = np.split(big, 2)
print(first.shape, second.squeeze().shape)
x, y, rest = np.split(np.arange(10), [2, 5])
print(x, y, rest)

# --- new axes ------------------------------------------------------------
row = a[np.newaxis, :]
col = a[:, np.newaxis]
print(row.shape, col.shape, (row * col).shape)
assert np.expand_dims(a, axis=1).shape == (6, 1)

# --- selection -----------------------------------------------------------
b = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
print(b[b < 5])
five_up = b >= 5
print(b[five_up], b[(b > 2) & (b < 11)])
rows, cols = np.nonzero(b < 5)
for i, j in zip(rows, cols):
    print(i, j, b[i, j])
print(b[[0, 2], [1, 3]], b[np.ix_([0, 2], [1, 3])].shape)

# --- arithmetic and broadcasting ------------------------------------------
data = np.array([1.0, 2.0])
print(data * 1.6, data + np.ones(2, dtype=int))
prices = np.array([[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]])
discount = np.array([0.9, 0.8, 0.5])
print(prices * discount)
print(prices - prices.mean(axis=1, keepdims=True))
print(prices.max(axis=0).shape, prices.min(), prices.sum(axis=1))

# --- reversing, flattening, uniqueness -------------------------------------
print(np.flip(b, axis=0)[0], b[::-1, ::-1][0, 0])
flat = b.flatten()
flat[0] = 99
alias = b.ravel()
alias[0] = 98
print(b[0, 0], flat[0])
values, index, counts = np.unique(
    np.array([11, 11, 12, 13, 14, 15, 16, 17, 12, 13]), return_index=True, return_counts=True
)
print(values.shape, index[:3], counts.max())

# --- a formula --------------------------------------------------------------
predictions = np.ones(3)
labels = np.arange(1, 4)
error = (1 / 3) * np.sum(np.square(predictions - labels))
print(f"mean squared error: {error:.3f}")

# --- transposing, sorting -----------------------------------------------------
cube = np.arange(24).reshape(2, 3, 4)
print(cube.T.shape, cube.transpose(1, 0, 2).shape, np.swapaxes(cube, 0, 2).shape)
order = np.argsort(-prices[:, 0])
print(prices[order])
print(np.lexsort((prices[:, 1], prices[:, 0])))
print(np.where(prices > 25, prices, 0).astype(int).tolist())
