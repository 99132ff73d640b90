"""cv2.resize takes width first."""
import cv2
import numpy as np

frame = np.zeros((48, 64, 3), dtype=np.uint8)
small = cv2.resize(frame, (24, 32))  # instead: small = cv2.resize(frame, (32, 24))
board = np.zeros((24, 64, 3), dtype=np.uint8)
board[:, :32] = small
print(board.shape)
