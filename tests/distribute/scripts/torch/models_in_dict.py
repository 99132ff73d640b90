"""Several models in a dictionary are trained one after the other, on batches that were cut into a list before."""
import torch
import torch.nn as nn

source = torch.Generator().manual_seed(33)
x = torch.randn(240, 5, generator=source)
y = x.mean(1, keepdim=True)
batches = []
for start in range(0, len(x), 24):
    batches.append((x[start:start + 24], y[start:start + 24]))
models = {
    "linear": nn.Linear(5, 1),
    "deep": nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1)),
}


def train(model, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for inputs, targets in batches:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs), targets)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


for name, model in models.items():
    print(name)
    train(model, 4)
