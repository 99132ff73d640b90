"""refused: PT401"""
import torch
from torch.nn.parallel import DistributedDataParallel

model = DistributedDataParallel(torch.nn.Linear(1, 1))
model(torch.ones(1, 1)).sum().backward()
