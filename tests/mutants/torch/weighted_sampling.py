"""Imbalanced data, weighted sampling, class weights."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

features = torch.randn(40, 6)
labels = torch.cat([torch.zeros(30), torch.ones(10)]).long()
counts = torch.bincount(labels)
weights = 1.0 / counts[labels].float()
sampler = WeightedRandomSampler(weights, num_samples=len(weights), replacement=True)
loader = DataLoader(TensorDataset(features, labels), batch_size=10, sampler=sampler, drop_last=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss(weight=counts.sum() / (2.0 * counts), label_smoothing=0.1)
history = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    history.append(loss.detach())
history = torch.stack(history)
predictions = model(features).argmax(dim=1)
matrix = torch.zeros(2, 2, dtype=torch.long)
for t, p in zip(labels.view(-1), predictions.view(-1)):
    matrix[t, p] += 1
recall = matrix.diag().float() / matrix.sum(1)
print(history.mean().item(), recall)
