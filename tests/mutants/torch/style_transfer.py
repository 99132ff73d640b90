"""Gram matrices and an image that is optimised."""
import torch
from torch import nn
import torch.nn.functional as F

extractor = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2), nn.Conv2d(8, 12, 3, padding=1))
for p in extractor.parameters():
    p.requires_grad_(False)


def gram(x):
    b, c, h, w = x.size()
    features = x.view(b * c, h * w)
    return features @ features.t() / (b * c * h * w)


content = torch.rand(1, 3, 16, 16)
style = torch.rand(1, 3, 16, 16)
target_gram = gram(extractor(style)).detach()
target_content = extractor(content).detach()
image = content.clone().requires_grad_(True)
optimizer = torch.optim.LBFGS([image], max_iter=2)


def closure():
    optimizer.zero_grad()
    features = extractor(image)
    loss = F.mse_loss(features, target_content) + 100 * F.mse_loss(gram(features), target_gram)
    loss.backward()
    return loss


optimizer.step(closure)
print(image.detach().clamp(0, 1).shape)
