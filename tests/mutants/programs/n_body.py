"""Gravity between bodies, with all pairs at once."""
import numpy as np


def acceleration(position, mass):
    offset = position[None, :, :] - position[:, None, :]
    distance2 = (offset ** 2).sum(axis=2) + 0.01
    strength = mass[None, :] / distance2 ** 1.5
    return (strength[:, :, None] * offset).sum(axis=1)


rng = np.random.default_rng(23)
bodies = 5
mass = rng.random(bodies) + 0.5
position = rng.normal(size=(bodies, 3))
velocity = np.zeros((bodies, 3))
dt = 0.01
track = np.zeros((20, bodies, 3))
for step in range(20):
    a = acceleration(position, mass)
    velocity += a * dt
    position += velocity * dt
    track[step] = position
momentum = (mass[:, None] * velocity).sum(axis=0)
centre = mass @ position / mass.sum()
kinetic = 0.5 * (mass * (velocity ** 2).sum(axis=1)).sum()
print(track.shape, momentum.shape, centre.shape, kinetic > 0)
