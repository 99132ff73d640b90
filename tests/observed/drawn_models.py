"""Models of different kinds, which `drawn.py` holds `pytrope draw` to."""

import math
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn


def mlp():
    return nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 5))


class Functional(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 8, 5)
        self.c2 = nn.Conv2d(8, 16, 5)
        self.fc = nn.Linear(256, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return F.log_softmax(self.fc(x.flatten(1)), dim=1)


class Residual(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.short = nn.Identity() if cin == cout and stride == 1 else nn.Conv2d(cin, cout, 1, stride)

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(y)) + self.short(x))


class ResNet(nn.Module):
    def __init__(self, widths=(16, 32, 64), depth=2):
        super().__init__()
        self.stem = nn.Conv2d(3, widths[0], 3, padding=1)
        stages = []
        cin = widths[0]
        for i, w in enumerate(widths):
            blocks = [Residual(cin, w, 1 if i == 0 else 2)]
            blocks += [Residual(w, w) for _ in range(depth - 1)]
            stages.append(nn.Sequential(*blocks))
            cin = w
        self.stages = nn.ModuleList(stages)
        self.head = nn.Linear(cin, 10)

    def forward(self, x):
        x = self.stem(x)
        for stage in self.stages:
            x = stage(x)
        return self.head(x.mean((2, 3)))


class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        a = (q @ k.transpose(-2, -1)) / math.sqrt(d // self.h)
        return self.out((a.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, d=64, h=4):
        super().__init__()
        self.ln1 = nn.LayerNorm(d)
        self.attn = Attention(d, h)
        self.ln2 = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, vocab=100, d=64, layers=3, ctx=32):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(torch.zeros(1, ctx, d))
        self.blocks = nn.ModuleList([Block(d) for _ in range(layers)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab, bias=False)
        self.head.weight = self.tok.weight

    def forward(self, idx):
        x = self.tok(idx) + self.pos[:, : idx.size(1)]
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def double(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
        nn.Conv2d(cout, cout, 3, padding=1),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, cin=3, classes=2, base=8):
        super().__init__()
        self.d1, self.d2, self.d3 = double(cin, base), double(base, base * 2), double(base * 2, base * 4)
        self.pool = nn.MaxPool2d(2)
        self.up2 = nn.ConvTranspose2d(base * 4, base * 2, 2, stride=2)
        self.u2 = double(base * 4, base * 2)
        self.up1 = nn.ConvTranspose2d(base * 2, base, 2, stride=2)
        self.u1 = double(base * 2, base)
        self.out = nn.Conv2d(base, classes, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        c = self.d3(self.pool(b))
        y = self.u2(torch.cat([self.up2(c), b], 1))
        y = self.u1(torch.cat([self.up1(y), a], 1))
        return self.out(y)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(500, 32, padding_idx=0)
        self.lstm = nn.LSTM(32, 64, num_layers=2, bidirectional=True, batch_first=True)
        self.cls = nn.Linear(128, 7)

    def forward(self, tokens):
        h, (hn, cn) = self.lstm(self.emb(tokens))
        return self.cls(h)


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.GRU(10, 20)
        self.dec = nn.GRUCell(10, 20)
        self.proj = nn.Linear(20, 10)

    def forward(self, src):
        _, h = self.enc(src)
        h = h[0]
        y = src[-1]
        outs = []
        for _ in range(3):
            h = self.dec(y, h)
            y = self.proj(h)
            outs.append(y)
        return torch.stack(outs)


class VAE(nn.Module):
    def __init__(self, z=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU())
        self.mu = nn.Linear(128, z)
        self.logvar = nn.Linear(128, z)
        self.dec = nn.Sequential(
            nn.Linear(z, 128), nn.ReLU(), nn.Linear(128, 784), nn.Sigmoid(), nn.Unflatten(1, (1, 28, 28))
        )

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


class Mobile(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, 16, 3, 2, 1, bias=False),
            nn.BatchNorm2d(16),
            nn.Hardswish(),
            nn.Conv2d(16, 16, 3, 1, 1, groups=16, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU6(),
            nn.Conv2d(16, 32, 1),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Linear(32, 4),
        )

    def forward(self, x):
        return self.net(x)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.attn = nn.MultiheadAttention(32, 4, batch_first=True)
        self.head = nn.Linear(32, 3)

    def forward(self, x):
        x = self.encoder(x)
        x, _ = self.attn(x, x, x)
        return self.head(x[:, 0])


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.tower = nn.Sequential(nn.Conv1d(4, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten())
        self.bil = nn.Bilinear(8, 8, 2)

    def forward(self, a, b):
        return self.bil(self.tower(a), self.tower(b))


class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.ParameterList([nn.Parameter(torch.randn(6, 12)), nn.Parameter(torch.randn(12, 3))])
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x, adj):
        for w in self.w:
            x = torch.relu(adj @ x @ w)
        return self.scale * x


class Wrong(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(16), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x).mean((2, 3)))


class WrongSum(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.b = nn.Linear(4, 6)

    def forward(self, x):
        return self.a(x) + self.b(x)


class Uncalled(nn.Module):
    def __init__(self, width, depth, activation=nn.ReLU):
        super().__init__()
        self.layers = nn.Sequential(*[m for _ in range(depth) for m in (nn.Linear(width, width), activation())])

    def forward(self, x):
        return self.layers(x)


class Machine(nn.Module):
    """A whole transformer."""

    def __init__(self):
        super().__init__()
        self.src = nn.Embedding(50, 24)
        self.tgt = nn.Embedding(60, 24)
        self.net = nn.Transformer(
            24, 4, num_encoder_layers=2, num_decoder_layers=3, dim_feedforward=48, batch_first=True
        )
        self.out = nn.Linear(24, 60)

    def forward(self, src, tgt):
        return self.out(self.net(self.src(src), self.tgt(tgt)))


class DecoderOnly(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerDecoderLayer(16, 2, 32, batch_first=True)
        self.decoder = nn.TransformerDecoder(layer, 4, norm=nn.LayerNorm(16))
        self.memory = nn.Parameter(torch.zeros(1, 6, 16))

    def forward(self, x):
        return self.decoder(x, self.memory.expand(x.shape[0], -1, -1))


class Nested(nn.Module):
    """Encoders inside of a Sequential inside of a ModuleList."""

    def __init__(self):
        super().__init__()

        def stage(width, depth):
            return nn.Sequential(
                nn.TransformerEncoder(nn.TransformerEncoderLayer(width, 4, 2 * width, batch_first=True), depth),
                nn.Linear(width, 2 * width),
            )

        self.stages = nn.ModuleList([stage(16, 1), stage(32, 3)])

    def forward(self, x):
        for s in self.stages:
            x = s(x)
        return x.mean(1)


class Heads(nn.Module):
    """A dictionary of heads."""

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(12, 20)
        self.heads = nn.ModuleDict(
            {"age": nn.Linear(20, 1), "kind": nn.Sequential(nn.Linear(20, 8), nn.ReLU(), nn.Linear(8, 5))}
        )

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return {name: head(h) for name, head in self.heads.items()}["kind"]


class TiedAutoencoder(nn.Module):
    """The decoder uses the encoder's weight, transposed."""

    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(30, 7)
        self.bias = nn.Parameter(torch.zeros(30))

    def forward(self, x):
        h = torch.relu(self.enc(x))
        return F.linear(h, self.enc.weight.t(), self.bias)


class SharedLayer(nn.Module):
    """One layer under two names, called three times (ALBERT)."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(9, 9)
        self.again = self.first
        self.norm = nn.LayerNorm(9)

    def forward(self, x):
        return self.norm(self.again(self.first(self.first(x))))


class Buffers(nn.Module):
    """Buffers are no parameters."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(10, 10)))
        self.register_parameter("scale", nn.Parameter(torch.ones(8)))
        self.register_parameter("nothing", None)
        self.norm = nn.BatchNorm1d(8, affine=False)
        self.inst = nn.InstanceNorm1d(8, affine=True)

    def forward(self, x):
        y = self.inst(self.norm(x))
        return y * self.scale[:, None] @ self.mask


class Dictionaries(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterDict({"a": nn.Parameter(torch.zeros(4, 6)), "b": nn.Parameter(torch.zeros(6))})
        self.more = nn.ParameterList(nn.Parameter(torch.zeros(6, 6)) for _ in range(3))

    def forward(self, x):
        x = x @ self.weights["a"] + self.weights["b"]
        for w in self.more:
            x = x @ w
        return x


class Speech(nn.Module):
    """Two LSTMs with projections, and a GRU."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(13, 40, num_layers=3, proj_size=12, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(24, 16, num_layers=2, bias=False, batch_first=True)
        self.rnn = nn.RNN(16, 8, nonlinearity="relu", batch_first=True)
        self.out = nn.Linear(8, 30)

    def forward(self, x):
        x, _ = self.lstm(x)
        x, _ = self.gru(x)
        x, _ = self.rnn(x)
        return self.out(x)


class Cross(nn.Module):
    """Attention whose keys and values have sizes of their own."""

    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(32, 4, kdim=20, vdim=24, bias=False, batch_first=True)
        self.plus = nn.MultiheadAttention(32, 8, add_bias_kv=True, batch_first=True)

    def forward(self, q, k, v):
        x, _ = self.attn(q, k, v)
        y, _ = self.plus(x, x, x)
        return x + y


class Frozen(nn.Module):
    """A part without gradients counts too."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            OrderedDict(conv=nn.Conv2d(3, 6, 3, groups=3), act=nn.PReLU(6), pool=nn.AdaptiveAvgPool2d((2, 2)))
        )
        self.body.requires_grad_(False)
        self.head = nn.Linear(24, 2, bias=False)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


class Audio(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList()
        width = 1
        for out, kernel in [(8, 10), (16, 8), (16, 4)]:
            self.convs.append(
                nn.Sequential(nn.Conv1d(width, out, kernel, stride=2, bias=False), nn.GroupNorm(4, out), nn.GELU())
            )
            width = out
        self.pos = nn.utils.weight_norm(nn.Conv1d(16, 16, 9, padding=4, groups=4))

    def forward(self, x):
        for conv in self.convs:
            x = conv(x)
        return x + self.pos(x)


class Mixer(nn.Module):
    def __init__(self, depth=3, patches=16, dim=24):
        super().__init__()
        self.embed = nn.Conv2d(3, dim, 8, stride=8)
        self.layers = nn.Sequential(*[MixerLayer(patches, dim) for _ in range(depth)])
        self.head = nn.Linear(dim, 10)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        return self.head(self.layers(x).mean(dim=1))


class MixerLayer(nn.Module):
    def __init__(self, patches, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.tokens = nn.Sequential(nn.Linear(patches, 2 * patches), nn.GELU(), nn.Linear(2 * patches, patches))
        self.channels = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.tokens(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.n2(x))


class Video(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(3, 8, (3, 5, 5), stride=(1, 2, 2), padding=(1, 2, 2))
        self.norm = nn.BatchNorm3d(8)
        self.pool = nn.AdaptiveAvgPool3d(1)
        self.up = nn.ConvTranspose3d(8, 4, 2, stride=2)

    def forward(self, x):
        return self.pool(self.up(F.relu(self.norm(self.conv(x))))).flatten(1)


class TiedHead(nn.Module):
    """An output layer that shares the embedding, with a bias."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(80, 16)
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(16, 2, 64, dropout=0.0, activation="gelu", batch_first=True, norm_first=True),
            2,
            norm=nn.LayerNorm(16),
            enable_nested_tensor=False,
        )
        self.out = nn.Linear(16, 80)
        self.out.weight = self.embed.weight

    def forward(self, tokens):
        return self.out(self.encoder(self.embed(tokens)))


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(200, 10, mode="mean")
        self.cell = nn.LSTMCell(10, 14)
        self.layers = nn.ModuleList([nn.Linear(14, 14) for _ in range(2)])
        self.layers.extend([nn.Linear(14, 3)])

    def forward(self, tokens):
        h, c = self.cell(self.bag(tokens))
        for layer in self.layers:
            h = layer(h)
        return h


class Squeeze(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.add_module("squeeze", nn.AdaptiveAvgPool2d(1))
        self.gate = nn.Sequential(nn.Conv2d(c, c // 4, 1), nn.SiLU(), nn.Conv2d(c // 4, c, 1), nn.Sigmoid())
        setattr(self, "tail", nn.Conv2d(c, 2 * c, 3, dilation=2))

    def forward(self, x):
        return self.tail(x * self.gate(self.squeeze(x)))


class Lazy(nn.Module):
    """Layers made in a loop by `setattr`, and one that is never called."""

    def __init__(self):
        super().__init__()
        for i in range(3):
            setattr(self, f"fc{i}", nn.Linear(5, 5))
        self.unused = nn.Linear(100, 100)

    def forward(self, x):
        return self.fc2(self.fc1(self.fc0(x)))


def pyramid():
    layers = OrderedDict()
    width = 64
    while width > 8:
        layers[f"down{width}"] = nn.Linear(width, width // 2)
        layers[f"act{width}"] = nn.LeakyReLU()
        width //= 2
    return nn.Sequential(layers)


def deep():
    return nn.Sequential(*[nn.Linear(8, 8) for _ in range(150)])


class Plain(nn.Module):
    """Blocks without biases, and attention that adds keys of its own."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(12, 3, 24, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.attn = nn.MultiheadAttention(12, 3, bias=False, add_zero_attn=True, batch_first=True)

    def forward(self, x):
        x = self.encoder(x)
        return self.attn(x, x, x)
