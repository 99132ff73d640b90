"""Points and the sums of their coordinates."""
import torch
from torch.utils.data import Dataset


class Points(Dataset):
    def __init__(self, count):
        generator = torch.Generator().manual_seed(count)
        self.points = torch.randn(count, 4, generator=generator)
        print("made", count, "points")

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        return self.points[index], self.points[index].sum(0, keepdim=True)
