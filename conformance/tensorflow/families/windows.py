"""Convolutions, pooling, padding, cropping, upsampling."""

from itertools import product

from ._shapes import on, s, t

ONE = [(8, 3), (1, 3), (2, 4), (3,), (8, 8, 3), ("None", 3)]
TWO = [(8, 8, 3), (5, 7, 2), (2, 2, 4), (1, 1, 3), (8, 3), (3,), (4, 8, 8, 3), ("None", "None", 3)]
THREE = [(4, 5, 6, 2), (2, 2, 2, 1), (8, 8, 3)]
CONVOLVED = ["4, 3", "4, 3, padding='same'", "4, 3, strides=2", "4, 3, strides=2, padding='same'", "4, 3, dilation_rate=2", "4, 1", "6, 5, padding='SAME'", "filters=2, kernel_size=2, strides=3"]


def rows():
    for dims, samples in [(1, ONE), (2, TWO), (3, THREE)]:
        yield from on([f"L.Conv{dims}D({arguments})" for arguments in CONVOLVED], samples)
        pools = ["", "2", "3", "2, strides=1", "3, strides=2, padding='same'", "pool_size=2, padding='same'", "pool_size=4, strides=3"]
        yield from on([f"L.{kind}Pooling{dims}D({arguments})" for kind in ("Max", "Average") for arguments in pools], samples)
        yield from on([f"L.Global{kind}Pooling{dims}D({arguments})" for kind in ("Max", "Average") for arguments in ("", "keepdims=True")], samples)
        yield from on([f"L.UpSampling{dims}D({arguments})" for arguments in ("", "3")], samples)
        yield from on([f"L.ZeroPadding{dims}D({arguments})" for arguments in ("", "2")], samples)
        yield from on([f"L.Cropping{dims}D({arguments})" for arguments in ("", "1")], samples)
        yield from on([f"L.Conv{dims}DTranspose({arguments})" for arguments in ("4, 3", "4, 3, strides=2", "4, 3, strides=2, padding='same'", "2, 2, strides=3", "2, 5, strides=2")], samples)
    yield from on(["L.Conv2D(4, (3, 1))", "L.Conv2D(4, (2, 3), strides=(1, 2))", "L.Conv2D(4, [3, 3])", "L.Conv2D(4, 3, groups=3)", "L.Conv2D(6, 3, groups=3, padding='same')", "L.MaxPooling2D((1, 2))", "L.MaxPooling2D((2, 3), (1, 1))", "L.UpSampling2D((2, 3))", "L.ZeroPadding2D((1, 2))", "L.ZeroPadding2D(((1, 0), (2, 1)))",
                   "L.Cropping2D((1, 2))", "L.Cropping2D(((1, 0), (2, 1)))", "L.Conv2DTranspose(3, (2, 3), strides=(2, 1))", "L.Resizing(4, 5)", "L.SeparableConv2D(4, 3)", "L.SeparableConv2D(4, 3, strides=2, padding='same')", "L.DepthwiseConv2D(3)", "L.DepthwiseConv2D(3, depth_multiplier=2)", "L.DepthwiseConv2D(2, strides=2, padding='same')", "L.CenterCrop(2, 2)"], TWO)
    yield from on(["L.Conv1D(4, 3, padding='causal')", "L.Conv1D(4, 2, padding='causal', strides=2)", "L.SeparableConv1D(4, 3)", "L.ZeroPadding1D((1, 3))", "L.Cropping1D((2, 1))"], ONE)
    for row in ["L.Conv2D(0, 3)", "L.Conv2D(4, 3, groups=3)", "L.Conv2D(4, 0)", "L.Conv2D(4, 3, padding='full')", "L.Conv2D(4, (3, 3, 3))", "L.MaxPooling2D(0)", "L.Conv2D(4)", "L.Conv2D(4, 3)(n(2, 8, 8, 3))", "L.Conv2D(4, 3, data_format='channels_first')(S(3, 8, 8))", "L.MaxPool2D()(S(8, 8, 3))", "L.AvgPool2D()(S(8, 8, 3))", "L.GlobalAvgPool2D()(S(8, 8, 3))", "L.Convolution2D(4, 3)(S(8, 8, 3))"]:
        yield row
