"""Checks on magic squares and sudoku blocks."""
import numpy as np

square = np.array([[2, 7, 6], [9, 5, 1], [4, 3, 8]])
rows = square.sum(axis=1)
columns = square.sum(axis=0)
diagonals = np.array([np.trace(square), np.trace(np.fliplr(square))])
sums = np.concatenate([rows, columns, diagonals])
assert (sums == 15).all()
base = np.arange(9)
grid = (base[None, :] + 3 * base[:, None] + base[:, None] // 3) % 9 + 1
blocks = grid.reshape(3, 3, 3, 3).transpose(0, 2, 1, 3).reshape(9, 9)
good = [sorted(block) == list(range(1, 10)) for block in blocks.tolist()]
counts = np.zeros((9, 9), dtype=int)
for i in range(9):
    counts[i] = np.bincount(grid[i] - 1, minlength=9)
shifted = np.roll(grid, 3, axis=1)
same = (grid == shifted).sum()
print(all(good), counts.shape, same)
