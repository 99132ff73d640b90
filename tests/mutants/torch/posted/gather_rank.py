import torch

q = torch.randn(32, 4)
actions = torch.randint(0, 4, (32,))
chosen = q.gather(1, actions)  # instead: chosen = q.gather(1, actions.unsqueeze(1))
print(chosen.shape)
