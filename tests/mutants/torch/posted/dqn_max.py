"""The result of max along an axis is used as a tensor."""
import torch

q_next = torch.randn(16, 4)
rewards = torch.zeros(16)
target = rewards + 0.99 * q_next.max(1)  # instead: target = rewards + 0.99 * q_next.max(1).values
print(target.shape)
