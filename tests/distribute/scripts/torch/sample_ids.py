"""The loss of a step is the number of its sample, so that the runner sees who reads what."""
import torch
from torch.utils.data import DataLoader, TensorDataset

ids = torch.arange(1.0, 25.0)
loader = DataLoader(TensorDataset(ids), batch_size=1, shuffle=True)
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
for epoch in range(2):
    for (number,) in loader:
        optimizer.zero_grad()
        loss = number.mean() + 0.0 * model(number.unsqueeze(1)).mean()
        loss.backward()
        optimizer.step()
print("read")
