"""The Ising model on a chequerboard, measured at several temperatures."""
import numpy as np

rng = np.random.default_rng(77)
size = 8
temperatures = np.linspace(1.5, 3.5, 5)
y, x = np.indices((size, size))
black = (x + y) % 2 == 0
masks = [black, ~black]


def neighbours(spins):
    total = np.zeros(spins.shape)
    for axis in (0, 1):
        for shift in (-1, 1):
            total += np.roll(spins, shift, axis=axis)
    return total


def sweep(spins, beta):
    for mask in masks:
        change = 2 * spins * neighbours(spins)
        flips = mask & (rng.random((size, size)) < np.exp(-beta * change))
        spins = np.where(flips, -spins, spins)
    return spins


records = []
for temperature in temperatures:
    spins = rng.choice([-1, 1], size=(size, size))
    samples = []
    for _ in range(10):
        spins = sweep(spins, 1 / temperature)
        energy = -0.5 * (spins * neighbours(spins)).mean()
        samples.append([energy, abs(spins.mean())])
    samples = np.array(samples)
    records.append(samples.mean(axis=0))
records = np.array(records)
energies, magnetisation = records.T
capacity = np.gradient(energies, temperatures)
table = np.hstack([temperatures[:, None], records, capacity[:, None]])
fit = np.polyfit(temperatures, magnetisation, 2)
smooth = np.polyval(fit, temperatures)
residual = magnetisation - smooth
blocks = spins.reshape(4, 2, 4, 2).mean(axis=(1, 3))
print(table.shape, residual.shape, blocks.shape)
