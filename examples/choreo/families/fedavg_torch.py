"""Federated averaging of a linear layer in PyTorch, with any number of clients."""

import torch
from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Clients(Family): ...


ROUNDS = 30
RATE = 0.3


def train(weights: torch.Tensor, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    local = weights.clone().requires_grad_()
    loss = ((inputs @ local - targets) ** 2).mean()
    loss.backward()
    return (local - RATE * local.grad).detach()


def average(updates: list[torch.Tensor]) -> torch.Tensor:
    return torch.stack(updates).mean(dim=0)


class FedAvgTorch(Ch2[Server, Clients]):
    def __init__(self, star: Star[torch.Tensor, Server, Clients]) -> None:
        self.star = star

    def fit(
        self, start: At[torch.Tensor, Server], inputs: At[torch.Tensor, Clients], targets: At[torch.Tensor, Clients]
    ) -> At[torch.Tensor, Server]:
        weights: At[torch.Tensor, Server] = start
        for _ in range(ROUNDS):
            local = self.star.broadcast(weights)
            weights = average(self.star.gather(train(local, inputs, targets)))
        return weights
