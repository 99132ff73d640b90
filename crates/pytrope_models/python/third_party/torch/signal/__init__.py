"""torch.signal: its windows."""

from . import windows
