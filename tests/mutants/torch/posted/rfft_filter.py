"""A filter in the frequency domain that forgets that rfft keeps half of the spectrum."""
import torch

signal = torch.randn(6, 256)
spectrum = torch.fft.rfft(signal, dim=-1)
response = torch.linspace(1.0, 0.0, 256)  # instead: response = torch.linspace(1.0, 0.0, 129)
filtered = torch.fft.irfft(spectrum * response, n=256, dim=-1)
print(filtered.shape)
