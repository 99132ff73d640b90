"""Spectrograms from a short-time Fourier transform, then a classifier."""
import torch
from torch import nn

rate = 800
clips = torch.randn(4, rate)
window = torch.hann_window(64)
spectrum = torch.stft(clips, n_fft=64, hop_length=32, window=window, return_complex=True)
power = spectrum.abs().pow(2)
log_power = torch.log(power + 1e-6)
mean = log_power.mean(dim=(1, 2), keepdim=True)
std = log_power.std(dim=(1, 2), keepdim=True)
features = ((log_power - mean) / std).unsqueeze(1)


class Listener(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, (3, 3), stride=(2, 1))
        self.pool = nn.AdaptiveMaxPool2d((4, 2))
        self.fc = nn.Linear(4 * 4 * 2, 6)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv(x)))
        return self.fc(x.flatten(1))


print(features.shape, Listener()(features).shape)
