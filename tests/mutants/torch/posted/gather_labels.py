"""Log-probabilities of labels; gather needs an index of the same rank."""
import torch

log_probs = torch.log_softmax(torch.randn(6, 5), dim=1)
labels = torch.tensor([0, 4, 2, 1, 3, 0])
picked = log_probs.gather(1, labels)  # instead: picked = log_probs.gather(1, labels.unsqueeze(1)).squeeze(1)
print(-picked.mean())
