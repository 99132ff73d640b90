"""A small network learns from the outputs of a larger one."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Sequential(nn.Linear(32 * 4 * 4, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.head(torch.flatten(self.body(x), 1))


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, stride=2, padding=1), nn.ReLU())
        self.head = nn.Linear(8 * 4 * 4, 10)

    def forward(self, x):
        return self.head(torch.flatten(self.body(x), 1))


def train_step(teacher, student, images, labels, optimizer, temperature=2.0):
    with torch.no_grad():
        teacher_logits = teacher(images)
    student_logits = student(images)
    soft_targets = F.softmax(teacher_logits / temperature, dim=-1)
    soft_prob = F.log_softmax(student_logits / temperature, dim=-1)
    soft = F.kl_div(soft_prob, soft_targets, reduction="batchmean") * temperature ** 2
    hard = F.cross_entropy(student_logits, labels)
    loss = 0.5 * soft + 0.5 * hard
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


teacher, student = Teacher(), Student()
optimizer = torch.optim.Adam(student.parameters(), lr=1e-3)
images = torch.randn(4, 3, 16, 16)
labels = torch.tensor([1, 2, 3, 4])
print(train_step(teacher, student, images, labels, optimizer))
