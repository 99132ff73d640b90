"""Standardising rows: the mean of each row lost its axis."""

import numpy as np


def standardise_columns(table):
    return (table - table.mean(axis=0)) / table.std(axis=0)


def standardise_rows(table):
    return (table - table.mean(axis=1)) / table.std(axis=1, keepdims=True)


measurements = np.random.default_rng(0).normal(size=(20, 4))
print(standardise_columns(measurements).shape)
print(standardise_rows(measurements).shape)
