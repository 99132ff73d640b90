"""torch.utils: only data is modelled."""

from . import data
