"""A damped oscillator by the classical Runge-Kutta method."""
import numpy as np

A = np.array([[0.0, 1.0], [-4.0, -0.2]])


def f(t, y):
    return A @ y + np.array([0.0, np.sin(t)])


def rk4(f, y, t, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


h, steps = 0.05, 60
times = np.arange(steps) * h
y = np.array([1.0, 0.0])
solution = np.zeros((steps, 2))
for i, t in enumerate(times):
    solution[i] = y
    y = rk4(f, y, t, h)
energy = 0.5 * solution[:, 1] ** 2 + 2 * solution[:, 0] ** 2
phase = np.c_[times, solution]
print(phase.shape, energy[0] > 0)
