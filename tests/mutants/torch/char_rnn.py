"""A character model whose state is carried from step to step."""
import torch
import torch.nn as nn

text = "hello world, this is a small text for a small model"
alphabet = sorted(set(text))
index = {c: i for i, c in enumerate(alphabet)}
data = torch.tensor([index[c] for c in text])
size = 32


class CharRNN(nn.Module):
    def __init__(self, n_chars, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(n_chars, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)
        self.fc = nn.Linear(hidden_size, n_chars)

    def forward(self, x, hidden):
        e = self.embedding(x).unsqueeze(1)
        out, hidden = self.gru(e, hidden)
        return self.fc(out.squeeze(1)), hidden

    def start(self):
        return torch.zeros(1, 1, self.hidden_size)


rnn = CharRNN(len(alphabet), size)
optimizer = torch.optim.Adam(rnn.parameters(), lr=0.01)
hidden = rnn.start()
for start in range(0, 30, 10):
    x = data[start:start + 10]
    y = data[start + 1:start + 11]
    output, hidden = rnn(x, hidden.detach())
    loss = nn.functional.cross_entropy(output, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), output.shape)
