"""Overlaps of boxes and a greedy suppression."""
import torch


def area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def iou(a, b):
    left_top = torch.max(a[:, None, :2], b[:, :2])
    right_bottom = torch.min(a[:, None, 2:], b[:, 2:])
    size = (right_bottom - left_top).clamp(min=0)
    overlap = size[:, :, 0] * size[:, :, 1]
    return overlap / (area(a)[:, None] + area(b) - overlap)


def nms(boxes, scores, threshold):
    order = scores.argsort(descending=True)
    keep = []
    while order.numel() > 0:
        best = order[0]
        keep.append(best.item())
        if order.numel() == 1:
            break
        overlaps = iou(boxes[best].unsqueeze(0), boxes[order[1:]])[0]
        order = order[1:][overlaps < threshold]
    return keep


torch.manual_seed(2)
corners = torch.rand(12, 2) * 10
boxes = torch.cat([corners, corners + 1 + torch.rand(12, 2) * 4], dim=1)
scores = torch.rand(12)
anchors = torch.tensor([[0.0, 0.0, 5.0, 5.0], [5.0, 5.0, 9.0, 9.0]])
best = iou(anchors, boxes).max(dim=1)
print(nms(boxes, scores, 0.3), best.values, best.indices)
