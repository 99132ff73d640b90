"""Sequential and functional models: construction, calls, fit, evaluate, predict."""

from itertools import product

NETS = [
    "K.Sequential([L.Dense(4, input_shape=(3,)), L.Dense(2)])", "K.Sequential([K.Input((3,)), L.Dense(4), L.Dense(2)])", "K.Sequential([L.Dense(4), L.Dense(2)])", "K.Sequential([L.Flatten(input_shape=(2, 3)), L.Dense(2)])",
    "K.Sequential([L.Conv2D(2, 3, input_shape=(6, 6, 1)), L.Flatten(), L.Dense(2)])", "K.Sequential([L.Reshape((3, 1), input_shape=(3,)), L.LSTM(2)])", "K.Sequential([L.Embedding(10, 4), L.GlobalAveragePooling1D(), L.Dense(2)])",
]
BAD = [
    "K.Sequential([L.Dense(4, input_shape=(3,)), L.Conv2D(2, 3)])", "K.Sequential([L.Conv2D(2, 3, input_shape=(2, 2, 1))])", "K.Sequential([L.LSTM(3, input_shape=(4, 2)), L.LSTM(3)])", "K.Sequential([L.Dense(4, input_shape=(3,)), L.Reshape((3,))])", "K.Sequential([L.Dense(4, input_shape=(3,)), L.MaxPooling2D()])",
    "K.Sequential([L.Flatten(input_shape=(2, 3)), L.LSTM(3)])", "K.Sequential([L.Dense(4, input_dim=3), L.GlobalAveragePooling1D()])",
]
DATA = ["n(8, 3)", "n(8, 4)", "n(8, 2, 3)", "n(8, 6, 6, 1)", "n(8, 6, 6)", "n(8)", "n(8, 3, 1)", "t(8, 3)"]
TARGETS = ["n(8, 2)", "n(8, 3)", "n(8)", "n(7, 2)", "n(8, 1)", "n(8, 2, 1)", "n(8, 4, 2)"]
FUNCTIONAL = [
    "a = K.Input((3,)); b = K.Input((4,)); m = K.Model([a, b], L.Dense(2)(L.concatenate([a, b])))", "a = K.Input((3,)); h = L.Dense(4)(a); m = K.Model(a, [L.Dense(2)(h), L.Dense(1)(h)])", "a = K.Input((3,)); m = K.Model(inputs=a, outputs=L.Dense(2)(a))",
    "a = K.Input((None, 3)); m = K.Model(a, L.LSTM(2)(a))", "a = K.Input((6, 6, 1)); m = K.Model(a, L.GlobalMaxPooling2D()(L.Conv2D(2, 3)(a)))",
]


def rows():
    for net in NETS + BAD:
        yield f"m = {net}; m.output"
    for net, data in product(NETS, DATA):
        yield f"m = {net}; m({data})"
        yield f"m = {net}; m.predict({data}, verbose=0)"
    for data, target, loss in product(DATA[:2], TARGETS, ["'mse'", "'mae'", "'categorical_crossentropy'", "'binary_crossentropy'", "K.losses.MeanSquaredError()", "K.losses.CategoricalCrossentropy()"]):
        yield f"m = {NETS[0]}; m.compile(loss={loss}); f = m.fit({data}, {target}, verbose=0); 1"
    for data, target, loss in product(DATA[:2], TARGETS, ["'mse'", "'categorical_crossentropy'", "'sparse_categorical_crossentropy'"]):
        yield f"m = {NETS[2]}; m.compile(loss={loss}); f = m.fit({data}, {target}, verbose=0); 1"
        yield f"m = {NETS[1]}; m.compile(loss={loss}); f = m.evaluate({data}, {target}, verbose=0); 1"
    for target in TARGETS:
        yield f"m = {NETS[0]}; m.compile(loss='mse'); f = m.fit(n(8, 3), n(8, 2), validation_data=(n(8, 3), {target}), verbose=0); 1"
        yield f"m = {NETS[0]}; m.compile(loss='mse'); f = m.fit(tf.data.Dataset.from_tensor_slices((n(8, 3), {target})).batch(4), verbose=0); 1"
    for net in FUNCTIONAL:
        for data in DATA + ["[n(8, 3), n(8, 4)]", "[n(8, 3), n(7, 4)]", "[n(8, 4), n(8, 3)]", "[n(8, 3)]", "n(8, 5, 3)", "n(8, 5, 2)", "S(3)", "S(4)"]:
            yield f"{net}; m({data})"
            if not data.startswith("S"):
                yield f"{net}; m.predict({data}, verbose=0)"
    for row in [
        "a = K.Input((3,)); b = K.Input((4,)); K.Model(a, L.Dense(2)(b)); 1", "a = K.Input((3,)); h = L.Dense(4)(a); K.Model(h, L.Dense(2)(h)); 1", "a = K.Input((3,)); b = K.Input((4,)); K.Model(a, L.concatenate([a, b])); 1",
        "m = K.Sequential(); m.add(L.Dense(3, input_shape=(4,))); m.add(L.LSTM(2)); 1", "m = K.Sequential(); m.add(L.Dense(3)); m.build((None, 4)); m.output", "m = K.Sequential([L.Dense(3)]); m.build((None, 4)); m(t(2, 5))", "len(K.Sequential([L.Dense(3), L.Dense(2)]).layers)",
        "K.utils.to_categorical([0, 1, 2])", "K.utils.to_categorical([0, 1, 2], 5)", "K.utils.to_categorical(np.zeros((4, 1)), 3)", "K.utils.to_categorical(np.zeros((4, 2)), num_classes=3)", "m = K.Sequential([K.Sequential([L.Dense(3, input_shape=(4,))]), L.Dense(2)]); m.output", "m = K.Sequential([L.InputLayer(input_shape=(4,)), L.Dense(2)]); m(t(2, 4))",
    ]:
        yield row
