"""A row written into a column."""
import numpy as np

board = np.zeros((8, 6))
board[:, 0] = np.arange(6)  # raises ValueError
print(board)
