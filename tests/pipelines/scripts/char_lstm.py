"""A character language model with an LSTM and a collate function that pads."""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

TEXT = ["the quick brown fox", "jumps over", "the lazy dog and runs away", "hello world"] * 25
VOCABULARY = sorted(set("".join(TEXT)))
INDEX = {letter: number + 1 for number, letter in enumerate(VOCABULARY)}
PAD = 0


class Lines(Dataset):
    def __init__(self, lines):
        self.lines = lines

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, i):
        ids = torch.tensor([INDEX[letter] for letter in self.lines[i]], dtype=torch.long)
        return ids[:-1], ids[1:]


def collate(batch):
    inputs, targets = zip(*batch)
    inputs = pad_sequence(list(inputs), batch_first=True, padding_value=PAD)
    targets = pad_sequence(list(targets), batch_first=True, padding_value=PAD)
    return inputs, targets


class CharLM(nn.Module):
    def __init__(self, vocabulary, embedding=32, hidden=64, layers=2):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, embedding, padding_idx=PAD)
        self.lstm = nn.LSTM(embedding, hidden, num_layers=layers, batch_first=True, dropout=0.1)
        self.decoder = nn.Linear(hidden, vocabulary)

    def forward(self, tokens, state=None):
        embedded = self.embedding(tokens)
        output, state = self.lstm(embedded, state)
        return self.decoder(output), state


def train(model, loader, epochs=2, lr=1e-2):
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        for tokens, targets in loader:
            logits, _ = model(tokens)
            loss = criterion(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
            optimizer.step()
        print(epoch, float(loss))


@torch.no_grad()
def sample(model, start="t", length=20):
    model.eval()
    token = torch.tensor([[INDEX[start]]])
    state = None
    letters = [start]
    for _ in range(length):
        logits, state = model(token, state)
        probabilities = torch.softmax(logits[:, -1, :], dim=-1)
        token = torch.multinomial(probabilities, num_samples=1)
        number = token.item()
        letters.append(VOCABULARY[number - 1] if number > 0 else " ")
    return "".join(letters)


loader = DataLoader(Lines(TEXT), batch_size=16, shuffle=True, collate_fn=collate)
model = CharLM(len(VOCABULARY) + 1)
train(model, loader)
print(sample(model))
hidden = torch.zeros(2, 4, 64)
cell = torch.zeros(2, 4, 64)
probe = torch.randint(1, 10, (4, 7))
scores, (hidden, cell) = model(probe, (hidden, cell))
print(scores.shape, hidden.shape)
