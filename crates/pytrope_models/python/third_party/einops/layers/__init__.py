"""einops.layers: one module for each framework."""
