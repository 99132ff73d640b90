"""A graph network with a dense, normalised adjacency."""
import torch
import torch.nn as nn


def normalise(adjacency):
    a = adjacency + torch.eye(adjacency.size(0))
    d = a.sum(dim=1).pow(-0.5)
    return d.unsqueeze(1) * a * d.unsqueeze(0)


class GCNLayer(nn.Module):
    def __init__(self, fin, fout):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(fin, fout))
        self.bias = nn.Parameter(torch.zeros(fout))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, a, x):
        return a @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.first = GCNLayer(features, hidden)
        self.second = GCNLayer(hidden, classes)

    def forward(self, a, x):
        return torch.log_softmax(self.second(a, torch.relu(self.first(a, x))), dim=1)


nodes = 12
edges = torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]])
adjacency = torch.zeros(nodes, nodes)
adjacency[edges[0], edges[1]] = 1
adjacency = torch.maximum(adjacency, adjacency.t())
x = torch.randn(nodes, 6)
model = GCN(6, 16, 3)
out = model(normalise(adjacency), x)
train_mask = torch.arange(nodes) < 8
labels = torch.randint(0, 3, (nodes,))
loss = nn.functional.nll_loss(out[train_mask], labels[train_mask])
loss.backward()
print(loss.item())
