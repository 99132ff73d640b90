"""An ODE whose right-hand side returns another number of values."""
import numpy as np
from scipy.integrate import odeint


def pendulum(state, t, damping):
    angle, speed = state
    return [speed, -damping * speed - np.sin(angle)]


times = np.linspace(0, 10, 101)
path = odeint(pendulum, [0.1, 0.0, 0.0], times, args=(0.25,))  # instead: path = odeint(pendulum, [0.1, 0.0], times, args=(0.25,))
print(path.shape)
