"""A sum over an axis that is not there."""
import numpy as np


def row_totals(table):
    return table.sum(axis=2)  # raises AxisError


print(row_totals(np.ones((3, 4))))
