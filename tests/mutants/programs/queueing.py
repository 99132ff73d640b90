"""Waiting times of customers at several counters."""
import numpy as np

rng = np.random.default_rng(47)
customers, counters = 60, 3
arrivals = np.cumsum(rng.exponential(1.0, size=customers))
service = rng.exponential(2.0, size=customers)
free = np.zeros(counters)
start = np.zeros(customers)
served = np.zeros(customers, dtype=int)
for i in range(customers):
    counter = int(free.argmin())
    start[i] = max(arrivals[i], free[counter])
    free[counter] = start[i] + service[i]
    served[i] = counter
waiting = start - arrivals
leaving = start + service
loads = np.array([service[served == c].sum() for c in range(counters)])
grid = np.linspace(0, leaving.max(), 25)
inside = (arrivals[None, :] <= grid[:, None]) & (leaving[None, :] > grid[:, None])
occupancy = inside.sum(axis=1)
quantiles = np.quantile(waiting, [0.25, 0.5, 0.75])
table = np.stack((arrivals, start, leaving), axis=1)
print(table.shape, occupancy.shape, quantiles.shape, loads.shape)
