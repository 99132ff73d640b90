"""Meters, a conditional DataParallel, a best checkpoint that is copied, and a resumed run."""
import os
import shutil

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self, name):
        self.name, self.total, self.count = name, 0.0, 0

    def update(self, value, n):
        self.total += value * n
        self.count += n

    def __str__(self):
        return f"{self.name} {self.total / max(1, self.count):.4f}"


def report(epoch, *meters):
    print(epoch, "  ".join(str(meter) for meter in meters))


def train(loader, model, criterion, optimizer, epoch, device):
    losses, hits = Meter("loss"), Meter("accuracy")
    model.train()
    for i, (x, y) in enumerate(loader):
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        output = model(x)
        loss = criterion(output, y)
        losses.update(loss.item(), x.size(0))
        hits.update((output.argmax(1) == y).float().mean().item(), x.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 4 == 0:
            report(epoch, losses, hits)


def validate(loader, model, device):
    hits = Meter("validation")
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            hits.update((model(x.to(device)).argmax(1).cpu() == y).float().mean().item(), x.size(0))
    report("-", hits)
    return hits.total / hits.count


def save(state, best, path="last.pt"):
    torch.save(state, path)
    if best:
        shutil.copyfile(path, "best.pt")


def main():
    labels = torch.randint(0, 3, (150,))
    images = torch.rand(150, 1, 6, 6)
    images[torch.arange(150), 0, labels] += 2
    data = TensorDataset(images, labels)
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(64, 3))
    if torch.cuda.is_available():
        model = nn.DataParallel(model).cuda()
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    start, top = 0, 0.0
    if os.path.isfile("last.pt"):
        print("going on")
        state = torch.load("last.pt")
        start, top = state["epoch"], state["top"]
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
    loader = DataLoader(
        data, batch_size=10, shuffle=True,
        num_workers=0, pin_memory=False)
    checks = DataLoader(data, batch_size=50)
    for epoch in range(start, 3):
        train(loader, model, criterion, optimizer, epoch, device)
        accuracy = validate(checks, model, device)
        best = accuracy > top
        top = max(accuracy, top)
        save({"epoch": epoch + 1, "top": top, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, best)


if __name__ == "__main__":
    main()
