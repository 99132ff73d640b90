"""Convolutions, transposed convolutions, pooling, fold/unfold, resizing: everything with a sliding window."""

from itertools import product

from ._shapes import fill, t

ONE = [(4, 10), (2, 4, 10), (0, 4, 10), (2, 3, 10), (4,), (2, 4, 1), (1, 2, 4, 10)]
TWO = [(4, 9, 8), (2, 4, 9, 8), (0, 4, 9, 8), (2, 3, 9, 8), (9, 8), (2, 4, 2, 2), (1, 2, 4, 9, 8), (2, 4, 0, 8)]
THREE = [(4, 5, 6, 7), (2, 4, 5, 6, 7), (4, 5, 6), (2, 3, 5, 6, 7)]
CONV = ["4, 6, 3", "4, 6, 1", "4, 6, kernel_size=3, stride=2, padding=1", "4, 8, 3, padding='same'", "4, 8, 3, padding='valid'", "4, 8, 3, dilation=2", "4, 8, 3, groups=2", "4, 4, 3, 1, 1, 1, 4", "4, 6, 5, stride=3",
        "4, 6, 12", "4, 6, 3, stride=2, padding='same'", "4, 6, 3, groups=3", "3, 6, 3, groups=2", "4, 6, 3, padding=1, padding_mode='reflect'", "4, 6, 3, bias=False", "4, 6, 2, padding=3", "4, 6, 4, padding='same', dilation=2", "4, 6, 3, padding=1, padding_mode='zeros'"]
TRANSPOSED = ["4, 6, 3", "4, 6, 3, stride=2", "4, 6, 4, stride=2, padding=1", "4, 6, 3, 2, 1, 1", "4, 6, 3, output_padding=1", "4, 6, 2, stride=2, groups=2", "4, 6, 3, dilation=2", "3, 6, 3", "4, 6, 1, padding=5", "4, 6, 3, groups=3"]
POOL = ["2", "3, 2", "3, stride=2, padding=1", "2, ceil_mode=True", "3, 2, ceil_mode=True", "2, padding=2", "12", "kernel_size=3, stride=1", "3, stride=3, padding=1, ceil_mode=True", "1", "2, 1"]


def rows():
    for dims, shapes in (("1d", ONE), ("2d", TWO), ("3d", THREE)):
        for arguments, shape in product(CONV, shapes):
            yield f"nn.Conv{dims}({arguments})({t(*shape)})"
        for arguments, shape in product(TRANSPOSED, shapes):
            yield f"nn.ConvTranspose{dims}({arguments})({t(*shape)})"
        for arguments, shape in product(POOL, shapes):
            yield f"nn.MaxPool{dims}({arguments})({t(*shape)})"
            yield f"nn.AvgPool{dims}({arguments})({t(*shape)})"
    for arguments, shape in product(["4, 6, (3, 5)", "4, 6, (3, 1), padding=(1, 0)", "4, 6, 3, stride=(2, 1)", "4, 6, (1, 3), padding='same'", "4, 6, [3, 3]", "4, 6, (3, 3), (2, 2), (1, 1)", "4, 6, (9, 8)", "4, 6, (10, 1)", "4, 6, (3,)", "4, 6, (3, 3, 3)"], TWO):
        yield f"nn.Conv2d({arguments})({t(*shape)})"
        yield f"nn.MaxPool2d({arguments[6:]})({t(*shape)})" if "same" not in arguments else f"nn.AvgPool2d((2, 3), (1, 2))({t(*shape)})"
    weights = ["t(6, 4, 3, 3)", "t(6, 4, 3, 3), t(6)", "t(6, 4, 3, 3), t(5)", "t(6, 2, 3, 3), groups=2", "t(6, 4, 3, 3), stride=2, padding=1", "t(6, 3, 3, 3)", "t(4, 3, 3)", "t(6, 4, 3, 3), None, 2, 1", "t(6, 4, 3, 3), padding='same'", "t(6, 4, 10, 3)"]
    for weight, shape in product(weights, TWO):
        yield f"F.conv2d({t(*shape)}, {weight})"
    for weight, shape in product(["t(6, 4, 3)", "t(6, 4, 3), t(6), 2", "t(6, 4)", "t(6, 4, 11)", "t(6, 4, 3), padding=1"], ONE):
        yield f"F.conv1d({t(*shape)}, {weight})"
    for weight, shape in product(["t(4, 6, 3, 3)", "t(4, 6, 2, 2), stride=2", "t(6, 4, 3, 3)", "t(4, 6, 3, 3), t(6), 2, 1, 1"], TWO):
        yield f"F.conv_transpose2d({t(*shape)}, {weight})"
    for arguments, shape in product(["2", "3, 2", "3, stride=2, padding=1", "(2, 3)", "12", "2, ceil_mode=True"], TWO):
        yield f"F.max_pool2d({t(*shape)}, {arguments})"
        yield f"F.avg_pool2d({t(*shape)}, {arguments})"
    for arguments, shape in product(["2", "3, 2, 1"], ONE):
        yield f"F.max_pool1d({t(*shape)}, {arguments})"
        yield f"F.avg_pool1d({t(*shape)}, {arguments})"
    for shape in TWO:
        yield f"nn.MaxPool2d(2, return_indices=True)({t(*shape)})"
        yield f"nn.MaxPool2d(3, 2, 1, dilation=2)({t(*shape)})"
        yield f"nn.LPPool2d(2, 3, stride=2)({t(*shape)})"
    for kind, dims, shapes, sizes in (("Avg", "1d", ONE, ["1", "5", "(3,)", "None"]), ("Max", "1d", ONE, ["1", "5", "(3,)"]), ("Avg", "2d", TWO, ["1", "(1, 1)", "7", "(3, 2)", "(None, 7)", "(None, None)", "[6, 6]", "0", "20", "(2,)"]),
                                      ("Max", "2d", TWO, ["1", "(1, 1)", "7", "(3, 2)", "(None, 7)"]), ("Avg", "3d", THREE, ["1", "(1, 2, 3)", "2"])):
        for size, shape in product(sizes, shapes):
            yield f"nn.Adaptive{kind}Pool{dims}({size})({t(*shape)})"
    for size, shape in product(["1", "(2, 3)", "(1, None)"], TWO):
        yield f"F.adaptive_avg_pool2d({t(*shape)}, {size})"
        yield f"F.adaptive_max_pool2d({t(*shape)}, {size})"
    for arguments in ["3", "2, stride=2", "kernel_size=(2, 3)", "3, padding=1", "3, dilation=2", "10"]:
        for shape in [(2, 4, 9, 8), (4, 9, 8), (9, 8), (0, 4, 9, 8)]:
            yield f"nn.Unfold({arguments})({t(*shape)})"
            yield f"F.unfold({t(*shape)}, {arguments})"
    for arguments, shape in product(["(4, 5), 2", "(4, 5), kernel_size=(2, 2)", "(4, 4), 2, stride=2", "(4, 5), 2, padding=1"], [(2, 8, 12), (8, 12), (2, 8, 4), (2, 7, 12), (2, 8, 30)]):
        yield f"nn.Fold({arguments})({t(*shape)})"
    sizes = ["scale_factor=2", "size=(5, 7)", "size=5", "scale_factor=0.5", "scale_factor=(2, 3)", "scale_factor=2, mode='bilinear'", "size=(5, 7), mode='bilinear', align_corners=False", "scale_factor=2, mode='linear'",
             "size=7, mode='linear'", "size=(3, 3), mode='bicubic'", "size=3, mode='trilinear'", "size=(2, 2), scale_factor=2", "mode='nearest'", "scale_factor=1.5", "size=(5,)", "size=(4, 4), mode='area'", "scale_factor=0.1"]
    for arguments, shape in product(sizes, [(2, 4, 9, 8), (2, 4, 9), (4, 9), (2, 4, 3, 4, 5), (0, 4, 9, 8)]):
        yield f"F.interpolate({t(*shape)}, {arguments})"
    for arguments, shape in product(["scale_factor=2", "(5, 7)", "scale_factor=2, mode='bilinear'", "size=3"], [(2, 4, 9, 8), (2, 4, 9), (4, 9)]):
        yield f"nn.Upsample({arguments})({t(*shape)})"
        yield f"nn.UpsamplingNearest2d(scale_factor=2)({t(*shape)})"
    for factor, shape in product([1, 2, 3], [(2, 4, 9, 8), (4, 9, 8), (2, 9, 6, 6), (9, 8), (1, 2, 12, 6, 6), (8,)]):
        yield f"nn.PixelShuffle({factor})({t(*shape)})"
        yield f"nn.PixelUnshuffle({factor})({t(*shape)})"
        yield f"F.pixel_shuffle({t(*shape)}, {factor})"
    for groups, shape in product([1, 2, 3], [(2, 4, 9, 8), (4, 9, 8), (2, 6, 3), (4, 4)]):
        yield f"nn.ChannelShuffle({groups})({t(*shape)})"
    for grid, shape in product([(2, 5, 6, 2), (1, 5, 6, 2), (2, 5, 6, 3), (2, 5, 2), (2, 3, 5, 6, 3)], [(2, 4, 9, 8), (2, 4, 3, 9, 8), (4, 9, 8)]):
        yield f"F.grid_sample({t(*shape)}, {t(*grid)})"
    for row in fill(["F.affine_grid(t({n}, 2, 3), ({m}, 4, 5, 6))"], n=[1, 2], m=[1, 2]):
        yield row
    yield "F.affine_grid(t(2, 3, 4), (2, 4, 5, 6, 7))"
    yield "nn.Conv2d(4, 6, 3).weight"
    yield "nn.Conv2d(4, 6, 3, groups=2).weight"
    yield "nn.ConvTranspose2d(4, 6, 3).weight"
    yield "nn.Conv2d(4, 6, 3).bias"
    yield "nn.Conv2d(4, 6, 3, bias=False).bias"
    yield "nn.Conv2d(4, 6, 3).kernel_size"
    yield "nn.Conv2d(4, 6, (3, 5), stride=2).stride"
    yield "nn.Conv2d(4, 6, 3, padding=1).padding"
    yield "nn.Conv2d(4, 6, 3).in_channels"
    yield "nn.Conv2d(4, 6, 3)(t(2, 4, 9, 8).double())"
    yield "nn.Conv2d(4, 6, 3)(torch.zeros(2, 4, 9, 8, dtype=torch.int64))"
    yield "nn.MaxPool2d(2)(torch.zeros(2, 4, 9, 8, dtype=torch.int64))"
    yield "nn.MaxPool2d(kernel_size=2).stride"
