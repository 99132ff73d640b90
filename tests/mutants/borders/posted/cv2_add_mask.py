"""A mask of the colour image's full shape is combined with a grey image."""
import cv2
import numpy as np

gray = np.zeros((40, 50), dtype=np.uint8)
mask = np.zeros((40, 50, 3), dtype=np.uint8)  # instead: mask = np.zeros((40, 50), dtype=np.uint8)
blend = gray * 0.5 + mask * 0.5
print(blend.shape)
