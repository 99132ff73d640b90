import torch
from torch.utils.data import Dataset, DataLoader


class Points(Dataset):
    def __init__(self, n):
        self.x = torch.randn(n, 3)
        self.y = torch.randint(0, 2, (n,))

    def __len__(self):
        return self.x.shape  # instead: return self.x.shape[0]

    def __getitem__(self, index):
        return self.x[index], self.y[index]


loader = DataLoader(Points(20), batch_size=4)
print(len(loader.dataset))
