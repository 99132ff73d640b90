# Type checkers see an array of any shape: sizes are Pytrope's job.
from typing import Annotated as Bool
from typing import Annotated as Float
from typing import Annotated as Int
from typing import Annotated as Shaped
from typing import Any

__all__ = ["Bool", "Dyn", "Float", "Int", "NdArray", "Shaped", "TensorType"]

NdArray: Any
TensorType: Any
Dyn: Any
