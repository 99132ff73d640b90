"""A particle filter that follows a robot among landmarks."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Filter:
    particles: np.ndarray
    weights: np.ndarray

    def predict(self, velocity, noise):
        self.particles = self.particles + velocity + noise

    def update(self, measured, landmarks, scale=0.5):
        offsets = self.particles[:, None, :] - landmarks[None, :, :]
        expected = np.linalg.norm(offsets, axis=-1)
        error = ((expected - measured) ** 2).sum(axis=1)
        self.weights = self.weights * np.exp(-error / (2 * scale ** 2))
        self.weights /= self.weights.sum()

    def resample(self, rng):
        cumulative = np.cumsum(self.weights)
        cumulative[-1] = 1.0
        count = len(self.weights)
        places = (np.arange(count) + rng.random()) / count
        chosen = np.searchsorted(cumulative, places)
        self.particles = self.particles[chosen]
        self.weights = np.full(count, 1 / count)

    def estimate(self):
        mean = np.average(self.particles, axis=0, weights=self.weights)
        centred = self.particles - mean
        covariance = (self.weights[:, None] * centred).T @ centred
        return mean, covariance


rng = np.random.default_rng(5)
landmarks = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0], [5.0, 5.0]])
count = 100
tracker = Filter(rng.uniform(0, 5, size=(count, 2)), np.ones(count) / count)
truth = np.array([1.0, 1.0])
velocity = np.array([0.1, 0.2])
history, spreads = [], []
for step in range(12):
    truth = truth + velocity
    measured = np.linalg.norm(landmarks - truth, axis=1) + rng.normal(scale=0.1, size=len(landmarks))
    tracker.predict(velocity, rng.normal(scale=0.05, size=(count, 2)))
    tracker.update(measured, landmarks)
    mean, covariance = tracker.estimate()
    history.append(mean)
    spreads.append(np.sqrt(np.linalg.eigvalsh(covariance + 1e-9 * np.eye(2))))
    tracker.resample(rng)
history = np.stack(history)
spreads = np.vstack(spreads)
path = np.array([1.0, 1.0]) + velocity * np.arange(1, 13)[:, None]
error = np.linalg.norm(history - path, axis=1)
summary = np.column_stack((history, spreads, error))
print(summary.shape)
