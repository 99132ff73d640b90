"""Stands in for scikit-learn where it is not installed: folds of indices."""

import numpy as np


class KFold:
    def __init__(self, n_splits=5, shuffle=False, random_state=None):
        self.n_splits, self.shuffle, self.random_state = n_splits, shuffle, random_state

    def split(self, samples):
        indices = np.arange(len(samples))
        if self.shuffle:
            # Without a seed the numbers are those of `np.random`.
            state = np.random.mtrand._rand if self.random_state is None else np.random.RandomState(self.random_state)
            state.shuffle(indices)
        for part in np.array_split(indices, self.n_splits):
            yield np.setdiff1d(indices, part), part
