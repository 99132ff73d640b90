"""A multilayer perceptron trained on random digits."""
import torch
from torch import nn, optim

torch.manual_seed(0)
inputs = torch.randn(64, 784)
labels = torch.randint(0, 10, (64,))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(784, 128)
        self.fc2 = nn.Linear(128, 64)
        self.out = nn.Linear(64, 10)
        self.drop = nn.Dropout(0.2)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        x = self.drop(torch.relu(self.fc2(x)))
        return self.out(x)


model = Net()
optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    optimizer.zero_grad()
    logits = model(inputs)
    loss = criterion(logits, labels)
    loss.backward()
    optimizer.step()
accuracy = (logits.argmax(dim=1) == labels).float().mean()
print(loss.item(), accuracy.item())
