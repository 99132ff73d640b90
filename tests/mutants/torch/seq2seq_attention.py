"""An encoder and a decoder that attends to it."""
import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True)

    def forward(self, x):
        return self.gru(self.embedding(x))


class Decoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.query = nn.Linear(dim, dim)
        self.gru = nn.GRU(2 * dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, token, hidden, memory):
        embedded = self.embedding(token)
        query = self.query(hidden.permute(1, 0, 2))
        scores = torch.bmm(query, memory.transpose(1, 2))
        context = torch.bmm(scores.softmax(dim=-1), memory)
        output, hidden = self.gru(torch.cat((embedded, context), dim=2), hidden)
        return self.out(output).squeeze(1), hidden


encoder, decoder = Encoder(30, 16), Decoder(40, 16)
source = torch.randint(0, 30, (4, 7))
target = torch.randint(0, 40, (4, 5))
memory, hidden = encoder(source)
token = torch.zeros(4, 1, dtype=torch.long)
loss = 0.0
for t in range(target.size(1)):
    logits, hidden = decoder(token, hidden, memory)
    loss = loss + nn.functional.cross_entropy(logits, target[:, t])
    token = target[:, t].unsqueeze(1)
loss.backward()
print(loss.item())
