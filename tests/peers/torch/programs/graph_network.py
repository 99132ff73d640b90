import torch
import torch.nn as nn
import torch.nn.functional as F

nodes, feats, classes = 12, 7, 3
adjacency = (torch.rand(nodes, nodes) > 0.6).float()
adjacency = ((adjacency + adjacency.t()) > 0).float() + torch.eye(nodes)
degree = adjacency.sum(1)
norm = torch.diag(degree.pow(-0.5))
a_hat = norm @ adjacency @ norm


class GCNLayer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, a):
        return a @ x @ self.weight + self.bias


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = GCNLayer(feats, 16)
        self.second = GCNLayer(16, classes)

    def forward(self, x, a):
        h = F.dropout(F.relu(self.first(x, a)), training=self.training)
        return self.second(h, a)


class GAT(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.W = nn.Linear(inputs, outputs, bias=False)
        self.a = nn.Linear(2 * outputs, 1, bias=False)

    def forward(self, x, adj):
        h = self.W(x)
        n = h.size(0)
        left = h.unsqueeze(1).expand(n, n, -1)
        right = h.unsqueeze(0).expand(n, n, -1)
        e = F.leaky_relu(self.a(torch.cat([left, right], dim=-1)).squeeze(-1), 0.2)
        attention = torch.softmax(e.masked_fill(adj == 0, -1e9), dim=1)
        return attention @ h


x = torch.randn(nodes, feats)
labels = torch.randint(0, classes, (nodes,))
train_mask = torch.zeros(nodes, dtype=torch.bool)
train_mask[:6] = True
model = GCN()
logits = model(x, a_hat)
loss = F.cross_entropy(logits[train_mask], labels[train_mask])
loss.backward()
edges = adjacency.nonzero()
source, target = edges[:, 0], edges[:, 1]
messages = torch.zeros(nodes, feats).index_add_(0, target, x[source])
hidden = GAT(feats, 5)(x, adjacency)
print(messages.shape, hidden.shape, logits.argmax(dim=1)[~train_mask])
