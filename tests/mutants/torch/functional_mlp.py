"""Parameters kept in a plain dictionary."""
import torch
import torch.nn.functional as F


def init_params(sizes):
    params = {}
    for i, (m, n) in enumerate(zip(sizes[:-1], sizes[1:])):
        params[f"w{i}"] = (torch.randn(n, m) / m ** 0.5).requires_grad_()
        params[f"b{i}"] = torch.zeros(n, requires_grad=True)
    return params


def forward(params, x, layers):
    for i in range(layers):
        x = F.linear(x, params[f"w{i}"], params[f"b{i}"])
        if i < layers - 1:
            x = torch.tanh(x)
    return x


sizes = [5, 16, 8, 2]
params = init_params(sizes)
x, y = torch.randn(10, 5), torch.randn(10, 2)
loss = F.mse_loss(forward(params, x, 3), y)
grads = torch.autograd.grad(loss, list(params.values()))
with torch.no_grad():
    for p, g in zip(params.values(), grads):
        p.sub_(0.1 * g)
print(loss.item(), forward(params, x, 3).shape)
