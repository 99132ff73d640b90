"""Pytrope's Python side: shape hints for analysed code and the choreography runtime."""

__version__ = "0.1.0"
