"""Mixed images and labels; class indices cannot be mixed with one-hot codes of other classes."""
import torch
import torch.nn.functional as F

logits = torch.randn(8, 10)
labels = torch.randint(0, 10, (8,))
soft = 0.7 * F.one_hot(labels, 10) + 0.3 * F.one_hot(labels.flip(0), 12)  # instead: soft = 0.7 * F.one_hot(labels, 10) + 0.3 * F.one_hot(labels.flip(0), 10)
print(F.cross_entropy(logits, soft))
