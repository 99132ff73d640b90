"""Per-sample gradients whose parameters are mapped over by mistake."""
import torch
from torch import nn
from torch.func import functional_call, grad, vmap

net = nn.Linear(3, 1)
params = {name: p.detach() for name, p in net.named_parameters()}


def loss(params, x, y):
    return ((functional_call(net, params, (x.unsqueeze(0),)) - y) ** 2).mean()


x, y = torch.randn(8, 3), torch.randn(8, 1)
per_sample = vmap(grad(loss), in_dims=(0, 0, 0))(params, x, y)  # instead: per_sample = vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)
print(per_sample["weight"].shape)
