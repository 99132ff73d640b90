"""`huggingface_hub`: what it exchanges with its server is not known; how it checks configurations is."""

from _pytrope import unknown

__version__ = unknown("the version of huggingface_hub")
