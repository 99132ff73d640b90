"""An epidemic model with several regions."""
import numpy as np

regions, days = 4, 60
population = np.array([1000.0, 800.0, 1200.0, 500.0])
contact = np.full((regions, regions), 0.02) + np.diag(np.full(regions, 0.2))
state = np.zeros((3, regions))
state[0] = population - 1
state[1] = 1
history = np.zeros((days, 3, regions))
for day in range(days):
    S, I, R = state
    force = contact @ (I / population)
    infected = force * S
    recovered = 0.1 * I
    state = np.stack([S - infected, I + infected - recovered, R + recovered])
    history[day] = state
total = history.sum(axis=2)
share = history / population
peak = share[:, 1].argmax(axis=0)
final = share[-1, 2]
assert np.allclose(state.sum(axis=0), population)
new_cases = -np.diff(history[:, 0], axis=0)
weekly = new_cases[:56].reshape(8, 7, regions).sum(axis=1)
print(total.shape, peak.shape, weekly.shape, final.max() <= 1)
