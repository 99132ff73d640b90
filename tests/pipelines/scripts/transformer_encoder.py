"""Sequence classification with nn.TransformerEncoder and a learning rate schedule."""

import argparse
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class PositionalEncoding(nn.Module):
    def __init__(self, dim, length=512):
        super().__init__()
        position = torch.arange(length).unsqueeze(1)
        scale = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        table = torch.zeros(1, length, dim)
        table[0, :, 0::2] = torch.sin(position * scale)
        table[0, :, 1::2] = torch.cos(position * scale)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[:, : x.size(1)]


class Encoder(nn.Module):
    def __init__(self, vocabulary, dim, heads, depth, classes):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim)
        self.position = PositionalEncoding(dim)
        layer = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=4 * dim, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=depth)
        self.norm = nn.LayerNorm(dim)
        self.classify = nn.Linear(dim, classes)

    def forward(self, tokens, padding=None):
        x = self.position(self.embed(tokens))
        x = self.encoder(x, src_key_padding_mask=padding)
        pooled = self.norm(x).mean(dim=1)
        return self.classify(pooled)


def make_data(count, length, vocabulary, classes):
    tokens = torch.randint(1, vocabulary, (count, length))
    labels = torch.randint(classes, (count,))
    padding = torch.rand(count, length) < 0.1
    padding[:, 0] = False
    return TensorDataset(tokens, padding, labels)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dim", type=int, default=48)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--length", type=int, default=40)
    parser.add_argument("--batch_size", type=int, default=20)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--lr", default=1e-3, type=float)
    args = parser.parse_args()
    vocabulary, classes = 100, 4
    train_set = make_data(210, args.length, vocabulary, classes)
    valid_set = make_data(60, args.length, vocabulary, classes)
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    valid_loader = DataLoader(valid_set, batch_size=args.batch_size)
    model = Encoder(vocabulary, args.dim, args.heads, args.depth, classes)
    print(sum(p.numel() for p in model.parameters() if p.requires_grad), "parameters")
    optimizer = torch.optim.AdamW(
        [{"params": [p for p in model.parameters() if p.ndim > 1], "weight_decay": 0.01},
         {"params": [p for p in model.parameters() if p.ndim <= 1], "weight_decay": 0.0}],
        lr=args.lr,
    )
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 10))
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        running = torch.zeros(())
        for i, (tokens, padding, labels) in enumerate(train_loader, start=1):
            logits = model(tokens, padding)
            loss = criterion(logits, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            warmup.step()
            running = running + loss.detach()
        print(f"epoch {epoch} {running / i:.3f}")
        model.eval()
        all_logits, all_labels = [], []
        with torch.no_grad():
            for tokens, padding, labels in valid_loader:
                all_logits.append(model(tokens, padding))
                all_labels.append(labels)
        logits = torch.cat(all_logits)
        labels = torch.cat(all_labels)
        top = logits.topk(2, dim=-1).indices
        accuracy = (top[:, 0] == labels).float().mean()
        print("accuracy", accuracy.item())
        model.train()
    attention = torch.softmax(logits @ logits.T / math.sqrt(classes), dim=-1)
    mixed = attention @ logits
    print(mixed.shape)


if __name__ == "__main__":
    main()
