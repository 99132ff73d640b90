"""The mean of integers is asked for."""
import torch

labels = torch.tensor([0, 1, 1, 2, 0])
predictions = torch.tensor([0, 1, 2, 2, 0])
accuracy = (labels == predictions).mean()  # instead: accuracy = (labels == predictions).float().mean()
print(accuracy)
