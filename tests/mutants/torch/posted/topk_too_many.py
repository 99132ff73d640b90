"""More beams than words."""
import torch

vocabulary = 12
logits = torch.randn(4, vocabulary)
values, indices = torch.topk(torch.log_softmax(logits, dim=-1), k=20, dim=-1)  # instead: values, indices = torch.topk(torch.log_softmax(logits, dim=-1), k=5, dim=-1)
print(values.shape, indices.shape)
