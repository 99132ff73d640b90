"""PyTorch: a character-level language model with an LSTM, then a tiny transformer, sampling from both."""
import math

import torch
from torch import nn

TEXT = "the quick brown fox jumps over the lazy dog and the dog sleeps. " * 8
CHARS = sorted(set(TEXT))
STOI = {c: i for i, c in enumerate(CHARS)}
ITOS = dict(enumerate(CHARS))
VOCAB = len(CHARS)


def encode(s):
    return torch.tensor([STOI[c] for c in s], dtype=torch.long)


def decode(ids):
    return "".join(ITOS[int(i)] for i in ids)


def batches(data, block, batch, steps):
    for _ in range(steps):
        starts = torch.randint(len(data) - block - 1, (batch,))
        x = torch.stack([data[s : s + block] for s in starts])
        y = torch.stack([data[s + 1 : s + block + 1] for s in starts])
        yield x, y


class CharLSTM(nn.Module):
    def __init__(self, vocab, embed=16, hidden=32, layers=2):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.embedding = nn.Embedding(vocab, embed)
        self.lstm = nn.LSTM(embed, hidden, layers, batch_first=True, dropout=0.1)
        self.out = nn.Linear(hidden, vocab)

    def initial(self, batch):
        zeros = torch.zeros(self.layers, batch, self.hidden)
        return zeros, zeros.clone()

    def forward(self, x, state=None):
        if state is None:
            state = self.initial(x.size(0))
        h, state = self.lstm(self.embedding(x), state)
        return self.out(h), state


class CausalAttention(nn.Module):
    def __init__(self, dim, heads, block):
        super().__init__()
        assert dim % heads == 0
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim)
        self.register_buffer("mask", torch.tril(torch.ones(block, block)).view(1, 1, block, block))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=2)
        q, k, v = (t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in (q, k, v))
        att = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        y = torch.softmax(att, dim=-1) @ v
        return self.proj(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self, dim, heads, block):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = CausalAttention(dim, heads, block)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class TinyGPT(nn.Module):
    def __init__(self, vocab, block=24, dim=32, heads=4, depth=2):
        super().__init__()
        self.block = block
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.zeros(1, block, dim))
        self.blocks = nn.Sequential(*[Block(dim, heads, block) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab, bias=False)
        self.head.weight = self.tok.weight

    def forward(self, idx, state=None):
        B, T = idx.shape
        if T > self.block:
            raise ValueError(f"sequence of {T} is longer than {self.block}")
        x = self.tok(idx) + self.pos[:, :T]
        return self.head(self.norm(self.blocks(x))), state


def train(model, data, steps=30, block=24, batch=8):
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    losses = []
    for x, y in batches(data, block, batch, steps):
        logits, _ = model(x)
        loss = criterion(logits.reshape(-1, VOCAB), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


@torch.no_grad()
def sample(model, prompt, n, temperature=0.8, top_k=5):
    model.eval()
    idx = encode(prompt).unsqueeze(0)
    for _ in range(n):
        logits, _ = model(idx[:, -24:])
        logits = logits[:, -1, :] / temperature
        values, _ = torch.topk(logits, top_k)
        logits[logits < values[:, [-1]]] = -math.inf
        probs = torch.softmax(logits, dim=-1)
        idx = torch.cat([idx, torch.multinomial(probs, num_samples=1)], dim=1)
    return decode(idx[0])


if __name__ == "__main__":
    torch.manual_seed(1)
    corpus = encode(TEXT)
    for model in (CharLSTM(VOCAB), TinyGPT(VOCAB)):
        losses = train(model, corpus)
        text = sample(model, "the ", 20)
        print(type(model).__name__, losses[0] > losses[-1], len(text), text[:4])
