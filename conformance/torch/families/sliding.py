"""Convolutions, pools, padding and resampling, by dimensionality, options and calling form."""

from itertools import product

from ._shapes import fill, t

SPATIAL = {1: [(2, 4, 10), (4, 10), (2, 3, 10), (2, 4, 2), (10,), (2, 4, 0), (0, 4, 10), (1, 2, 4, 10)], 2: [(2, 4, 8, 9), (4, 8, 9), (2, 3, 8, 9), (2, 4, 2, 9), (8, 9), (1, 4, 5, 5), (2, 4, 0, 9), (1, 2, 4, 8, 9)], 3: [(2, 4, 5, 6, 7), (4, 5, 6, 7), (2, 3, 5, 6, 7), (2, 4, 1, 6, 7), (4, 6, 7)]}
CONV = ["3", "3, padding=1", "3, stride=2", "2, 2", "3, padding='same'", "3, padding='valid'", "3, 2, padding='same'", "3, dilation=2", "1, groups=2", "1, groups=4", "3, bias=False, padding_mode='circular', padding=1", "3, padding=2, dilation=2, stride=2", "kernel_size=3, padding=1, padding_mode='reflect'"]
POOL = ["2", "3, 2", "3, stride=1, padding=1", "2, ceil_mode=True", "3, 3, 1, ceil_mode=True", "2, padding=2", "5, 2", "1", "kernel_size=3, stride=2"]
SIZES = ["1", "3", "(2,)", "5"]


def rows():
    for rank, shapes in SPATIAL.items():
        for arguments, shape in product(CONV, shapes):
            yield f"nn.Conv{rank}d(4, 8, {arguments})({t(*shape)})"
        for arguments, shape in product(["2", "2, stride=2", "3, 2, 1", "3, stride=2, padding=1, output_padding=1", "2, groups=2", "2, dilation=2", "3, 2, output_padding=2", "1, bias=False", "3, padding=3"], shapes):
            yield f"nn.ConvTranspose{rank}d(4, 6, {arguments})({t(*shape)})"
        for name, arguments, shape in product(["MaxPool", "AvgPool"], POOL, shapes):
            yield f"nn.{name}{rank}d({arguments})({t(*shape)})"
        for arguments, shape in product(["2", "2, 1", "3, stride=3, padding=1"], shapes):
            yield f"F.max_pool{rank}d({t(*shape)}, {arguments})"
            yield f"F.avg_pool{rank}d({t(*shape)}, {arguments})"
            yield f"nn.MaxPool{rank}d({arguments}, return_indices=True)({t(*shape)})[1]"
        for shape, size in product(shapes, ["1", "3", "5", str((2,) * rank), str((None,) * rank), str((2,) * (rank + 1))]):
            yield f"nn.AdaptiveAvgPool{rank}d({size})({t(*shape)})"
            yield f"nn.AdaptiveMaxPool{rank}d({size})({t(*shape)})"
            yield f"F.adaptive_avg_pool{rank}d({t(*shape)}, {size})"
        for name, shape in product(["BatchNorm", "InstanceNorm"], shapes):
            yield f"nn.{name}{rank}d(4)({t(*shape)})"
            yield f"nn.{name}{rank}d(4).eval()({t(*shape)})"
            yield f"nn.{name}{rank}d(4, affine=True, track_running_stats=True)({t(*shape)})"
            yield f"nn.Dropout{rank}d()({t(*shape)})"
        for name, size, shape in product(["ConstantPad", "ZeroPad", "ReflectionPad", "ReplicationPad", "CircularPad"], ["1", str((1, 2) * rank), str((1,) * (2 * rank - 1)), "9", "-1"], shapes):
            more = ", 0.5" if name == "ConstantPad" else ""
            yield f"nn.{name}{rank}d({size}{more})({t(*shape)})"
        weights = {"w": (8, 4) + (3,) * rank, "v": (8, 2) + (1,) * rank, "u": (4, 4) + (2,) * (rank - 1)}
        for shape, weight in product(shapes, weights.values()):
            yield f"F.conv{rank}d({t(*shape)}, {t(*weight)})"
            yield f"F.conv{rank}d({t(*shape)}, {t(*weight)}, t(8), stride=2, padding=1)"
            yield f"F.conv{rank}d({t(*shape)}, {t(*weight)}, t(7))"
            yield f"F.conv{rank}d({t(*shape)}, {t(*weight)}, groups=2)"
            yield f"F.conv_transpose{rank}d({t(*shape)}, {t(*weight)})"
    images = [(2, 3, 8, 6), (3, 8, 6), (2, 3, 8), (2, 3, 4, 5, 6), (8,), (0, 3, 8, 6)]
    for shape in images:
        for arguments in ["size=4", "size=(4, 5)", "scale_factor=2", "scale_factor=0.5", "scale_factor=(2, 3)", "size=(4, 5), mode='bilinear'", "size=4, mode='linear'", "scale_factor=2, mode='bicubic', align_corners=True", "size=(2, 3, 4), mode='trilinear'", "scale_factor=1.5, mode='area'", "", "size=4, scale_factor=2",
                          "scale_factor=2, mode='nearest-exact'", "size=(4, 5), mode='bilinear', antialias=True", "size=4.0", "scale_factor=2, mode='nearest', align_corners=True", "size=0", "mode='bilinear', size=3"]:
            yield f"F.interpolate({t(*shape)}, {arguments})"
            if "antialias" not in arguments:
                yield f"nn.Upsample({arguments})({t(*shape)})"
        for pad in ["(1, 1)", "(1, 2, 3, 4)", "(1,)", "(1, 1, 1, 1, 1, 1)", "(-1, 0)", "(1, 1), 'reflect'", "(1, 1, 1, 1), 'reflect'", "(1, 1, 1, 1), mode='replicate'", "(7, 7, 7, 7), 'reflect'", "(1, 1), 'circular'", "(1, 1), value=2.0", "(-9, 0)", "(0, 1) * 5", "[2, 2]", "1", "(1, 1), 'other'"]:
            yield f"F.pad({t(*shape)}, {pad})"
        for arguments in ["2", "(2, 3)", "3, padding=1", "2, stride=2", "2, dilation=2", "9", "(2, 2), 1, 0, 2"]:
            yield f"F.unfold({t(*shape)}, {arguments})"
            yield f"nn.Unfold({arguments})({t(*shape)})"
        for arguments in ["2", "1", "3", "0"]:
            yield f"F.pixel_shuffle({t(*shape)}, {arguments})"
            yield f"F.pixel_unshuffle({t(*shape)}, {arguments})"
            yield f"nn.PixelShuffle({arguments})({t(*shape)})"
            yield f"nn.ChannelShuffle({arguments})({t(*shape)})" if arguments != "0" else f"nn.PixelUnshuffle(2)({t(*shape)})"
        for grid in ["t(2, 5, 5, 2)", "t(2, 5, 5, 3)", "t(1, 5, 5, 2)", "t(2, 5, 5)", "t(2, 3, 4, 5, 3)"]:
            yield f"F.grid_sample({t(*shape)}, {grid})"
            yield f"F.grid_sample({t(*shape)}, {grid}, mode='nearest', padding_mode='border', align_corners=True)"
        for groups in ["1", "3", "2"]:
            yield f"nn.GroupNorm({groups}, 3)({t(*shape)})"
            yield f"F.group_norm({t(*shape)}, {groups}, t(3), t(3))"
        yield f"nn.LocalResponseNorm(2)({t(*shape)})"
        yield f"nn.Flatten()({t(*shape)})"
        yield f"nn.Flatten(2)({t(*shape)})"
        yield f"nn.Flatten(0, 1)({t(*shape)})"
        yield f"nn.Unflatten(1, (3, 1))({t(*shape)})"
        yield f"nn.Unflatten(1, (2, 2))({t(*shape)})"
        yield f"nn.Unflatten(-1, (2, -1))({t(*shape)})"
    for theta, size in product(["t(2, 2, 3)", "t(1, 2, 3)", "t(2, 3, 4)", "t(2, 3)", "i(2, 2, 3)"], ["(2, 3, 4, 5)", "[2, 3, 4, 5, 6]", "(3, 3, 4, 5)", "(2, 3, 4)", "torch.Size((2, 1, 4, 4))"]):
        yield f"F.affine_grid({theta}, {size})"
        yield f"F.affine_grid({theta}, {size}, align_corners=True)"
    for x, arguments in product(["t(2, 12, 9)", "t(12, 9)", "t(2, 12, 8)", "t(2, 11, 9)", "t(12)"], ["(4, 4), 2", "(4, 4), (2, 2)", "output_size=(4, 4), kernel_size=2, padding=1", "4, 2", "(4, 4), 2, stride=2"]):
        yield f"F.fold({x}, {arguments})"
        yield f"nn.Fold({arguments})({x})"
    yield from fill(["nn.Conv2d(4, 8, (3, {k}))(t(2, 4, 8, 9))", "nn.Conv2d(4, 8, 3, stride=(1, {k}))(t(2, 4, 8, 9))", "nn.Conv2d(4, 8, 3, padding=(0, {k}))(t(2, 4, 8, 9))", "nn.Conv2d({k}, 8, 3)(t(2, 4, 8, 9))", "nn.Conv2d(4, {k}, 3, groups=2)(t(2, 4, 8, 9))", "nn.Conv1d({k}, 4, 2)(t(2, 4, 8))", "nn.MaxPool2d((2, {k}))(t(2, 4, 8, 9))",
                     "nn.Linear({k}, 3)(t(2, 4))", "nn.Bilinear(4, {k}, 5)(t(2, 4), t(2, 3))", "nn.Embedding(9, {k})(i(2))", "nn.LayerNorm({k})(t(2, 4))", "nn.GroupNorm({k}, 4)(t(2, 4))", "nn.PReLU({k})(t(2, 4))", "nn.LSTM(4, {k})(t(3, 4))[0]", "nn.MultiheadAttention(4, {k})(t(3, 4), t(3, 4), t(3, 4))[0]", "nn.BatchNorm1d({k})(t(2, 4))"],
                    k=["0", "1", "2", "3", "4", "-1"])
