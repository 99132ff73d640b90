"""Grey images are stacked like colour images."""
import cv2
import numpy as np

frame = np.zeros((48, 64, 3), dtype=np.uint8)
gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
height, width, channels = gray.shape  # instead: height, width = gray.shape
print(height, width)
