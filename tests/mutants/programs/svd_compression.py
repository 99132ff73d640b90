"""Low-rank approximation of a matrix."""
import numpy as np

rows, columns, rank = 20, 15, 4
y, x = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
image = np.sin(x / 3) * np.cos(y / 4) + 0.1 * (x + y)
U, s, Vt = np.linalg.svd(image)
small = U[:, :rank] @ np.diag(s[:rank]) @ Vt[:rank, :]
other = (U[:, :rank] * s[:rank]) @ Vt[:rank]
S = np.zeros((rows, columns))
S[:columns, :columns] = np.diag(s)
exact = U @ S @ Vt
error = np.linalg.norm(image - small) / np.linalg.norm(image)
energy = np.cumsum(s ** 2) / np.sum(s ** 2)
needed = np.searchsorted(energy, 0.99) + 1
inverse = Vt.T[:, :rank] @ np.diag(1 / s[:rank]) @ U[:, :rank].T
print(np.allclose(small, other), np.allclose(exact, image), inverse.shape, needed >= 1, error < 1)
