"""tqdm.notebook: the same bar."""

from . import tqdm, trange
