"""Parameter groups, a frozen backbone, two heads, and a learned loss weight."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, n=96):
        self.x = torch.randn(n, 6)

    def __len__(self):
        return self.x.shape[0]

    def __getitem__(self, i):
        return {"x": self.x[i], "sum": self.x[i].sum(), "sign": (self.x[i, 0] > 0).long()}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.value = nn.Linear(16, 1)
        self.sign = nn.Linear(16, 2)

    def freeze(self):
        for p in self.backbone[0].parameters():
            p.requires_grad_(False)

    def forward(self, x):
        h = self.backbone(x)
        return self.value(h).squeeze(-1), self.sign(h)


class Uncertainty(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_var = nn.Parameter(torch.zeros(2))

    def forward(self, a, b):
        return (torch.exp(-self.log_var) * torch.stack([a, b]) + self.log_var).sum()


def collate(items):
    return {key: torch.stack([item[key] for item in items]) for key in items[0]}


net, balance = Net(), Uncertainty()
net.freeze()
optimizer = torch.optim.AdamW([
    {"params": [p for p in net.parameters() if p.requires_grad]},
    {"params": balance.parameters(), "lr": 1e-2},
], lr=5e-3)
loader = DataLoader(Pairs(), batch_size=12, shuffle=True, collate_fn=collate)
mse, ce = nn.MSELoss(), nn.CrossEntropyLoss()
for epoch in range(6):
    total = 0.0
    for batch in loader:
        value, sign = net(batch["x"])
        loss = balance(mse(value, batch["sum"]), ce(sign, batch["sign"]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 2 == 0:
        print(f"{epoch:3d} {total / len(loader):.4f}")
