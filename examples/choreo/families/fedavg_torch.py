"""Federated averaging of a linear layer in PyTorch, with any number of clients."""

import torch
from pytrope.choreo import At, Ch2, Family, Role, Star
from pytrope.hints import Float


class Server(Role): ...


class Clients(Family): ...


ROUNDS = 30
RATE = 0.3


def train(
    weights: Float[torch.Tensor, "d"], inputs: Float[torch.Tensor, "n d"], targets: Float[torch.Tensor, "n"]
) -> Float[torch.Tensor, "d"]:
    local = weights.clone().requires_grad_()
    loss = ((inputs @ local - targets) ** 2).mean()
    loss.backward()
    assert local.grad is not None
    return (local - RATE * local.grad).detach()


def average(updates: list[Float[torch.Tensor, "d"]]) -> Float[torch.Tensor, "d"]:
    return torch.stack(updates).mean(dim=0)


class FedAvgTorch(Ch2[Server, Clients]):
    def __init__(self, star: Star[torch.Tensor, Server, Clients]) -> None:
        self.star = star

    def fit(
        self,
        start: At[Float[torch.Tensor, "d"], Server],
        inputs: At[Float[torch.Tensor, "n d"], Clients],
        targets: At[Float[torch.Tensor, "n"], Clients],
    ) -> At[Float[torch.Tensor, "d"], Server]:
        weights: At[Float[torch.Tensor, "d"], Server] = start
        for _ in range(ROUNDS):
            local: At[Float[torch.Tensor, "d"], Clients] = self.star.broadcast(weights)
            weights = average(self.star.gather(train(local, inputs, targets)))
        return weights
