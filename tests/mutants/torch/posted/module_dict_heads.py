"""Task heads in a ModuleDict, one of them asked for by a wrong name."""
import torch
from torch import nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(10, 16)
        self.heads = nn.ModuleDict({"age": nn.Linear(16, 1), "gender": nn.Linear(16, 2)})

    def forward(self, x, task):
        return self.heads[task](torch.tanh(self.body(x)))


net = MultiTask()
print(net(torch.randn(4, 10), "age").shape)
print(net(torch.randn(4, 10), "sex").shape)  # instead: print(net(torch.randn(4, 10), "gender").shape)
