from .seed import set_seed
from .trainer import Trainer

__all__ = ["Trainer", "set_seed"]
