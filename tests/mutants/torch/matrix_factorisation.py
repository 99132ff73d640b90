"""Recommendations from two embeddings and biases."""
import torch
from torch import nn


class MF(nn.Module):
    def __init__(self, users, items, factors):
        super().__init__()
        self.user = nn.Embedding(users, factors)
        self.item = nn.Embedding(items, factors)
        self.user_bias = nn.Embedding(users, 1)
        self.item_bias = nn.Embedding(items, 1)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(dim=1, keepdim=True)
        return (dot + self.user_bias(u) + self.item_bias(i)).squeeze(1)


model = MF(20, 30, 8)
users = torch.randint(0, 20, (64,))
items = torch.randint(0, 30, (64,))
ratings = torch.rand(64) * 5
optimizer = torch.optim.Adam(model.parameters(), weight_decay=1e-5)
for epoch in range(2):
    loss = nn.functional.mse_loss(model(users, items), ratings)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
everything = model.user.weight @ model.item.weight.T
print(loss.item(), everything.shape)
