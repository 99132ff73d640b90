"""The power of a matrix that is not square."""
import numpy as np

a = np.matrix("1 2 3; 4 5 6")
print(a ** 2)  # instead: print((a * a.T) ** 2)
