"""Word vectors with negative sampling."""
import torch
import torch.nn as nn
import torch.nn.functional as F

sentence = "the quick brown fox jumps over the lazy dog while the cat sleeps".split()
vocab = {w: i for i, w in enumerate(dict.fromkeys(sentence))}
ids = torch.tensor([vocab[w] for w in sentence])
window = 2
centres, contexts = [], []
for i in range(len(sentence)):
    for j in range(max(0, i - window), min(len(sentence), i + window + 1)):
        if i != j:
            centres.append(ids[i])
            contexts.append(ids[j])
centres = torch.stack(centres)
contexts = torch.stack(contexts)
dim = 10
inner = nn.Embedding(len(vocab), dim)
outer = nn.Embedding(len(vocab), dim)
negatives = torch.randint(0, len(vocab), (centres.shape[0], 5))
v = inner(centres)
u = outer(contexts)
n = outer(negatives)
positive = F.logsigmoid((v * u).sum(dim=1))
negative = F.logsigmoid(-torch.bmm(n, v.unsqueeze(2)).squeeze(2)).sum(dim=1)
loss = -(positive + negative).mean()
loss.backward()
print(loss.item())
