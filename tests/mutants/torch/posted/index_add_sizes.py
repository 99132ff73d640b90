"""Messages are summed to nodes with an index of another length."""
import torch

nodes = torch.zeros(5, 8)
edges = torch.tensor([0, 1, 1, 4])
messages = torch.randn(6, 8)  # instead: messages = torch.randn(4, 8)
print(nodes.index_add(0, edges, messages).shape)
