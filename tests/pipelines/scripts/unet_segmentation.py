"""Segmentation of synthetic images with a small U-Net, mixed precision and a Dice loss."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, WeightedRandomSampler


class Discs(Dataset):
    def __init__(self, count=96, size=64):
        self.count = count
        self.size = size

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        grid = torch.linspace(-1, 1, self.size)
        y, x = torch.meshgrid(grid, grid, indexing="ij")
        center = torch.rand(2) - 0.5
        mask = ((x - center[0]) ** 2 + (y - center[1]) ** 2 < 0.1).float()
        image = torch.stack([mask, 1 - mask, x]) + 0.1 * torch.randn(3, self.size, self.size)
        return {"image": image, "mask": mask.unsqueeze(0)}


def block(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
        nn.Conv2d(outputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, channels=(16, 32, 64)):
        super().__init__()
        a, b, c = channels
        self.down1 = block(3, a)
        self.down2 = block(a, b)
        self.bottom = block(b, c)
        self.pool = nn.MaxPool2d(2)
        self.up2 = nn.ConvTranspose2d(c, b, 2, stride=2)
        self.join2 = block(2 * b, b)
        self.up1 = nn.ConvTranspose2d(b, a, 2, stride=2)
        self.join1 = block(2 * a, a)
        self.head = nn.Conv2d(a, 1, 1)

    def forward(self, x):
        first = self.down1(x)
        second = self.down2(self.pool(first))
        bottom = self.bottom(self.pool(second))
        second = self.join2(torch.cat([self.up2(bottom), second], dim=1))
        first = self.join1(torch.cat([self.up1(second), first], dim=1))
        return self.head(first)


def dice_loss(logits, target, smooth=1.0):
    probability = torch.sigmoid(logits).flatten(1)
    target = target.flatten(1)
    overlap = (probability * target).sum(dim=1)
    total = probability.sum(dim=1) + target.sum(dim=1)
    return 1 - ((2 * overlap + smooth) / (total + smooth)).mean()


device = "cuda" if torch.cuda.is_available() else "cpu"
data = Discs()
weights = torch.ones(len(data))
sampler = WeightedRandomSampler(weights, num_samples=len(data), replacement=True)
loader = DataLoader(data, batch_size=8, sampler=sampler, drop_last=True)
model = UNet().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, nesterov=True)
scaler = torch.amp.GradScaler(device, enabled=device == "cuda")
for epoch in range(1):
    for batch in loader:
        images = batch["image"].to(device, non_blocking=True)
        masks = batch["mask"].to(device, non_blocking=True)
        optimizer.zero_grad()
        with torch.autocast(device_type=device, enabled=device == "cuda"):
            logits = model(images)
            loss = F.binary_cross_entropy_with_logits(logits, masks) + dice_loss(logits, masks)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    print(epoch, loss.item())
model.eval()
with torch.no_grad():
    item = data[0]
    prediction = model(item["image"].unsqueeze(0).to(device)) > 0
    union = (prediction[0].cpu() | (item["mask"] > 0.5)).sum()
    inter = (prediction[0].cpu() & (item["mask"] > 0.5)).sum()
print("IoU", (inter / union.clamp(min=1)).item())
