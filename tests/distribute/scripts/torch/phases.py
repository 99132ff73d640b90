"""Training and validation in one loop over phases; the best weights are kept in memory."""
import copy

import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


def make(count, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 6, generator=gen)
    return TensorDataset(x, (x[:, 0] > 0).long())


datasets = {"train": make(244, 1), "val": make(61, 2)}
dataloaders = {phase: DataLoader(datasets[phase], batch_size=12, shuffle=True) for phase in ["train", "val"]}
dataset_sizes = {phase: len(datasets[phase]) for phase in ["train", "val"]}
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


def train_model(model, criterion, optimizer, scheduler, num_epochs=4):
    best_weights = copy.deepcopy(model.state_dict())
    best_acc = 0.0
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            running_loss = 0.0
            running_corrects = 0
            for inputs, labels in dataloaders[phase]:
                inputs = inputs.to(device)
                labels = labels.to(device)
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
            if phase == "train":
                scheduler.step()
            epoch_loss = running_loss / dataset_sizes[phase]
            epoch_acc = running_corrects.double() / dataset_sizes[phase]
            print(f"{phase} Loss: {epoch_loss:.4f} Acc: {epoch_acc:.4f}")
            if phase == "val" and epoch_acc > best_acc:
                best_acc = epoch_acc
                best_weights = copy.deepcopy(model.state_dict())
    model.load_state_dict(best_weights)
    return model


net = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 2)).to(device)
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
net = train_model(net, nn.CrossEntropyLoss(), optimizer, lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5))
