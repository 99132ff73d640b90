"""Batches come from a generator of the script, for training and for evaluation."""
import torch
import torch.nn as nn

source = torch.Generator().manual_seed(31)
X = torch.randn(264, 4, generator=source)
Y = X @ torch.tensor([[1.0], [-2.0], [0.5], [1.5]])
X_test, Y_test = X[204:], Y[204:]
X, Y = X[:204], Y[:204]


def batches(inputs, targets, size=24):
    order = torch.randperm(len(inputs))
    for start in range(0, len(inputs), size):
        rows = order[start:start + size]
        yield inputs[rows], targets[rows]


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def train(epochs):
    for epoch in range(epochs):
        for x, y in batches(X, Y):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


train(6)
with torch.no_grad():
    error = nn.functional.mse_loss(model(X_test), Y_test)
print("error on new samples", error.item())
