"""A GPT-like decoder with tied weights."""
import torch
import torch.nn as nn
import torch.nn.functional as F

vocab_size = 50
block_size = 16
n_embd = 32
n_head = 4


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd)
        self.attn = nn.MultiheadAttention(n_embd, n_head, batch_first=True)
        self.ln_2 = nn.LayerNorm(n_embd)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd))

    def forward(self, x, mask):
        h = self.ln_1(x)
        a, _ = self.attn(h, h, h, attn_mask=mask, need_weights=False)
        x = x + a
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, layers=2):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.wpe = nn.Embedding(block_size, n_embd)
        self.blocks = nn.ModuleList([Block() for _ in range(layers)])
        self.ln_f = nn.LayerNorm(n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        self.head.weight = self.wte.weight

    def forward(self, idx, targets=None):
        b, t = idx.size()
        pos = torch.arange(t)
        x = self.wte(idx) + self.wpe(pos)
        mask = torch.triu(torch.ones(t, t, dtype=torch.bool), diagonal=1)
        for block in self.blocks:
            x = block(x, mask)
        logits = self.head(self.ln_f(x))
        if targets is None:
            return logits, None
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss


model = GPT()
tokens = torch.randint(vocab_size, (2, block_size))
logits, loss = model(tokens, tokens)
loss.backward()
generated = tokens[:, :4]
for _ in range(3):
    step, _ = model(generated)
    following = step[:, -1, :].argmax(dim=-1, keepdim=True)
    generated = torch.cat((generated, following), dim=1)
print(loss.item(), generated.shape)
