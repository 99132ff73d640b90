"""Bilinear interpolation of a sequence."""
import torch
import torch.nn.functional as F

signal = torch.randn(1, 3, 50)
print(F.interpolate(signal, size=100, mode="bilinear").shape)  # instead: print(F.interpolate(signal, size=100, mode="linear").shape)
