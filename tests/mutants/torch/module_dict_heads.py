"""Several heads in a ModuleDict, a scale of each in a ParameterDict."""
import torch
from torch import nn

tasks = {"colour": 5, "size": 3, "age": 1}


class MultiTask(nn.Module):
    def __init__(self, features, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, 32), nn.ReLU())
        self.heads = nn.ModuleDict({name: nn.Linear(32, size) for name, size in tasks.items()})
        self.scales = nn.ParameterDict({name: nn.Parameter(torch.ones(size)) for name, size in tasks.items()})

    def forward(self, x):
        h = self.trunk(x)
        return {name: head(h) * self.scales[name] for name, head in self.heads.items()}


model = MultiTask(10, tasks)
x = torch.randn(6, 10)
outputs = model(x)
losses = [
    nn.functional.cross_entropy(outputs["colour"], torch.randint(0, 5, (6,))),
    nn.functional.cross_entropy(outputs["size"], torch.randint(0, 3, (6,))),
    nn.functional.mse_loss(outputs["age"].squeeze(-1), torch.rand(6)),
]
total = sum(losses)
total.backward()
print(total.item())
