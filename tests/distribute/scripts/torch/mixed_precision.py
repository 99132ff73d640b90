import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset, random_split

device = "cuda" if torch.cuda.is_available() else "cpu"
use_amp = device == "cuda"
full = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
train_set, valid_set = random_split(full, [256, 64], generator=torch.Generator().manual_seed(42))
train_loader = DataLoader(train_set, batch_size=24, shuffle=True, drop_last=True)
valid_loader = DataLoader(valid_set, batch_size=64)

net = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.GELU(), nn.Linear(32, 3)).to(device)
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.01)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.01, epochs=5, steps_per_epoch=len(train_loader) // 2)
scaler = GradScaler(enabled=use_amp)
loss_fn = nn.CrossEntropyLoss()
accumulation_steps = 2

for epoch in range(5):
    net.train()
    opt.zero_grad(set_to_none=True)
    for step, (xb, yb) in enumerate(train_loader):
        with autocast(enabled=use_amp):
            loss = loss_fn(net(xb.to(device)), yb.to(device)) / accumulation_steps
        scaler.scale(loss).backward()
        if (step + 1) % accumulation_steps == 0:
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad(set_to_none=True)
            sched.step()
    net.eval()
    correct, total = 0, 0
    with torch.inference_mode():
        for xb, yb in valid_loader:
            logits = net(xb.to(device))
            correct += (logits.argmax(1) == yb.to(device)).sum().item()
            total += yb.size(0)
    print(f"epoch {epoch}: accuracy {correct / total:.3f}, lr {sched.get_last_lr()[0]:.5f}")
