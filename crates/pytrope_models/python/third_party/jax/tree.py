"""jax.tree."""

from _pytrope import unknown

from .tree_util import tree_map

map = tree_map


def __getattr__(name):
    return unknown(name)
