"""A network over sets of points with a learned transform."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class TNet(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.conv = nn.Conv1d(k, 32, 1)
        self.bn = nn.BatchNorm1d(32)
        self.fc = nn.Linear(32, k * k)

    def forward(self, x):
        h = F.relu(self.bn(self.conv(x)))
        h = torch.max(h, 2)[0]
        eye = torch.eye(self.k).flatten().unsqueeze(0)
        return (self.fc(h) + eye).view(-1, self.k, self.k)


class PointNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.transform = TNet(3)
        self.conv1 = nn.Conv1d(3, 24, 1)
        self.conv2 = nn.Conv1d(24, 48, 1)
        self.fc = nn.Sequential(nn.Linear(48, 24), nn.ReLU(), nn.Dropout(p=0.3), nn.Linear(24, classes))

    def forward(self, points):
        t = self.transform(points)
        x = torch.bmm(points.transpose(2, 1), t).transpose(2, 1)
        x = self.conv2(F.relu(self.conv1(x)))
        x = x.max(dim=2).values
        return self.fc(x), t


net = PointNet(5)
cloud = torch.randn(4, 3, 20)
scores, t = net(cloud)
regular = torch.norm(torch.bmm(t, t.transpose(1, 2)) - torch.eye(3), dim=(1, 2)).mean()
loss = F.cross_entropy(scores, torch.tensor([0, 1, 2, 3])) + 0.001 * regular
loss.backward()
print(loss.item())
