"""Everything at module level."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

gen = torch.Generator().manual_seed(92)
x = torch.randn(256, 6, generator=gen)
y = x.sum(dim=1, keepdim=True)
dataset = TensorDataset(x, y)
loader = DataLoader(dataset, batch_size=24, shuffle=True)

model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(5):
    running = 0.0
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(f"epoch {epoch}: {running / len(loader):.4f}")

torch.save(model, "flat.pt")
