import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim=12, heads=3, layers=2):
        super().__init__()
        layer = nn.TransformerEncoderLayer(d_model=dim, nhead=heads, dim_feedforward=24, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=layers)
        self.cross = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm = nn.LayerNorm([dim])
        self.head = nn.Linear(dim, 5)

    def forward(self, source, memory, padding=None):
        encoded = self.encoder(source, src_key_padding_mask=padding)
        attended, weights = self.cross(encoded, memory, memory)
        fused = self.norm(encoded + attended)
        return self.head(fused.mean(dim=1)), weights


model = Encoder()
source = torch.randn(4, 7, 12)
memory = torch.randn(4, 9, 12)
padding = torch.zeros(4, 7, dtype=torch.bool)
logits, weights = model(source, memory, padding)
loss = nn.CrossEntropyLoss(label_smoothing=0.1)(logits, torch.tensor([0, 1, 2, 3]))
loss.backward()
top = weights.topk(2, dim=-1).indices
picked = torch.gather(memory, 1, top[:, 0, :].unsqueeze(-1).expand(-1, -1, 12))
pairs = torch.einsum("bqd,bkd->bqk", source, memory)
mask = torch.triu(torch.ones(7, 7), diagonal=1).bool()
scores = (source @ source.transpose(1, 2)).masked_fill(mask, float("-inf")).softmax(-1)
print(picked.shape, pairs.shape, (scores @ source).shape)

transformer = nn.Transformer(d_model=8, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16)
out = transformer(torch.randn(6, 3, 8), torch.randn(4, 3, 8))
print(out.shape)
