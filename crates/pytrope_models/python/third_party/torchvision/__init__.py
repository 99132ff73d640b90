"""torchvision: data sets and transforms by their documented sizes; its models are read from source (`--follow`)."""

import torch
from _pytrope import unknown

from . import datasets, transforms, utils

__version__ = unknown("the version of torchvision")
