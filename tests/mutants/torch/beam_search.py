"""Beams kept by index arithmetic."""
import torch
from torch import nn

vocab, hidden, beam, length = 11, 16, 3, 4
embed = nn.Embedding(vocab, hidden)
cell = nn.GRUCell(hidden, hidden)
out = nn.Linear(hidden, vocab)


def search(state):
    tokens = torch.zeros(beam, 1, dtype=torch.long)
    scores = torch.full((beam,), -1e9)
    scores[0] = 0.0
    state = state.expand(beam, -1)
    for _ in range(length):
        state = cell(embed(tokens[:, -1]), state)
        log_probs = out(state).log_softmax(-1)
        candidates = scores.unsqueeze(1) + log_probs
        scores, flat = candidates.view(-1).topk(beam)
        parents = torch.div(flat, vocab, rounding_mode="floor")
        words = flat % vocab
        tokens = torch.cat([tokens[parents], words.unsqueeze(1)], dim=1)
        state = state[parents]
    return tokens, scores


with torch.no_grad():
    tokens, scores = search(torch.randn(1, hidden))
print(tokens.shape, scores)
