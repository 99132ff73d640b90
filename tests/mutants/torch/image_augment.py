"""Augmentations written on tensors."""
import torch
import torch.nn.functional as F


def random_crop(images, size, padding):
    padded = F.pad(images, (padding,) * 4)
    _, _, h, w = padded.shape
    top = int(torch.randint(0, h - size + 1, (1,)))
    left = int(torch.randint(0, w - size + 1, (1,)))
    return padded[:, :, top:top + size, left:left + size]


def normalise(images, mean, std):
    mean = torch.tensor(mean).view(1, 3, 1, 1)
    std = torch.tensor(std).view(1, 3, 1, 1)
    return (images - mean) / std


def mixup(x, y, alpha):
    lam = torch.distributions.Beta(alpha, alpha).sample()
    order = torch.randperm(x.size(0))
    return lam * x + (1 - lam) * x[order], lam * y + (1 - lam) * y[order]


images = torch.rand(6, 3, 16, 16)
labels = F.one_hot(torch.tensor([0, 1, 2, 0, 1, 2]), num_classes=3).float()
x = normalise(random_crop(images, 16, 2), [0.5, 0.4, 0.3], [0.2, 0.2, 0.2])
x, y = mixup(x, labels, 0.4)
small = F.interpolate(x, scale_factor=0.5, mode="bilinear", align_corners=False)
theta = torch.tensor([[1.0, 0.0, 0.1], [0.0, 1.0, 0.0]]).expand(6, 2, 3)
grid = F.affine_grid(theta, [6, 3, 8, 8], align_corners=False)
warped = F.grid_sample(small, grid, align_corners=False)
grey = (warped * torch.tensor([0.3, 0.59, 0.11]).view(3, 1, 1)).sum(dim=1, keepdim=True)
print(grey.shape, y.sum(dim=1))
