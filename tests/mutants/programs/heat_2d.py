"""The heat equation on a plate with fixed edges."""
import numpy as np

nx, ny = 12, 9
plate = np.zeros((ny, nx))
plate[0, :] = 100.0
plate[:, 0] = np.linspace(100, 0, ny)
history = []
for step in range(20):
    new = plate.copy()
    new[1:-1, 1:-1] = 0.25 * (plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2])
    change = np.abs(new - plate).max()
    history.append(change)
    plate = new
rows = plate.mean(axis=1)
columns = plate.mean(axis=0)
separable = np.outer(rows, columns) / plate.mean()
error = plate - separable
gy, gx = np.gradient(plate)
flux = np.stack((gx, gy))
print(error.shape, flux.shape, len(history))
