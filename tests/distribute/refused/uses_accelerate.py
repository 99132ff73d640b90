"""refused: PT419"""
import torch
from accelerate import Accelerator

accelerator = Accelerator()
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
