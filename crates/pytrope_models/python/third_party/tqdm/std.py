"""tqdm.std: the same bar."""

from . import tqdm, trange
