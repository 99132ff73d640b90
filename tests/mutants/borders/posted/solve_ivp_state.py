"""An equation of two parts started with three."""
import numpy as np
from scipy.integrate import solve_ivp


def lotka(t, z):
    x, y = z
    return [x - x * y, x * y - y]


print(solve_ivp(lotka, (0, 5), [1.0, 0.5, 0.2]).t.shape)  # instead: print(solve_ivp(lotka, (0, 5), [1.0, 0.5]).t.shape)
