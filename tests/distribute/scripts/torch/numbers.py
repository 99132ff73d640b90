"""Numbers that people read: totals, means, counts, the last loss, in prints of every form. same numbers: 1e-4"""
import logging

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO)
torch.manual_seed(3)
x = torch.randn(96, 4)
data = TensorDataset(x, (x[:, 0] + x[:, 1] > 0).long())
held_out = TensorDataset(x[:35], (x[:35, 0] + x[:35, 1] > 0).long())
loader = DataLoader(data, batch_size=6)
val = DataLoader(held_out, batch_size=6)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def accuracy(output, target):
    return (output.argmax(1) == target).float().mean().item()


def evaluate():
    correct, total, per_batch = 0, 0, 0.0
    with torch.no_grad():
        for a, b in val:
            out = model(a)
            per_batch += criterion(out, b).item()
            correct += (out.argmax(1) == b).sum().item()
            total += b.size(0)
    return per_batch / len(val), correct / total


for epoch in range(3):
    running, seen, correct, sums, losses = 0.0, 0, 0, 0.0, []
    for i, (a, b) in enumerate(loader):
        optimizer.zero_grad()
        out = model(a)
        loss = criterion(out, b)
        loss.backward()
        optimizer.step()
        running += loss.item()
        sums += loss.item() * a.size(0)
        seen += len(b)
        _, guess = torch.max(out.data, 1)
        correct += (guess == b).sum().item()
        losses.append(loss.item())
        if i % 4 == 3:
            print("[%d, %2d] loss: %.4f" % (epoch + 1, i + 1, running / 4))
            running = 0.0
            logging.info("batch accuracy {:.4f}".format(accuracy(out, b)))
    print(f"epoch {epoch}: {sums / len(loader.dataset):.4f} {correct / seen:.4f} {correct} of {seen}")
    print("mean of batches", sum(losses) / len(losses), "last", loss.item())
    loss_val, hits = evaluate()
    print(f"validation {loss_val:.4f} {hits:.4f}")
print("end", loss.item())
