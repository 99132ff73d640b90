"""A step under autocast with a gradient scaler."""
import torch
import torch.nn as nn

device = "cpu"
model = nn.Sequential(nn.Linear(20, 40), nn.ReLU(), nn.Linear(40, 4)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler(device, enabled=False)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
data = torch.randn(12, 20, device=device)
target = torch.randint(0, 4, (12,), device=device)
for step in range(2):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type=device, dtype=torch.bfloat16):
        output = model(data)
        loss = nn.functional.cross_entropy(output.float(), target)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    scheduler.step()
print(loss.item(), scheduler.get_last_lr())
