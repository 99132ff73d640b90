"""Bits and boards: a sudoku's candidates as a boolean cube, and masks that eliminate them."""
import numpy as np

puzzle = np.zeros((9, 9), dtype=int)
puzzle[0] = [5, 3, 0, 0, 7, 0, 0, 0, 0]
puzzle[1] = [6, 0, 0, 1, 9, 5, 0, 0, 0]
puzzle[2] = [0, 9, 8, 0, 0, 0, 0, 6, 0]
puzzle[4, [0, 3, 5, 8]] = [4, 8, 3, 1]
digits = np.arange(1, 10)
given = puzzle[:, :, None] == digits
candidates = np.ones((9, 9, 9), dtype=bool)
candidates[puzzle > 0] = given[puzzle > 0]
rows = given.any(axis=1)
columns = given.any(axis=0)
boxes = given.reshape(3, 3, 3, 3, 9).any(axis=(1, 3))
taken = rows[:, None, :] | columns[None, :, :] | np.repeat(np.repeat(boxes, 3, axis=0), 3, axis=1)
empty = puzzle == 0
candidates[empty] &= ~taken[empty]
counts = candidates.sum(axis=2)
single = (counts == 1) & empty
places = np.argwhere(single)
values = digits[candidates[single].argmax(axis=1)]
filled = puzzle.copy()
filled[single] = values
order = np.argsort(counts[empty])
hardest = np.unravel_index(np.argmax(np.where(empty, counts, 0)), counts.shape)
weights = candidates / candidates.sum(axis=2, keepdims=True)
entropy = -(weights * np.log(np.where(weights > 0, weights, 1))).sum(axis=-1)
by_box = entropy.reshape(3, 3, 3, 3).transpose(0, 2, 1, 3).reshape(9, 9).mean(axis=1)
print(places.shape[1], len(hardest), order[:3], by_box.shape)
