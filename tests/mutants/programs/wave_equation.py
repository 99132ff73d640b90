"""A string with fixed ends by leapfrog steps."""
import numpy as np

points, steps = 50, 40
x = np.linspace(0.0, 1.0, points)
previous = np.exp(-100 * (x - 0.5) ** 2)
previous[[0, -1]] = 0
current = previous.copy()
c2 = 0.25
frames = np.zeros((steps, points))
for n in range(steps):
    following = np.zeros(points)
    following[1:-1] = 2 * current[1:-1] - previous[1:-1] + c2 * (current[2:] - 2 * current[1:-1] + current[:-2])
    previous, current = current, following
    frames[n] = current
velocity = np.diff(frames, axis=0)
slope = np.diff(frames, axis=1)
kinetic = (velocity ** 2).sum(axis=1)
potential = (slope[1:] ** 2).sum(axis=1)
energy = kinetic + c2 * potential
print(energy.shape, frames.shape)
