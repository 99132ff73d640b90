"""Frames of two sizes are averaged."""
import cv2
import numpy as np

a = np.zeros((60, 80, 3), dtype=np.uint8)
b = cv2.resize(np.zeros((30, 40, 3), dtype=np.uint8), (60, 80))  # instead: b = cv2.resize(np.zeros((30, 40, 3), dtype=np.uint8), (80, 60))
print(((a.astype(float) + b) / 2).shape)
