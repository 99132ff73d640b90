"""Pillow, as far as images become arrays. A name that is not here is Unknown."""

from . import Image
