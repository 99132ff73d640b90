"""Mixed precision training; targets of a cross entropy have the wrong length."""
import torch
from torch import nn

net = nn.Sequential(nn.Flatten(), nn.Linear(3 * 8 * 8, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", enabled=False)
images = torch.randn(16, 3, 8, 8)
labels = torch.randint(0, 10, (15,))  # instead: labels = torch.randint(0, 10, (16,))
for _ in range(2):
    optimizer.zero_grad(set_to_none=True)
    with torch.amp.autocast("cpu", dtype=torch.bfloat16):
        logits = net(images)
        loss = nn.functional.cross_entropy(logits.float(), labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
