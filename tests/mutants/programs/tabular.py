"""A table of measurements: cleaning, grouping, a pivot, and a joined report."""
import numpy as np


class Table:
    def __init__(self, names, columns):
        self.names = list(names)
        self.data = np.column_stack(columns)

    def __getitem__(self, name):
        return self.data[:, self.names.index(name)]

    def where(self, mask):
        return Table(self.names, self.data[mask].T)

    def with_column(self, name, values):
        return Table(self.names + [name], [*self.data.T, values])


stations = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2])
months = np.repeat(np.arange(4), 3)
readings = np.sin(np.arange(12.0)) + 3
table = Table(["station", "month", "reading"], [stations, months, readings])
table = table.with_column("scaled", (table["reading"] - table["reading"].mean()) / table["reading"].std())
pivot = np.zeros((3, 4))
for station, month, reading, _ in table.data:
    pivot[int(station), int(month)] = reading
by_station = np.array([table.where(table["station"] == s)["reading"].mean() for s in range(3)])
by_month = np.bincount(months, weights=readings, minlength=4) / np.bincount(months)
residual = pivot - by_station[:, None] - by_month[None, :] + pivot.mean()
report = np.hstack([by_station.reshape(-1, 1), residual])
ranked = report[np.argsort(report[:, 0])[::-1]]
changes = np.diff(pivot, axis=1)
summary = np.concatenate([changes.mean(axis=0), changes.std(axis=1)])
print(ranked.shape, summary.shape, table.data.shape)
