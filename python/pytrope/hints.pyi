# Type checkers see an array of any shape: sizes are Pytrope's job.
from typing import Any

NdArray: Any
TensorType: Any
Dyn: Any
