"""Gradients of each sample by torch.func."""
import torch
from torch import nn
from torch.func import functional_call, grad, vmap

model = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 3))
params = {name: p.detach() for name, p in model.named_parameters()}


def loss_of(params, sample, target):
    logits = functional_call(model, params, (sample.unsqueeze(0),))
    return nn.functional.cross_entropy(logits, target.unsqueeze(0))


samples = torch.randn(10, 5)
targets = torch.randint(0, 3, (10,))
per_sample = vmap(grad(loss_of), in_dims=(None, 0, 0))(params, samples, targets)
norms = torch.stack([g.flatten(1).norm(dim=1) for g in per_sample.values()]).norm(dim=0)
clipped = {name: (g / norms.view(-1, *[1] * (g.dim() - 1))).mean(dim=0) for name, g in per_sample.items()}
print(norms.shape, clipped["0.weight"].shape)
