"""Layers that are no windows and no sequences: dense, reshaping, normalisation, merging."""

from itertools import product

from ._shapes import on, s, t

SAMPLES = [(), (1,), (4,), (3, 4), (2, 3, 4), (6, 6, 3), (2, 3, 4, 5), ("None", 4)]
PLAIN = [
    "L.Dense(5)", "L.Dense(1, activation='relu')", "L.Dense(units=3, use_bias=False)", "L.Flatten()", "L.Dropout(0.5)", "L.Activation('relu')", "L.BatchNormalization()",
    "L.LayerNormalization()", "L.ReLU()", "L.LeakyReLU()", "L.ELU()", "L.PReLU()", "L.Softmax()", "L.GaussianNoise(0.1)", "L.GaussianDropout(0.1)", "L.AlphaDropout(0.1)", "L.SpatialDropout1D(0.1)",
    "L.SpatialDropout2D(0.1)", "L.SpatialDropout3D(0.1)", "L.RepeatVector(3)", "L.Rescaling(0.5)", "L.Masking()", "L.Normalization(mean=0.0, variance=1.0)", "L.UnitNormalization()",
]
RESHAPES = ["(4,)", "(2, 2)", "(-1,)", "(2, -1)", "(3, 4)", "(12,)", "(4, 3)", "(5,)", "(-1, 5)", "(24,)", "(2, 3, 4)", "(3, 2, -1)", "()", "(-1, -1)"]
PERMUTES = ["(1,)", "(2, 1)", "(1, 2)", "(3, 1, 2)", "(2, 1, 3)", "(1, 3)", "(2,)"]
MERGED = [[(4,), (4,)], [(4,), (5,)], [(4,), (1,)], [(3, 4), (3, 4)], [(3, 4), (1, 4)], [(3, 4), (2, 4)], [(3, 4), (3, 5)], [(4,), (3, 4)], [(6, 6, 3), (6, 6, 5)], [(6, 6, 3), (6, 5, 3)], [(4,), (4,), (4,)], [(4,), (4,), (3,)], [("None", 4), (3, 4)], [("None", 4), (3, 5)], [(4,)]]


def rows():
    yield from on(PLAIN, SAMPLES)
    yield from on([f"L.Reshape({shape})" for shape in RESHAPES], [(4,), (12,), (3, 4), (2, 3, 4), ("None", 4), (1,)])
    yield from on([f"L.Permute({dims})" for dims in PERMUTES], [(4,), (3, 4), (2, 3, 4)])
    for layer, samples in product(["Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "Concatenate"], MERGED):
        yield f"L.{layer}()([{', '.join(s(*sample) for sample in samples)}])"
        yield f"L.{layer}()([{', '.join(t(2, *sample) for sample in samples if 'None' not in sample)}])"
    for axis, samples in product([1, 2, -1, -2, 3, 0, -3], MERGED):
        yield f"L.Concatenate(axis={axis})([{', '.join(s(*sample) for sample in samples)}])"
    for function, samples in product(["add", "concatenate", "multiply", "average", "subtract"], MERGED[:6]):
        yield f"L.{function}([{', '.join(s(*sample) for sample in samples)}])"
    for axes, samples in product(["1", "-1", "2", "(1, 2)", "(2, 1)", "(2, 2)", "[1, 1]"], MERGED[:10]):
        yield f"L.Dot(axes={axes})([{', '.join(s(*sample) for sample in samples)}])"
        yield f"L.dot([{', '.join(s(*sample) for sample in samples)}], axes={axes})"
    for arguments, sample in product(["10, 4", "10, 4, mask_zero=True", "input_dim=5, output_dim=3"], [(), (4,), (3, 4)]):
        yield f"L.Embedding({arguments})({s(*sample)})"
        yield f"L.Embedding({arguments})(i(2, {', '.join(map(str, sample))}))"
    for row in ["L.Dense(0)", "L.Dense(-1)", "L.Dropout(1.5)", "L.Dropout(-0.5)", "layer = L.Dense(3); a = layer(S(4)); layer(S(5))", "layer = L.Dense(3); a = layer(S(4)); layer(S(4))", "layer = L.Dense(3); a = layer(S(4)); layer(S(2, 4))", "layer = L.Dense(3); a = layer(t(2, 4)); layer(t(2, 5))",
                "layer = L.BatchNormalization(); a = layer(S(4)); layer(S(5))", "layer = L.Conv2D(2, 3); a = layer(S(6, 6, 3)); layer(S(6, 6, 4))", "layer = L.LSTM(2); a = layer(S(6, 3)); layer(S(6, 4))", "L.Dense(3)(n(2, 4))", "L.Dense(3)(n(4))", "L.Flatten()(n(2, 3, 4))", "L.Dense()", "L.Dense(3, input_shape=(4,))(S(4))",
                "K.Input((3, 4))", "K.Input(shape=(3,))", "K.Input(shape=[3, None])", "K.Input(shape=(3,), batch_size=7)", "K.Input((5,), dtype='int32')", "K.Input(batch_shape=(4, 3))", "L.Input((3,))", "K.Input(3)", "S(3).shape[1]", "len(S(3, 4).shape)", "S(3, 4)[:, 0]", "S(3, 4)[:, 1:]", "S(3, 4)[:, :, 5]", "S(3, 4)[..., 0]", "S(3) + S(3)", "S(3) + S(4)", "S(3) * 2.0", "S(3, 4) + S(4)", "S(3) / 2.0", "-S(3)", "S(2, 3) + S(3, 3)"]:
        yield row
