"""Prints while it is imported, before anything else runs."""
rate = 0.05
print("rate", rate)
