"""A genetic algorithm for matching a pattern of bits."""
import numpy as np

rng = np.random.default_rng(44)
size, length = 20, 16
target = rng.integers(0, 2, length)
population = rng.integers(0, 2, (size, length))
for generation in range(15):
    fitness = (population == target).sum(axis=1)
    order = np.argsort(fitness)[::-1]
    parents = population[order[:10]]
    mothers = parents[rng.integers(0, 10, size)]
    fathers = parents[rng.integers(0, 10, size)]
    cut = rng.integers(1, length, size=(size, 1))
    mask = np.arange(length)[None, :] < cut
    children = np.where(mask, mothers, fathers)
    flips = rng.random((size, length)) < 0.02
    population = np.where(flips, 1 - children, children)
    population[0] = parents[0]
diversity = population.std(axis=0)
elite = np.vstack((population[:3], target.reshape(1, -1)))
distance = (elite[:, None, :] != elite[None, :, :]).sum(axis=2)
print(diversity.shape, distance.shape, fitness.max() <= length)
