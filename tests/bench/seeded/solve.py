"""A system that is not square."""
import numpy as np

design = np.ones((6, 4))
target = np.ones(6)
coefficients = np.linalg.solve(design, target)  # raises LinAlgError
print(coefficients)
