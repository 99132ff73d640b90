"""A confusion matrix of vectors of two lengths."""
import numpy as np
from sklearn.metrics import confusion_matrix

print(confusion_matrix(np.zeros(10, dtype=int), np.zeros(9, dtype=int)))  # instead: print(confusion_matrix(np.zeros(10, dtype=int), np.zeros(10, dtype=int)))
