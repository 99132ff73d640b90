"""Messages along edges, summed with index_add."""
import torch
from torch import nn


class EdgeConv(nn.Module):
    def __init__(self, node_dim, edge_dim, out_dim):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(2 * node_dim + edge_dim, out_dim), nn.ReLU(), nn.Linear(out_dim, out_dim))

    def forward(self, x, edge_index, edge_attr):
        src, dst = edge_index
        messages = self.mlp(torch.cat([x[src], x[dst], edge_attr], dim=-1))
        out = torch.zeros(x.size(0), messages.size(-1))
        return out.index_add_(0, dst, messages)


def pool(x, batch, graphs):
    sums = torch.zeros(graphs, x.size(1)).scatter_add_(0, batch.unsqueeze(1).expand(-1, x.size(1)), x)
    counts = torch.bincount(batch, minlength=graphs).clamp(min=1)
    return sums / counts.unsqueeze(1)


x = torch.randn(9, 5)
edge_index = torch.tensor([[0, 1, 2, 4, 5, 7], [1, 2, 0, 5, 6, 8]])
edge_attr = torch.randn(6, 3)
batch = torch.tensor([0, 0, 0, 0, 1, 1, 1, 2, 2])
conv = EdgeConv(5, 3, 16)
h = conv(x, edge_index, edge_attr)
print(pool(h, batch, 3).shape)
