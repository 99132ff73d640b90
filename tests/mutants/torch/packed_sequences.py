"""Padded sentences through a packed LSTM."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

sentences = [torch.randint(1, 30, (length,)) for length in (7, 5, 4, 2)]
lengths = torch.tensor([len(s) for s in sentences])
padded = pad_sequence(sentences, batch_first=True)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 12, padding_idx=0)
        self.lstm = nn.LSTM(12, 20, batch_first=True)
        self.fc = nn.Linear(20, 3)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embed(x), lengths, batch_first=True)
        out, (h, _) = self.lstm(packed)
        unpacked, _ = pad_packed_sequence(out, batch_first=True)
        mask = (x != 0).unsqueeze(-1)
        mean = (unpacked * mask).sum(dim=1) / lengths.unsqueeze(1)
        return self.fc(mean + h[-1])


print(Reader()(padded, lengths).shape)
