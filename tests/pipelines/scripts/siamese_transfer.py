"""A Siamese network on image folders with a pretrained-style backbone and a triplet loss."""

import copy

import torch
import torch.nn as nn
import torchvision
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, Dataset
from torchvision import datasets, transforms

data_transforms = {
    "train": transforms.Compose([
        transforms.RandomResizedCrop(96),
        transforms.RandomHorizontalFlip(),
        transforms.ToTensor(),
        transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
    ]),
    "val": transforms.Compose([
        transforms.Resize(112),
        transforms.CenterCrop(96),
        transforms.ToTensor(),
        transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
    ]),
}


class Triplets(Dataset):
    def __init__(self, base):
        self.base = base

    def __len__(self):
        return len(self.base)

    def __getitem__(self, index):
        anchor, label = self.base[index]
        positive, _ = self.base[(index + 1) % len(self.base)]
        negative, _ = self.base[(index + 7) % len(self.base)]
        return anchor, positive, negative, label


class Backbone(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7, stride=4, padding=3)
        self.stage = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(2 * width, 1000)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        x = torch.relu(self.stage(x))
        x = torch.flatten(self.pool(x), 1)
        return self.fc(x)


class Embedder(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.backbone = Backbone()
        self.backbone.fc = nn.Linear(self.backbone.fc.in_features, dim)

    def forward(self, x):
        return nn.functional.normalize(self.backbone(x), dim=1)


image_datasets = {x: datasets.ImageFolder(f"images/{x}", data_transforms[x]) for x in ["train", "val"]}
dataloaders = {
    x: DataLoader(Triplets(image_datasets[x]), batch_size=4, shuffle=x == "train", num_workers=0)
    for x in ["train", "val"]
}
dataset_sizes = {x: len(image_datasets[x]) for x in ["train", "val"]}


def train_model(model, criterion, optimizer, scheduler, num_epochs=1):
    best_weights = copy.deepcopy(model.state_dict())
    best_loss = float("inf")
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            running_loss = 0.0
            for anchor, positive, negative, _ in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    a, p, n = model(anchor), model(positive), model(negative)
                    loss = criterion(a, p, n)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * anchor.size(0)
            if phase == "train":
                scheduler.step()
            epoch_loss = running_loss / dataset_sizes[phase]
            print(f"{phase} loss: {epoch_loss:.4f}")
            if phase == "val" and epoch_loss < best_loss:
                best_loss = epoch_loss
                best_weights = copy.deepcopy(model.state_dict())
    model.load_state_dict(best_weights)
    return model


model = Embedder()
criterion = nn.TripletMarginLoss(margin=0.3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9)
scheduler = lr_scheduler.StepLR(optimizer, step_size=7, gamma=0.1)
model = train_model(model, criterion, optimizer, scheduler)
gallery = []
for anchor, _, _, labels in dataloaders["val"]:
    gallery.append(model(anchor).detach())
embeddings = torch.cat(gallery)
distances = torch.cdist(embeddings, embeddings)
nearest = distances.topk(2, largest=False).indices[:, 1]
grid = torchvision.utils.make_grid(anchor)
print(nearest.shape, grid.shape)
