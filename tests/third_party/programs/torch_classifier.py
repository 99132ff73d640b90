"""PyTorch: a small image classifier with a training loop, evaluation and checkpoints."""
import argparse
import copy
import io

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, random_split


class Blobs(Dataset):
    def __init__(self, n=128, classes=4, size=16, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, classes, (n,), generator=g)
        self.images = torch.randn(n, 1, size, size, generator=g)
        for i, label in enumerate(self.labels):
            k = int(label) * 3
            self.images[i, :, k : k + 4, k : k + 4] += 3

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.images[i], self.labels[i]


def conv_block(cin, cout, pool=True):
    layers = [nn.Conv2d(cin, cout, kernel_size=3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True)]
    if pool:
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(*layers)


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(conv_block(channels, channels, pool=False), nn.Conv2d(channels, channels, 3, padding=1))

    def forward(self, x):
        return F.relu(x + self.body(x))


class Net(nn.Module):
    def __init__(self, classes=4, width=8, dropout=0.2):
        super().__init__()
        self.stem = conv_block(1, width)
        self.stages = nn.ModuleList([Residual(width) for _ in range(2)])
        self.down = conv_block(width, 2 * width)
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(2 * width * 4 * 4, classes)
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, (nn.Conv2d, nn.Linear)):
            nn.init.kaiming_normal_(m.weight)
            if m.bias is not None:
                nn.init.zeros_(m.bias)

    def forward(self, x):
        x = self.stem(x)
        for stage in self.stages:
            x = stage(x)
        x = self.down(x)
        x = torch.flatten(x, 1)
        return self.head(self.drop(x))


def run_epoch(model, loader, optimiser=None):
    training = optimiser is not None
    model.train(training)
    total, correct, seen = 0.0, 0, 0
    with torch.set_grad_enabled(training):
        for images, labels in loader:
            logits = model(images)
            loss = F.cross_entropy(logits, labels)
            if training:
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimiser.step()
            total += loss.item() * len(labels)
            correct += (logits.argmax(dim=1) == labels).sum().item()
            seen += labels.size(0)
    return total / seen, correct / seen


def confusion(model, loader, classes):
    matrix = torch.zeros(classes, classes, dtype=torch.long)
    model.eval()
    with torch.no_grad():
        for images, labels in loader:
            for t, p in zip(labels, model(images).argmax(1)):
                matrix[t, p] += 1
    return matrix


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    data = Blobs()
    train, valid = random_split(data, [96, 32])
    loader = DataLoader(train, batch_size=args.batch_size, shuffle=True)
    held_out = DataLoader(valid, batch_size=16)
    model = Net()
    print(sum(p.numel() for p in model.parameters() if p.requires_grad), "parameters")
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=args.epochs)
    best, best_state = float("inf"), None
    for epoch in range(1, args.epochs + 1):
        train_loss, train_acc = run_epoch(model, loader, optimiser)
        valid_loss, valid_acc = run_epoch(model, held_out)
        schedule.step()
        if valid_loss < best:
            best, best_state = valid_loss, copy.deepcopy(model.state_dict())
        print(f"{epoch} train {train_loss:.3f}/{train_acc:.0%} valid {valid_loss:.3f}/{valid_acc:.0%} lr {schedule.get_last_lr()[0]:.4f}")
    model.load_state_dict(best_state)
    buffer = io.BytesIO()
    torch.save({"model": model.state_dict(), "args": vars(args)}, buffer)
    buffer.seek(0)
    clone = Net()
    clone.load_state_dict(torch.load(buffer)["model"])
    m = confusion(clone, held_out, 4)
    assert m.sum().item() == 32
    features = nn.Sequential(*list(clone.children())[:1])
    print(m.diag().sum().item() / 32, features(data.images[:2]).shape)


if __name__ == "__main__":
    main([])
