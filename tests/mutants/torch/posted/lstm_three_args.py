import torch
import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab, 32)
        self.lstm = nn.LSTM(32, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 5)

    def forward(self, words, h, c):
        x = self.embed(words)
        x, state = self.lstm(x, h, c)  # instead: x, state = self.lstm(x, (h, c))
        return self.out(x)


model = Tagger(100, 16)
h = torch.zeros(1, 4, 16)
scores = model(torch.randint(0, 100, (4, 7)), h, h)
print(scores.shape)
