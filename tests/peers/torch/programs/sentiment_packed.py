import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


class Reviews(Dataset):
    def __init__(self, count):
        self.items = [(torch.randint(1, 40, (3 + k % 5,)), k % 2) for k in range(count)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


def collate(batch):
    texts = [text for text, _ in batch]
    lengths = torch.tensor([len(text) for text in texts])
    labels = torch.tensor([label for _, label in batch], dtype=torch.float)
    return pad_sequence(texts, batch_first=True), lengths, labels


class Sentiment(nn.Module):
    def __init__(self, words, dim, hidden):
        super().__init__()
        self.embedding = nn.Embedding(words, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, hidden, num_layers=2, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(hidden * 2, 1)

    def forward(self, text, lengths):
        embedded = self.embedding(text)
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        output, (hidden, cell) = self.lstm(packed)
        unpacked, _ = pad_packed_sequence(output, batch_first=True)
        last = torch.cat((hidden[-2], hidden[-1]), dim=1)
        return self.fc(last).squeeze(-1)


loader = DataLoader(Reviews(20), batch_size=5, collate_fn=collate)
model = Sentiment(40, 8, 6)
criterion = nn.BCEWithLogitsLoss()
for text, lengths, labels in loader:
    loss = criterion(model(text, lengths), labels)
    loss.backward()

example = model.embedding(torch.randint(0, 40, (2, 7)))
states, (h, c) = model.lstm(example)
score = model.fc(states[:, -1])
both = torch.cat([h[0], h[1]], dim=1) + torch.cat([c[0], c[1]], dim=1)
print(score.shape, both.shape)
