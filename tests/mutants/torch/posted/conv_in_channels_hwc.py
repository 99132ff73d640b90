import torch
import torch.nn as nn
import numpy as np

image = np.random.rand(32, 32, 3).astype("float32")
layer = nn.Conv2d(3, 16, 3)
tensor = torch.from_numpy(image).unsqueeze(0)  # instead: tensor = torch.from_numpy(image).permute(2, 0, 1).unsqueeze(0)
print(layer(tensor).shape)
