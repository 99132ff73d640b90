"""Weights of a wider model are loaded."""
import torch
from torch import nn


def build(width):
    return nn.Sequential(nn.Linear(12, width), nn.ReLU(), nn.Linear(width, 3))


teacher = build(64)
student = build(32)  # instead: student = build(64)
student.load_state_dict(teacher.state_dict())
print(student(torch.randn(2, 12)).shape)
