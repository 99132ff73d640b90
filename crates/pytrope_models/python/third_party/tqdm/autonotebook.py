"""tqdm.autonotebook: the same bar."""

from . import tqdm, trange
