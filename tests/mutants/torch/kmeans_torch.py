"""Lloyd's algorithm."""
import torch


def kmeans(points, k, rounds=5):
    centres = points[torch.randperm(points.shape[0])[:k]]
    for _ in range(rounds):
        distances = torch.cdist(points, centres)
        assignment = distances.argmin(dim=1)
        one_hot = torch.nn.functional.one_hot(assignment, k).float()
        counts = one_hot.sum(dim=0).clamp(min=1)
        centres = (one_hot.t() @ points) / counts[:, None]
    return centres, assignment


torch.manual_seed(0)
data = torch.cat([torch.randn(20, 2) + offset for offset in (0.0, 5.0, 10.0)])
centres, assignment = kmeans(data, 3)
spread = (data - centres[assignment]).pow(2).sum(dim=1).mean()
print(centres.shape, spread.item())
