import torch
import torch.nn as nn

teacher = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
student = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
student.load_state_dict(teacher)  # instead: student.load_state_dict(teacher.state_dict())
print(student)
