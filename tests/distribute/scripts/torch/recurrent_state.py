"""A state as large as a batch, and a schedule that counts the batches of all ranks."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

BATCH = 8
EPOCHS = 3


class Waves(Dataset):
    def __len__(self):
        return 80

    def __getitem__(self, index):
        wave = torch.sin(torch.arange(9) / 2 + index)
        return wave[:-1, None], wave[1:, None]


class Net(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def start(self, size):
        return torch.zeros(1, size, self.hidden)

    def forward(self, x, state):
        output, state = self.rnn(x, state)
        return self.out(output), state


def main():
    dataset = Waves()
    loader = DataLoader(dataset, batch_size=BATCH, shuffle=True, drop_last=True)
    net = Net(16)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    total = len(dataset) // BATCH * EPOCHS
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / (total + 1))
    for epoch in range(EPOCHS):
        state = net.start(BATCH)
        for x, y in loader:
            output, state = net(x, state.detach())
            loss = nn.functional.mse_loss(output, y)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
        print(f"{epoch}: {loss.item():.4f}, rate {schedule.get_last_lr()[0]:.5f}")


if __name__ == "__main__":
    main()
