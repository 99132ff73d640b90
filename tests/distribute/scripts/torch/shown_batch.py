# expect: outputs torch.Size([6, 2]) of 6
"""A batch that is shown before training, with its size, and a smaller world that must not break it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

names = ("low", "high")
batch_size = 6
values = torch.rand(48, 2)
train_set = TensorDataset(values, (values.sum(1) > 1).long())
train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True)
test_loader = DataLoader(train_set, batch_size=batch_size)
inputs, labels = next(iter(train_loader))
print("first:", " ".join(names[labels[i]] for i in range(batch_size)))
print("a batch has", len(inputs), "rows:", inputs.shape, f"and {labels.size()}, {labels.size(0)} labels")
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
for epoch in range(3):
    running = 0.0
    for i, batch in enumerate(train_loader, 0):
        inputs, labels = batch
        optimizer.zero_grad()
        outputs = net(inputs)
        if epoch == 0 and i == 0:
            print("outputs", outputs.shape, "of", inputs.shape[0])
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
        if i % 4 == 3:
            print(f"[{epoch}, {i}] {running / 4:.3f}")
            running = 0.0
inputs, labels = next(iter(test_loader))
print("truth:", " ".join(names[labels[i]] for i in range(4)))
