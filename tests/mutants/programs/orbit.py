"""Orbits with a symplectic integrator, and their invariants."""
import numpy as np

masses = np.array([1.0, 1e-3, 1e-4])
positions = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.5, 0.1]])
velocities = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.8, 0.0, 0.0]])


def acceleration(x):
    separation = x[None, :, :] - x[:, None, :]
    distance = np.sqrt((separation ** 2).sum(axis=-1) + 1e-6)
    strength = masses[None, :] / distance ** 3
    np.fill_diagonal(strength, 0)
    return np.einsum("ij,ijk->ik", strength, separation)


def step(x, v, dt):
    v = v + 0.5 * dt * acceleration(x)
    x = x + dt * v
    v = v + 0.5 * dt * acceleration(x)
    return x, v


def invariants(x, v):
    kinetic = 0.5 * (masses * (v ** 2).sum(axis=1)).sum()
    spin = np.cross(x, masses[:, None] * v).sum(axis=0)
    return kinetic, spin


x, v = positions, velocities
track = np.empty((20, 3, 3))
energies, spins = [], []
for i in range(20):
    x, v = step(x, v, 0.01)
    track[i] = x
    kinetic, spin = invariants(x, v)
    energies.append(kinetic)
    spins.append(spin)
spins = np.array(spins)
drift = np.linalg.norm(spins - spins[0], axis=1)
radii = np.linalg.norm(track - track[:, :1], axis=2)
planet = track[:, 1, :2]
angles = np.unwrap(np.arctan2(planet[:, 1], planet[:, 0]))
speed = np.gradient(angles, 0.01)
fit = np.polyfit(np.arange(20), angles, 1)
print(drift.shape, radii.shape, speed.shape, fit.shape)
