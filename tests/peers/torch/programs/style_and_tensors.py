import torch
import torch.nn as nn
import torch.nn.functional as F


def gram_matrix(features):
    b, c, h, w = features.size()
    flat = features.view(b * c, h * w)
    return torch.mm(flat, flat.t()).div(b * c * h * w)


class StyleLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = gram_matrix(target).detach()

    def forward(self, x):
        return F.mse_loss(gram_matrix(x), self.target)


style = torch.rand(1, 6, 8, 8)
content = torch.rand(1, 6, 8, 8, requires_grad=True)
loss = StyleLoss(style)(content)
loss.backward()
mean = torch.tensor([0.485, 0.456, 0.406]).view(-1, 1, 1)
std = torch.tensor([0.229, 0.224, 0.225]).view(-1, 1, 1)
image = (torch.rand(2, 3, 10, 10) - mean) / std
grid = F.affine_grid(torch.eye(2, 3).unsqueeze(0).repeat(2, 1, 1), image.size())
warped = F.grid_sample(image, grid)
patches = image.unfold(2, 5, 5).unfold(3, 5, 5).reshape(2, 3, 4, 5, 5)
columns = F.unfold(image, kernel_size=2, stride=2)
restored = F.fold(columns, output_size=(10, 10), kernel_size=2, stride=2)
upsampled = F.interpolate(image, scale_factor=2, mode="bilinear", align_corners=False)
chunks = torch.chunk(torch.arange(12).reshape(3, 4), 2, dim=1)
stacked = torch.stack([torch.ones(2, 3), torch.zeros(2, 3)], dim=1)
rows, columns_ = torch.meshgrid(torch.arange(3), torch.arange(4), indexing="ij")
points = torch.stack((rows, columns_), dim=-1).reshape(-1, 2)
one_hot = F.one_hot(torch.tensor([0, 2, 1]), num_classes=4)
values, indices = torch.sort(torch.rand(4, 5), dim=1)
batched = torch.bmm(torch.rand(3, 2, 4), torch.rand(3, 4, 5))
outer = torch.einsum("i,j->ij", torch.arange(3.0), torch.arange(4.0))
covariance = torch.linalg.inv(torch.eye(4) + outer[:3].T @ outer[:3])
scattered = torch.zeros(3, 5).scatter_(1, torch.tensor([[0, 1], [2, 3], [4, 0]]), 1.0)
print(warped.shape, patches.shape, restored.shape, upsampled.shape, chunks[1].shape, stacked.shape, points.shape, one_hot.shape, indices[:, :2].shape, batched.shape, covariance.shape, scattered.sum(0).shape)
