"""Keras 2 and 3, as far as both agree on shapes. A name that is not here is Unknown.

The subpackages (`layers`, `models`, `losses`, `utils`) are found, and read, when a program first names them.
"""

from .layers import Input, Layer
from .models import Model, Sequential
