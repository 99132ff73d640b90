"""Optimizer and activation are chosen by name, with parameters in groups, by an experiment that is built from a dictionary."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Experiment:
    def __init__(self, options):
        self.options = options
        self.build()

    def build(self):
        source = torch.Generator().manual_seed(32)
        x = torch.randn(192, 6, generator=source)
        y = x.sum(1, keepdim=True)
        self.loaders = {"train": DataLoader(TensorDataset(x, y), batch_size=self.options["batch_size"], shuffle=True)}
        activation = getattr(nn, self.options["activation"])
        self.net = nn.Sequential(nn.Linear(6, 12), activation(), nn.Linear(12, 1))
        decayed, others = [], []
        for name, parameter in self.net.named_parameters():
            if name.endswith("weight"):
                decayed.append(parameter)
            else:
                others.append(parameter)
        groups = [{"params": decayed, "weight_decay": 0.001}, {"params": others}]
        self.optimizer = getattr(torch.optim, self.options["optimizer"])(groups, lr=self.options["lr"])

    def run(self):
        for epoch in range(self.options["epochs"]):
            for x, y in self.loaders["train"]:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.net(x), y)
                loss.backward()
                self.optimizer.step()
            print(epoch, loss.item())


Experiment({"batch_size": 12, "activation": "Tanh", "optimizer": "SGD", "lr": 0.05, "epochs": 5}).run()
