"""A tiny data frame on NumPy: columns, group by, join, describe, string output; then analysis of a data set."""
import csv
import io
from collections.abc import Mapping

import numpy as np

CSV = """city,country,population,area
Berlin,DE,3.6,891
Hamburg,DE,1.8,755
Paris,FR,2.1,105
Lyon,FR,0.5,48
Rome,IT,2.8,1285
Oslo,NO,0.7,
"""


class Frame(Mapping):
    def __init__(self, columns):
        self._columns = {}
        length = None
        for name, values in columns.items():
            array = np.asarray(values)
            if array.ndim != 1:
                raise ValueError(f"column {name} has {array.ndim} dimensions")
            if length is not None and len(array) != length:
                raise ValueError(f"column {name} has {len(array)} values, not {length}")
            length = len(array)
            self._columns[name] = array
        self.length = length or 0

    @classmethod
    def read_csv(cls, file):
        rows = list(csv.reader(file))
        header, body = rows[0], rows[1:]
        columns = {}
        for name, cells in zip(header, zip(*body)):
            try:
                columns[name] = np.array([float(c) if c else np.nan for c in cells])
            except ValueError:
                columns[name] = np.array(cells)
        return cls(columns)

    def __getitem__(self, key):
        if isinstance(key, str):
            return self._columns[key]
        if isinstance(key, list) and all(isinstance(k, str) for k in key):
            return Frame({k: self._columns[k] for k in key})
        return Frame({k: v[key] for k, v in self._columns.items()})

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    @property
    def shape(self):
        return self.length, len(self)

    def assign(self, **new):
        computed = {k: (v(self) if callable(v) else v) for k, v in new.items()}
        return Frame({**self._columns, **computed})

    def sort(self, by, descending=False):
        order = np.argsort(self[by], kind="stable")
        return self[order[::-1] if descending else order]

    def dropna(self):
        keep = np.ones(self.length, dtype=bool)
        for column in self.values():
            if np.issubdtype(column.dtype, np.floating):
                keep &= ~np.isnan(column)
        return self[keep]

    def groupby(self, by):
        keys, inverse = np.unique(self[by], return_inverse=True)
        for i, key in enumerate(keys):
            yield str(key), self[inverse == i]

    def aggregate(self, by, **how):
        out = {by: [], **{name: [] for name in how}}
        for key, group in self.groupby(by):
            out[by].append(key)
            for name, (column, f) in how.items():
                out[name].append(f(group[column]))
        return Frame(out)

    def join(self, other, on):
        index = {k: i for i, k in enumerate(other[on].tolist())}
        pairs = [(i, index[k]) for i, k in enumerate(self[on].tolist()) if k in index]
        left, right = (list(side) for side in zip(*pairs)) if pairs else ([], [])
        columns = {k: v[left] for k, v in self.items()}
        columns.update({k: v[right] for k, v in other.items() if k != on})
        return Frame(columns)

    def numeric(self):
        names = [k for k, v in self.items() if v.dtype.kind in "fi"]
        return names, np.column_stack([self[k] for k in names])

    def describe(self):
        names, matrix = self.numeric()
        stats = {
            "mean": np.nanmean(matrix, axis=0),
            "std": np.nanstd(matrix, axis=0, ddof=1),
            "min": np.nanmin(matrix, axis=0),
            "max": np.nanmax(matrix, axis=0),
        }
        return Frame({"stat": list(stats), **{n: [s[i] for s in stats.values()] for i, n in enumerate(names)}})

    def __str__(self):
        def cell(v):
            return f"{v:.2f}" if isinstance(v, (float, np.floating)) else str(v)

        rows = [list(self)] + [[cell(self[c][i]) for c in self] for i in range(self.length)]
        widths = [max(len(r[j]) for r in rows) for j in range(len(self))]
        return "\n".join("  ".join(c.rjust(w) for c, w in zip(r, widths)) for r in rows)


cities = Frame.read_csv(io.StringIO(CSV))
print(cities.shape, list(cities), "area" in cities)
clean = cities.dropna().assign(density=lambda f: 1e6 * f["population"] / f["area"], source="census".split() * 5)
print(clean.sort("density", descending=True)[:3])
by_country = clean.aggregate("country", people=("population", np.sum), cities=("city", len), biggest=("area", max))
print(by_country)
codes = Frame({"country": ["DE", "FR", "XX"], "name": ["Germany", "France", "Nowhere"]})
joined = by_country.join(codes, on="country")
print(joined["name"].tolist(), joined[["country", "people"]].shape)
print(clean[clean["population"] > 2]["city"], clean.describe())
names, matrix = clean.numeric()
z = (matrix - matrix.mean(0)) / matrix.std(0)
corr = z.T @ z / len(z)
print(names, corr.shape, np.allclose(np.diag(corr), 1))
for bad in ({"a": [1, 2], "b": [1]}, {"a": [[1]]}):
    try:
        Frame(bad)
    except ValueError as e:
        print("refused:", e)
try:
    clean["missing"]
except KeyError as e:
    print("no column", e)
print(clean.get("nothing") is None, len(list(clean.items())))
