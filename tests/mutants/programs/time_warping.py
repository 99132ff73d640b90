"""Dynamic time warping of two melodies, and their distance table."""
import numpy as np


def cost_table(a, b):
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))


def accumulate(cost):
    rows, columns = cost.shape
    total = np.full((rows + 1, columns + 1), np.inf)
    total[0, 0] = 0
    for i in range(rows):
        for j in range(columns):
            total[i + 1, j + 1] = cost[i, j] + min(total[i, j + 1], total[i + 1, j], total[i, j])
    return total[1:, 1:]


def path(total):
    i, j = total.shape[0] - 1, total.shape[1] - 1
    steps = [(i, j)]
    while i > 0 and j > 0:
        choices = np.array([total[i - 1, j - 1], total[i - 1, j], total[i, j - 1]])
        best = choices.argmin()
        if best != 2:
            i -= 1
        if best != 1:
            j -= 1
        steps.append((i, j))
    return np.array(steps[::-1])


time = np.linspace(0, 1, 12)
first = np.column_stack([np.sin(6 * time), np.cos(6 * time)])
second = np.stack([np.sin(6 * time[:9] ** 1.1), np.cos(6 * time[:9])], axis=1)
cost = cost_table(first, second)
total = accumulate(cost)
route = path(total)
aligned = np.concatenate([first, np.zeros((12, 1))], axis=1)
aligned[:9, 2] = second[:, 0]
melodies = [first, second, first[::2]]
distances = np.zeros((3, 3))
for i, left in enumerate(melodies):
    for j, right in enumerate(melodies):
        distances[i, j] = accumulate(cost_table(left, right))[-1, -1]
print(route.shape[1], distances.shape, np.allclose(distances, distances.T))
