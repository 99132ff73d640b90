"""Conway's game of life on a torus and on a board with a border."""
import numpy as np


def torus(board):
    neighbours = sum(
        np.roll(np.roll(board, dy, axis=0), dx, axis=1)
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
        if (dy, dx) != (0, 0)
    )
    return ((neighbours == 3) | ((board == 1) & (neighbours == 2))).astype(int)


def bordered(board):
    padded = np.pad(board, 1)
    n = (
        padded[:-2, :-2] + padded[:-2, 1:-1] + padded[:-2, 2:]
        + padded[1:-1, :-2] + padded[1:-1, 2:]
        + padded[2:, :-2] + padded[2:, 1:-1] + padded[2:, 2:]
    )
    return ((n == 3) | ((board == 1) & (n == 2))).astype(int)


board = np.zeros((8, 10), dtype=int)
glider = np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]])
board[1:4, 2:5] = glider
first = torus(board)
second = bordered(board)
difference = first - second
print(first.sum(), second.shape, difference.any())
