"""DataParallel, gradient clipping, and tqdm."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

torch.manual_seed(0)
x = torch.randn(200, 5)
y = (x[:, :1] > 0).float()
train_set = TensorDataset(x, y)
train_loader = DataLoader(dataset=train_set, batch_size=18, shuffle=True, drop_last=True)

net = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
if torch.cuda.is_available():
    net = net.cuda()
net = nn.DataParallel(net)
opt = optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
loss_fn = nn.BCEWithLogitsLoss()

for epoch in range(4):
    for bx, by in tqdm(train_loader):
        opt.zero_grad()
        out = net(bx)
        loss = loss_fn(out, by.to(out.device))
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
    print("epoch", epoch, "loss", loss.item())
torch.save(net.module.state_dict(), "parallel.pt")
