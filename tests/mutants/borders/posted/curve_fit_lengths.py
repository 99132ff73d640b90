"""A fit of points of two lengths."""
import numpy as np
from scipy.optimize import curve_fit

x = np.linspace(0, 1, 20)
y = 2 * x + 1
popt, pcov = curve_fit(lambda x, a, b: a * x + b, x, y[:-1])  # instead: popt, pcov = curve_fit(lambda x, a, b: a * x + b, x, y)
print(popt)
