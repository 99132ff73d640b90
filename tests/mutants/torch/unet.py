"""A small U-Net with skip connections."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def double_conv(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, channels=1, classes=2):
        super().__init__()
        self.down1 = double_conv(channels, 8)
        self.down2 = double_conv(8, 16)
        self.bottom = double_conv(16, 32)
        self.up2 = nn.ConvTranspose2d(32, 16, 2, stride=2)
        self.dec2 = double_conv(32, 16)
        self.up1 = nn.ConvTranspose2d(16, 8, kernel_size=2, stride=2)
        self.dec1 = double_conv(16, 8)
        self.out = nn.Conv2d(8, classes, 1)

    def forward(self, x):
        d1 = self.down1(x)
        d2 = self.down2(F.max_pool2d(d1, 2))
        b = self.bottom(F.max_pool2d(d2, 2))
        u2 = self.dec2(torch.cat([self.up2(b), d2], dim=1))
        u1 = self.dec1(torch.cat([self.up1(u2), d1], dim=1))
        return self.out(u1)


def dice(scores, target):
    p = scores.softmax(dim=1)[:, 1]
    overlap = (p * target).sum(dim=(1, 2))
    return 1 - (2 * overlap + 1) / (p.sum(dim=(1, 2)) + target.sum(dim=(1, 2)) + 1)


net = UNet()
image = torch.randn(2, 1, 32, 32)
mask = (torch.rand(2, 32, 32) > 0.5).float()
scores = net(image)
loss = F.cross_entropy(scores, mask.long()) + dice(scores, mask).mean()
loss.backward()
print(loss.item())
