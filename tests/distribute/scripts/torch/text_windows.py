"""Next characters of one text: windows at random places, and a text that must stay in order."""
import torch
from torch import nn

text = "the quick brown fox jumps over the lazy dog and runs away " * 20
letters = sorted(set(text))
codes = torch.tensor([letters.index(letter) for letter in text])
border = int(0.9 * len(codes))
train_codes, test_codes = codes[:border], codes[border:]
width, batch = 6, 16


def draw(part):
    source = train_codes if part == "train" else test_codes
    places = torch.randint(len(source) - width, (batch,))
    x = torch.stack([source[i:i + width] for i in places])
    y = torch.stack([source[i + 1:i + width + 1] for i in places])
    return x, y


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(len(letters), 12)
        self.rnn = nn.GRU(12, 32, batch_first=True)
        self.out = nn.Linear(32, len(letters))

    def forward(self, x, y=None):
        logits = self.out(self.rnn(self.embed(x))[0])
        return logits if y is None else nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())

    def write(self, start, n):
        for _ in range(n):
            start = torch.cat([start, self(start)[:, -1:].argmax(-1)], dim=1)
        return start


model = Reader()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
for step in range(90):
    if step % 30 == 0:
        with torch.no_grad():
            print(step, "test loss", model(*draw("test")).item())
    x, y = draw("train")
    loss = model(x, y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
print("".join(letters[i] for i in model.write(codes[None, :4], 20)[0]))
