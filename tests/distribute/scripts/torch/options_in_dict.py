# expect: right 25 of 25
"""Loader options in dictionaries that a device may add to, and an evaluation of an odd number of samples."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def samples(n, seed):
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 2, (n,), generator=generator)
    return TensorDataset(torch.rand(n, 3, generator=generator) + 4 * labels[:, None], labels)


def evaluate(model, loader):
    model.eval()
    right = seen = 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x).argmax(1) == y).sum().item()
            seen += len(y)
    print("right", right, "of", seen)
    return right / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=0.1)
    args = parser.parse_args()
    train_options = {"batch_size": args.batch}
    test_options = {"batch_size": 8}
    shared = {"drop_last": False, "shuffle": True}
    train_options.update(shared)
    test_options.update(shared)
    train = DataLoader(samples(160, 1), **train_options)
    test = DataLoader(samples(25, 2), **test_options)
    model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.rate)
    for epoch in range(6):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    print("accuracy", evaluate(model, test))


if __name__ == "__main__":
    main()
