"""`transformers`: the package imports its parts when they are asked for; with `--follow` they are read from their sources."""

from _pytrope import unknown

__version__ = unknown("the version of transformers")
