"""Normalisation, activation, dropout and containers of layers."""

from itertools import product

from ._shapes import i, t

SHAPES = [(), (4,), (2, 4), (1, 4), (0, 4), (2, 3), (2, 4, 5), (1, 4, 1), (2, 4, 5, 6), (1, 4, 1, 1), (0, 4, 5, 6), (0, 3, 5, 6), (2, 3, 5, 6), (2, 4, 3, 5, 6), (4, 5, 6)]
ACTIVATIONS = "ReLU ReLU6 LeakyReLU ELU SELU CELU GELU SiLU Mish Sigmoid Tanh Hardtanh Hardswish Hardsigmoid Softplus Softsign Softshrink Hardshrink LogSigmoid Tanhshrink Identity Dropout AlphaDropout RReLU".split()
FUNCTIONS = "relu relu6 leaky_relu elu selu celu gelu silu mish sigmoid tanh hardtanh hardswish hardsigmoid softplus softsign logsigmoid dropout alpha_dropout feature_dropout_".split()[:-1]


def rows():
    for dims, training in product(["1d", "2d", "3d"], ["", ".eval()"]):
        for shape in SHAPES:
            yield f"nn.BatchNorm{dims}(4){training}({t(*shape)})"
            if not training:
                yield f"nn.InstanceNorm{dims}(4){training}({t(*shape)})"
    for arguments, shape in product(["4, track_running_stats=False", "4, affine=False", "num_features=4, momentum=None", "4, eps=1e-3"], SHAPES):
        yield f"nn.BatchNorm2d({arguments})({t(*shape)})"
    for arguments, shape in product(["4", "(4,)", "(5, 6)", "[4, 5, 6]", "6", "(6,), elementwise_affine=False", "3"], SHAPES):
        yield f"nn.LayerNorm({arguments})({t(*shape)})"
    for arguments, shape in product(["(4,)", "[5, 6]", "4", "(6,), t(6)", "(6,), t(5)", "(6,), t(6), t(6)"], [(2, 4), (2, 4, 5, 6), (4,), ()]):
        yield f"F.layer_norm({t(*shape)}, {arguments})"
    for arguments, shape in product(["2, 4", "1, 4", "4, 4", "3, 4", "2, 6", "num_groups=2, num_channels=4, affine=False"], SHAPES):
        yield f"nn.GroupNorm({arguments})({t(*shape)})"
    for groups, shape in product([1, 2, 3], [(2, 4), (2, 4, 5), (4,), (2, 4, 5, 6)]):
        yield f"F.group_norm({t(*shape)}, {groups})"
    for shape, arguments in product([(2, 4), (2, 4, 5), (4,), (2, 4, 5, 6), (1, 4), (2, 3)], ["t(4), t(4)", "t(4), t(4), training=True", "None, None, training=True", "t(3), t(4)", "t(4), t(4), t(4), t(4)"]):
        yield f"F.batch_norm({t(*shape)}, {arguments})"
    for shape in SHAPES:
        yield f"nn.LocalResponseNorm(2)({t(*shape)})"
        yield f"nn.Dropout2d()({t(*shape)})"
        yield f"nn.Dropout1d()({t(*shape)})"
        yield f"nn.Dropout3d()({t(*shape)})"
        yield f"nn.PReLU()({t(*shape)})"
        yield f"nn.PReLU(4)({t(*shape)})"
        yield f"F.prelu({t(*shape)}, t(1))"
        yield f"F.prelu({t(*shape)}, t(4))"
        yield f"nn.Softmax2d()({t(*shape)})"
        for dim in ["-1", "1", "3", "None"]:
            yield f"nn.Softmax(dim={dim})({t(*shape)})"
            yield f"nn.LogSoftmax({dim})({t(*shape)})"
        for dim in ["-1", "0", "1"]:
            yield f"nn.GLU({dim})({t(*shape)})"
            yield f"F.glu({t(*shape)}, dim={dim})"
    for name in ACTIVATIONS:
        for shape in [(), (4,), (2, 4), (0, 4), (2, 4, 5, 6), (1, 2, 1, 2, 1, 2)]:
            yield f"nn.{name}()({t(*shape)})"
        yield f"nn.{name}().eval()({t(2, 4)})"
    for name in "ReLU LeakyReLU ELU SiLU Hardswish Dropout".split():
        yield f"nn.{name}(inplace=True)({t(2, 4)})"
    for name in FUNCTIONS:
        for shape in [(), (4,), (0, 4), (2, 4, 5, 6)]:
            yield f"F.{name}({t(*shape)})"
    for row in ["F.dropout(t(2, 3), p=0.5, training=True)", "F.dropout(t(2, 3), 0.1, False)", "F.dropout(t(2, 3), p=2.0)", "torch.dropout(t(2, 3), p=0.5, train=False)", "nn.Dropout(1.5)", "F.threshold(t(2), 0.1, 20)", "nn.Threshold(0.1, 20)(t(2))",
                "F.relu(i(2))", "F.relu(t(2, 3), inplace=True)", "F.gumbel_softmax(t(2, 3))", "F.gumbel_softmax(t(2, 3), hard=True, dim=0)", "F.softmax(t(2, 3))", "F.gelu(t(2), approximate='tanh')", "nn.GELU('tanh')(t(2))",
                "nn.BatchNorm2d(4).weight", "nn.BatchNorm2d(4).running_mean", "nn.BatchNorm2d(4).num_batches_tracked", "nn.LayerNorm((4, 5)).weight", "nn.GroupNorm(2, 4).bias", "nn.BatchNorm2d(4).num_features",
                "nn.BatchNorm1d(4)(i(2, 4))", "nn.LayerNorm(4)(t(2, 4).double())", "F.normalize(t(2, 3), p=1, dim=0)", "torch.layer_norm(t(2, 4), (4,))", "torch.batch_norm(t(2, 4), None, None, t(4), t(4), False, 0.1, 1e-5, False)",
                "F.local_response_norm(t(2, 4, 5), 2)", "F.instance_norm(t(2, 4, 5))", "torch.relu(t(2, 3))", "torch.softmax(t(2, 3), 1)", "torch.log_softmax(t(2, 3), dim=-1)", "torch.sigmoid(t())", "torch.relu_(t(2))"]:
        yield row
    yield f"nn.ReLU()({i(2)})"
    yield f"nn.Sigmoid()({i(2)})"
