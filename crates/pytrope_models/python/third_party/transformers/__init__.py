"""`transformers`: the package imports its parts when they are asked for; with `--follow` their sources are read."""

from _pytrope import unknown

__version__ = unknown("the version of transformers")
