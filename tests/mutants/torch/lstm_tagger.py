"""A tagger of words with an LSTM."""
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocabulary, tags, embedding=16, hidden=24):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, embedding)
        self.lstm = nn.LSTM(embedding, hidden, num_layers=2, batch_first=True, bidirectional=True)
        self.project = nn.Linear(2 * hidden, tags)

    def forward(self, sentence):
        out, (h, c) = self.lstm(self.embed(sentence))
        return self.project(out)


tagger = Tagger(100, 7)
sentences = torch.randint(0, 100, (4, 12))
tags = torch.randint(0, 7, (4, 12))
scores = tagger(sentences)
loss = nn.functional.cross_entropy(scores.view(-1, 7), tags.view(-1))
loss.backward()
print(scores.argmax(-1).shape, loss.item())
