"""tqdm.auto: the same bar."""

from . import tqdm, trange
