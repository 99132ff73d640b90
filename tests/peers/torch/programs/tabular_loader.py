import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

features = torch.randn(200, 12)
weights = torch.randn(12)
targets = (features @ weights > 0).float()
dataset = TensorDataset(features, targets)
train_set, valid_set = random_split(dataset, [160, 40])
train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
valid_loader = DataLoader(dataset, batch_size=50)


class Tabular(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, hidden),
            nn.BatchNorm1d(hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden // 2),
            nn.ReLU(),
            nn.Linear(hidden // 2, 1),
        )

    def forward(self, x):
        return self.layers(x).squeeze(1)


model = Tabular(12, 24)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(2):
    model.train()
    running = 0.0
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        running += loss.item() * inputs.size(0)
    model.eval()
    correct = 0
    with torch.no_grad():
        for inputs, labels in valid_loader:
            predicted = (torch.sigmoid(model(inputs)) > 0.5).float()
            correct += (predicted == labels).sum().item()
    print(epoch, running / len(train_set), correct / len(dataset))
