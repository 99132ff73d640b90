"""Numbers that a training function returns decide on the best epoch and on stopping. same numbers: 1e-4"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 12)
        self.head = nn.Linear(12, 3)

    def forward(self, x):
        return F.log_softmax(self.head(torch.relu(self.body(x))), dim=1)


def train(model, loader, optimizer):
    model.train()
    total, hits, count = 0.0, 0.0, 0
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = F.nll_loss(output, y)
        loss.backward()
        optimizer.step()
        total += loss.item() * x.shape[0]
        hits += output.argmax(dim=1).eq(y).sum().item()
        count += x.shape[0]
    return total / count, 100.0 * hits / count


def test(model, loader):
    model.eval()
    test_loss, correct = 0, 0
    with torch.no_grad():
        for x, y in loader:
            output = model(x)
            test_loss += F.nll_loss(output, y, reduction="sum").item()
            pred = output.argmax(dim=1, keepdim=True)
            correct += pred.eq(y.view_as(pred)).sum().item()
    test_loss /= len(loader.dataset)
    print("\nTest set: Average loss: {:.4f}, Accuracy: {}/{} ({:.0f}%)\n".format(
        test_loss, correct, len(loader.dataset), 100.0 * correct / len(loader.dataset)))
    return test_loss


def main():
    torch.manual_seed(5)
    x = torch.randn(120, 5)
    y = x[:, :3].argmax(1)
    train_loader = DataLoader(TensorDataset(x[:80], y[:80]), batch_size=12)
    test_loader = DataLoader(TensorDataset(x[80:113], y[80:113]), batch_size=12)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    best, waited, history = float("inf"), 0, []
    for epoch in range(12):
        loss, acc = train(model, train_loader, optimizer)
        held_out = test(model, test_loader)
        history.append(loss)
        print(f"epoch {epoch} loss {loss:.4f} accuracy {acc:.2f}")
        if held_out < best:
            best, waited = held_out, 0
            torch.save(model.state_dict(), "best.pt")
        else:
            waited += 1
        if waited > 2:
            print("stopped at", epoch)
            break
    print("best", best, "history", sum(history))


if __name__ == "__main__":
    main()
