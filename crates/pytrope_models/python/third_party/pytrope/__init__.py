"""The runtime package of Pytrope itself."""
