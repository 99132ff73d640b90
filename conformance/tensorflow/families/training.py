"""What losses compare: targets of a training call against outputs, losses called as functions, first states, weights, pretrained networks."""

from itertools import product

# A model, data that fit it, and targets that people give it.
CASES = [
    ("K.Sequential([L.Dense(3, input_shape=(4,))])", "n(8, 4)", ["n(8)", "n(8, 1)", "n(8, 3)", "n(8, 4)", "n(8, 1, 3)", "n(8, 3, 1)"]),
    ("K.Sequential([L.Dense(1, input_shape=(4,))])", "n(8, 4)", ["n(8)", "n(8, 1)", "n(8, 3)", "n(8, 1, 1)"]),
    ("K.Sequential([L.Dense(3, input_shape=(5, 4))])", "n(8, 5, 4)", ["n(8)", "n(8, 1)", "n(8, 3)", "n(8, 5)", "n(8, 5, 1)", "n(8, 5, 3)", "n(8, 5, 4)", "n(8, 4, 3)"]),
    ("K.Sequential([L.Dense(1, input_shape=(5, 4))])", "n(8, 5, 4)", ["n(8)", "n(8, 1)", "n(8, 5)", "n(8, 5, 1)", "n(8, 4, 1)", "n(8, 5, 3)"]),
    ("K.Sequential([L.Conv2D(2, 3, padding='same', input_shape=(6, 6, 1))])", "n(8, 6, 6, 1)", ["n(8, 6, 6)", "n(8, 6, 6, 1)", "n(8, 6, 6, 2)", "n(8, 6, 6, 3)", "n(8, 4, 4, 2)", "n(8, 36)"]),
]
NAMED = ["'mse'", "'categorical_crossentropy'", "'sparse_categorical_crossentropy'", "'binary_crossentropy'"]
OBJECTS = ["K.losses.SparseCategoricalCrossentropy(from_logits=True)", "K.losses.CategoricalCrossentropy(from_logits=True)", "K.losses.Huber()", "K.losses.KLDivergence()"]
PAIRS = [
    "t(8, 3), t(8, 3)", "t(8), t(8, 3)", "t(8, 1), t(8, 3)", "t(8, 4), t(8, 3)", "t(7, 3), t(8, 3)", "t(8), t(8, 1)", "t(8), t(8)", "i(8), t(8, 3)", "i(7), t(8, 3)", "i(8, 1), t(8, 3)", "t(8, 5, 3), t(8, 5, 3)", "i(8, 5), t(8, 5, 3)", "i(8, 4), t(8, 5, 3)", "t(8, 5, 1), t(8, 5, 3)",
]
CLASSES = ["MeanSquaredError", "MeanAbsoluteError", "BinaryCrossentropy", "CategoricalCrossentropy", "SparseCategoricalCrossentropy", "Huber"]
FUNCTIONS = ["binary_crossentropy", "categorical_crossentropy", "sparse_categorical_crossentropy"]
STATES = ["S(6)", "[S(6)]", "[S(6), S(6)]", "[S(7), S(6)]", "[S(7), S(7)]", "[S(6), S(6), S(6)]", "[S(6), S(7)]"]
NETWORKS = ["VGG16", "ResNet50", "MobileNet", "MobileNetV2", "EfficientNetB0", "InceptionV3", "Xception", "DenseNet121"]


def rows():
    for net, data, targets in CASES:
        for target, loss in product(targets, NAMED):
            yield f"m = {net}; m.compile(loss={loss}); f = m.fit({data}, {target}, verbose=0); 1"
        for target, loss in product(targets, OBJECTS):
            yield f"m = {net}; m.compile(loss={loss}); f = m.train_on_batch({data}, {target}); 1"
    for activation, target, loss in product(["sigmoid", "softmax"], ["n(8)", "n(8, 1)", "n(8, 3)", "n(8, 2)"], ["'binary_crossentropy'", "K.losses.BinaryCrossentropy(from_logits=True)"]):
        for units in [1, 3]:
            yield f"m = K.Sequential([L.Dense({units}, activation='{activation}', input_shape=(4,))]); m.compile(loss={loss}); f = m.fit(n(8, 4), {target}, verbose=0); 1"
    for data in ["n(8, 5)", "n(8, 4, 1)", "n(7, 4)"]:
        yield f"m = {CASES[0][0]}; m.compile(loss='mse'); f = m.train_on_batch({data}, n(8, 3)); 1"
        yield f"m = {CASES[0][0]}; m.predict_on_batch({data})"
    for pair in PAIRS:
        for name in CLASSES:
            yield f"K.losses.{name}()({pair})"
        for name in FUNCTIONS:
            yield f"K.losses.{name}({pair})"
    for cell, state, more in product(["LSTM", "GRU", "SimpleRNN"], STATES, ["", ", return_sequences=True"]):
        yield f"L.{cell}(6{more})(S(5, 4), initial_state={state})"
    for state in STATES[1:4]:
        yield f"L.LSTM(6, return_sequences=True, return_state=True)(S(5, 4), initial_state={state})"
    dense = "K.Sequential([L.Dense(4, input_shape=(3,)), L.Dense(2)])"
    for one, two in product([dense, "K.Sequential([L.Dense(5, input_shape=(3,)), L.Dense(2)])", "K.Sequential([L.Dense(4, input_shape=(3,)), L.Dense(2), L.Dense(2)])", "K.Sequential([L.Dense(4), L.Dense(2)])"], repeat=2):
        yield f"a = {one}; b = {two}; a.set_weights(b.get_weights()); 1"
    for weights in ["[n(3, 4), n(4)]", "[n(4, 3), n(4)]", "[n(3, 4)]", "[n(3, 4), n(4), n(4)]", "[n(3, 4), n(3)]", "[]"]:
        yield f"m = {dense}; m.layers[0].set_weights({weights}); 1"
    for row in [
        f"m = {dense}; m.get_weights()", f"m = {dense}; m.layers[0].get_weights()", f"m = {dense}; len(m.layers)", f"m = {dense}; m.layers[0].output", f"m = {dense}; m.layers[-1].input", f"m = {dense}; m.get_layer(index=0).output", f"m = {dense}; m.output_shape", f"m = {dense}; m.input_shape",
        f"m = {dense}; e = K.Model(m.input, m.layers[0].output); e(t(2, 3))", f"m = {dense}; e = K.Model(m.inputs, m.layers[-2].output); e.predict(n(2, 3), verbose=0)", f"m = {dense}; e = K.Model(m.input, L.Dense(7)(m.layers[-2].output)); e.output", f"m = {dense}; m.layers[0].kernel", f"m = {dense}; m.layers[0].units",
        f"m = {dense}; m.layers[5]", "a = K.Input((3,)); m = K.Model(a, L.Dense(2)(L.Dense(4)(a))); m.layers[1].output", "a = K.Input((3,)); m = K.Model(a, L.Dense(2)(L.Dense(4)(a))); len(m.layers)", "a = K.Input((3,)); m = K.Model(a, L.Dense(2)(L.Dense(4, name='h')(a))); m.get_layer('h').output",
        "a = K.Input((3,)); m = K.Model(a, L.Dense(2)(L.Dense(4, name='h')(a))); m.get_layer('g')", f"m = {dense}; m.summary(); 1", f"m = {dense}; m.count_params()", "m = K.Sequential([L.Dense(3)]); m.summary(); 1", "m = K.Sequential([L.Dense(3)]); m.fit(n(2, 3), n(2, 3)); 1", "m = K.Sequential([L.Dense(3)]); m.predict(n(2, 3), verbose=0)",
    ]:
        yield row
    for name in NETWORKS:
        yield f"K.applications.{name}(weights=None).output"
        yield f"K.applications.{name}(weights=None, include_top=False, input_shape=(96, 80, 3)).output"
        yield f"K.applications.{name}(weights=None, include_top=False, pooling='avg', input_shape=(99, 75, 3)).output"
    for row in ["m = K.applications.VGG16(weights=None, include_top=False, input_shape=(99, 75, 3)); m.output", "m = K.applications.ResNet50(weights=None, include_top=False, input_shape=(99, 75, 3)); m(t(2, 99, 75, 3))", "m = K.applications.MobileNetV2(weights=None, include_top=False, input_shape=(99, 75, 3)); m.output", "m = K.applications.MobileNetV2(weights=None, include_top=False, input_shape=(64, 64, 3)); m(t(1, 64, 64, 1))", "m = K.applications.VGG16(weights=None, classes=7); m.output", "m = K.applications.VGG16(weights=None, include_top=False); m.output", "K.applications.VGG16(weights=None, include_top=False, input_shape=(20, 20, 3)).output", "K.applications.VGG16(weights=None, include_top=False, input_shape=(64, 64, 1)).output"]:
        yield row
    for layer, data in product(["Dense(3)", "Conv2D(2, 3)", "Flatten()"], ["[S(6, 6, 1), S(6, 6, 1)]", "[S(6, 6, 1)]"]):
        yield f"L.{layer}({data})"
    for cell, data in product(["LSTM(4)", "GRU(4)", "SimpleRNN(4)", "Bidirectional(L.LSTM(4))"], ["S(5, 3)", "S(6, 4)", "S(5, 5)", "t(2, 5, 5)"]):
        yield f"f = L.{cell}; a = f(S(5, 4)); f({data})"
    for row in [
        "L.Attention()([S(5, 3), S(6, 3)])", "L.Attention()([S(5, 3), S(6, 4)])", "L.Attention()([S(5, 3), S(6, 4), S(6, 3)])", "L.Attention()([S(5, 3), S(6, 3), S(6, 4)])", "L.Attention()([t(2, 5, 3), t(2, 6, 3)])", "L.Attention()([t(2, 5, 3), t(2, 6, 4)])", "v = tf.Variable(t(3, 1)); v.assign_sub(t(1, 3)); 1", "v = tf.Variable(t(3, 1)); v.assign_add(t(3, 1)); 1", "v = tf.Variable(t(3, 1)); v.assign_add(t(3)); 1",
        "v = tf.Variable(t(3, 1)); v.assign(t(3)); 1", "v = tf.Variable(t(3)); v.assign_sub(2.0); 1",
    ]:
        yield row
    for name, shapes in product(["Add", "Multiply", "Maximum"], ["S(24), S(15, 32)", "S(32), S(15, 32)", "S(15, 32), S(24)", "S(15), S(15, 32)", "S(1), S(15, 32)", "S(4, 5), S(3, 4, 5)", "S(4, 6), S(3, 4, 5)", "t(2, 5), t(2, 4, 5)", "t(2, 5), t(2, 4, 6)", "t(3, 5), t(2, 4, 5)"]):
        yield f"L.{name}()([{shapes}])"
    for call in ["resize(IMAGE, (4, 5))", "resize(IMAGE, [4, 5], method='nearest')", "resize_with_pad(IMAGE, 4, 5)", "resize_with_crop_or_pad(IMAGE, 4, 5)", "random_flip_left_right(IMAGE)", "adjust_brightness(IMAGE, 0.1)", "convert_image_dtype(IMAGE, tf.float32)", "rgb_to_grayscale(IMAGE)", "grayscale_to_rgb(IMAGE)"]:
        for image in ["t(8, 8, 3)", "t(2, 8, 8, 3)", "t(2, 8, 8, 1)", "t(8, 8)", "i(8, 8, 3)", "n(8, 8, 3)"]:
            yield f"tf.image.{call.replace('IMAGE', image)}"
    first = "next(iter(DATA))"
    for data in [
        "tf.data.Dataset.from_tensors((n(4, 3), n(4)))", "tf.data.Dataset.from_tensors(t(4, 3)).batch(2)", "tf.data.Dataset.from_tensor_slices({'a': n(4, 3), 'b': n(4)})", "tf.data.Dataset.from_tensor_slices({'a': n(4, 3), 'b': n(4)}).batch(2)", "tf.data.Dataset.from_tensor_slices(({'a': n(4, 3)}, n(4))).batch(2)", "tf.data.Dataset.from_tensor_slices((n(4, 3), n(4))).batch(2).unbatch()",
        "tf.data.Dataset.from_generator(lambda: iter([]), output_signature=tf.TensorSpec((3,), tf.float32)).batch(2).map(lambda x: tf.matmul(x, t(4, 2)))", "tf.data.Dataset.from_generator(lambda: iter([(n(3), 1)]), output_signature=(tf.TensorSpec((3,), tf.float64), tf.TensorSpec((), tf.int32)))", "tf.data.Dataset.from_tensor_slices({'a': n(4, 3), 'b': n(5)})",
    ]:
        yield first.replace("DATA", data)
    flows = "K.preprocessing.image.ImageDataGenerator().flow"
    for arguments in ["n(8, 6, 6, 1), n(8, 2), batch_size=4", "n(8, 6, 6, 1), n(8), batch_size=4", "n(8, 6, 6, 1), batch_size=4", "n(8, 6, 6), n(8)", "n(8, 6, 6, 1), n(7)"]:
        yield f"f = {flows}({arguments}); next(f)"
    conv = "K.Sequential([L.Conv2D(2, 3, input_shape=(6, 6, 1)), L.Flatten(), L.Dense(2)])"
    for length, more in product([3, 4], ["", ", sampling_rate=2"]):
        yield f"K.preprocessing.sequence.TimeseriesGenerator(n(20, 2), n(20), {length}{more}, batch_size=4)[0]"
    for row in [
        "K.preprocessing.sequence.TimeseriesGenerator(n(20, 2), n(19), 3)[0]", "K.preprocessing.sequence.pad_sequences([[1, 2], [3]])", "K.preprocessing.sequence.pad_sequences([[1, 2], [3]], maxlen=5, padding='post')", "K.preprocessing.sequence.pad_sequences([])", "K.utils.pad_sequences([[1, 2], [3]], 4)",
        f"m = {conv}; m.compile(loss='sparse_categorical_crossentropy'); f = m.evaluate(tf.data.Dataset.from_tensor_slices((n(8, 6, 6, 1), n(8))), verbose=0); 1",
        "K.applications.vgg16.preprocess_input(n(2, 8, 8, 3))", "K.applications.resnet50.preprocess_input(t(2, 8, 8, 3))",
    ]:
        yield row
