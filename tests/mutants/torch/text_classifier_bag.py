"""EmbeddingBag over sentences of different lengths."""
import torch
from torch import nn
from torch.utils.data import DataLoader

samples = [(0, [1, 2, 3]), (1, [4, 5]), (0, [6, 7, 8, 9]), (1, [2, 2]), (1, [3, 4, 5, 6, 7]), (0, [1])]


def collate(batch):
    labels, texts, offsets = [], [], [0]
    for label, text in batch:
        labels.append(label)
        texts.append(torch.tensor(text, dtype=torch.int64))
        offsets.append(len(text))
    return torch.tensor(labels), torch.cat(texts), torch.tensor(offsets[:-1]).cumsum(dim=0)


class Classifier(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.embedding = nn.EmbeddingBag(vocab, dim)
        self.fc = nn.Linear(dim, classes)

    def forward(self, text, offsets):
        return self.fc(self.embedding(text, offsets))


model = Classifier(20, 8, 2)
loader = DataLoader(samples, batch_size=3, collate_fn=collate)
for labels, text, offsets in loader:
    loss = nn.functional.cross_entropy(model(text, offsets), labels)
    loss.backward()
print(loss.item())
