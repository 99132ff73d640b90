from .blobs import Blobs
from torch.utils.data import DataLoader


def build_loaders(batch):
    train = Blobs(200, seed=0)
    test = Blobs(50, seed=1)
    return DataLoader(train, batch, shuffle=True), DataLoader(test, batch_size=batch)
