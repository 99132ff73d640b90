"""Traffic on a ring road: cars that follow each other, densities, and flow between districts."""
import numpy as np

rng = np.random.default_rng(29)
cars, road, steps = 20, 200.0, 150
position = np.sort(rng.uniform(0, road, cars))
speed = np.full(cars, 5.0)
history = np.empty((steps, cars, 2))
for t in range(steps):
    gap = (np.roll(position, -1) - position) % road
    lead = np.roll(speed, -1)
    desired = 2.0 + speed * 1.2 + speed * (speed - lead) / 4
    acceleration = 1.0 * (1 - (speed / 10) ** 4 - (desired / np.maximum(gap, 0.5)) ** 2)
    speed = np.clip(speed + 0.2 * acceleration, 0, None)
    position = (position + 0.2 * speed) % road
    history[t] = np.stack([position, speed], axis=1)
bins = np.linspace(0, road, 11)
density = np.array([np.histogram(history[t, :, 0], bins=bins)[0] for t in range(steps)])
mean_speed = history[:, :, 1].mean(axis=1)
flow = density.mean(axis=1) * mean_speed
slow = (history[..., 1] < 1.0).sum(axis=1)
districts = rng.random((4, 2)) * 10
population = np.array([100, 50, 80, 20])
jobs = np.array([60.0, 90.0, 40.0, 60.0])
separation = np.linalg.norm(districts[:, None] - districts[None, :], axis=-1)
friction = np.exp(-separation / 3)
trips = np.outer(population, jobs) * friction
for _ in range(10):
    trips *= (population / trips.sum(axis=1))[:, None]
    trips *= jobs / trips.sum(axis=0) * population.sum() / jobs.sum()
mean_trip = (trips * separation).sum() / trips.sum()
busiest = np.unravel_index(trips.argmax(), trips.shape)
lagged = np.correlate(flow - flow.mean(), flow - flow.mean(), mode="full")[steps - 1 :]
print(density.shape, slow.shape, lagged.shape, busiest, mean_trip)
