"""Repeated blocks, bfloat16 autocast on a GPU, clipped gradients, a checkpoint with the optimizer, and a resumed run."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, 2, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        h = self.norm(x)
        x = x + self.attention(h, h, h, need_weights=False)[0]
        return x + self.feed(x)


class Model(nn.Module):
    def __init__(self, tokens=16, width=8, depth=3):
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])
        self.head = nn.Linear(width, tokens)

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    gen = torch.Generator().manual_seed(11)
    ids = torch.randint(0, 16, (128, 9), generator=gen)
    loader = DataLoader(TensorDataset(ids), batch_size=12, shuffle=True, drop_last=True)
    model = Model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    if os.path.exists("checkpoint.pt"):
        state = torch.load("checkpoint.pt")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
    for epoch in range(3):
        model.train()
        for (batch,) in loader:
            batch = batch.to(device)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = model(batch[:, :-1])
                loss = nn.functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        print("epoch", epoch, "parameters", sum(p.numel() for p in model.parameters()))
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "checkpoint.pt")


if __name__ == "__main__":
    main()
