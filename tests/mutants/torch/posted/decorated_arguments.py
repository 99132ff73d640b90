"""A function under no_grad is called without the targets."""
import torch


@torch.no_grad()
def accuracy(logits, targets):
    return (logits.argmax(1) == targets).float().mean()


logits, targets = torch.randn(8, 3), torch.zeros(8, dtype=torch.long)
for step in range(2):
    print(accuracy(logits))  # instead: print(accuracy(logits, targets))
