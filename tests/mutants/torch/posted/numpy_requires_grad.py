import numpy as np
import torch

w = torch.ones(4, requires_grad=True)
x = torch.arange(4.0)
curve = (w * x).numpy()  # instead: curve = (w * x).detach().numpy()
print(np.max(curve))
