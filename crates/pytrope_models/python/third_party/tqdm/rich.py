"""tqdm.rich: the same bar."""

from . import tqdm, trange
