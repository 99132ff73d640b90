"""Functions of tf, tf.math and tf.nn."""

from itertools import product

from ._shapes import t

SHAPES = [(), (3,), (2, 3), (0, 3), (1, 3), (2, 3, 4), (1, 1, 4), (2, 1, 3, 1)]
MAPPED = "abs exp sqrt square negative sigmoid tanh sin cos floor round sign identity zeros_like ones_like transpose".split()
PAIRS = "add subtract multiply divide maximum minimum pow equal greater less not_equal".split()
REDUCED = "reduce_sum reduce_mean reduce_max reduce_min reduce_prod".split()


def rows():
    for function, shape in product(MAPPED, SHAPES):
        yield f"tf.{function}({t(*shape)})"
    for function in "exp log log1p softplus rsqrt sigmoid erf abs ceil is_nan is_finite reciprocal".split():
        for shape in SHAPES[:4]:
            yield f"tf.math.{function}({t(*shape)})"
    for function in "relu softmax sigmoid tanh elu selu leaky_relu log_softmax softplus gelu relu6".split():
        for shape in SHAPES[1:6]:
            yield f"tf.nn.{function}({t(*shape)})"
    for function, a, b in product(PAIRS, SHAPES, SHAPES):
        if function in ("add", "maximum", "less", "divide") or a == (2, 3):
            yield f"tf.{function}({t(*a)}, {t(*b)})"
    for function, shape, axis, keep in product(REDUCED, SHAPES, [None, 0, 1, -1, 2, -3, "[0, 1]", "(0,)", "[]"], ["", ", keepdims=True"]):
        if function in ("reduce_sum", "reduce_mean") or not keep:
            yield f"tf.{function}({t(*shape)}, axis={axis}{keep})"
    for function, shape, axis in product(["argmax", "argmin"], SHAPES[1:], [None, 0, 1, -1, 3]):
        if 0 not in shape:
            yield f"tf.{function}({t(*shape)}, axis={axis})"
    matrices = [(), (3,), (2, 3), (3, 4), (3, 2), (2, 2, 3), (2, 3, 2), (1, 3, 5), (0, 3), (4, 2, 3), (3, 3, 2)]
    for a, b in product(matrices, repeat=2):
        yield f"tf.matmul({t(*a)}, {t(*b)})"
        yield f"{t(*a)} @ {t(*b)}"
        if len(a) > 1 and len(b) > 1:
            yield f"tf.matmul({t(*a)}, {t(*b)}, transpose_b=True)"
            yield f"tf.matmul({t(*a)}, {t(*b)}, transpose_a=True)"
            yield f"tf.tensordot({t(*a)}, {t(*b)}, 1)"
            yield f"tf.tensordot({t(*a)}, {t(*b)}, axes=[[1], [0]])"
    for shape, new in product([(), (6,), (2, 3), (2, 3, 4), (0, 3), (5,)], ["[6]", "(2, 3)", "[-1]", "[3, -1]", "[-1, 4]", "(4, 6)", "[2, 3, 1]", "[0, -1]", "[-1, -1]", "6", "[]", "(7,)"]):
        yield f"tf.reshape({t(*shape)}, {new})"
    for shape, order in product([(3,), (2, 3), (2, 3, 4)], ["[0]", "[1, 0]", "[0, 2, 1]", "(2, 0, 1)", "[0, 0]", "[0, 3, 1]", "[-1, 0]"]):
        yield f"tf.transpose({t(*shape)}, {order})"
        yield f"tf.transpose({t(*shape)}, perm={order})"
    for shape, axis in product(SHAPES, [0, 1, -1, 2, -2, 4, -5]):
        yield f"tf.expand_dims({t(*shape)}, {axis})"
        yield f"tf.squeeze({t(*shape)}, axis={axis})"
        yield f"tf.concat([{t(*shape)}, {t(*shape)}], axis={axis})"
        yield f"tf.stack([{t(*shape)}, {t(*shape)}], axis={axis})"
        yield f"tf.unstack({t(*shape)}, axis={axis})"
        yield f"tf.split({t(*shape)}, 2, axis={axis})"
        yield f"tf.split({t(*shape)}, [1, 2], axis={axis})"
        yield f"tf.gather({t(*shape)}, [0, 0], axis={axis})"
        yield f"tf.cumsum({t(*shape)}, axis={axis})"
        yield f"tf.repeat({t(*shape)}, 2, axis={axis})"
    for shape in SHAPES:
        yield f"tf.squeeze({t(*shape)})"
        yield f"tf.shape({t(*shape)})"
        yield f"tf.rank({t(*shape)})"
        yield f"tf.size({t(*shape)})"
        yield f"tf.one_hot(tf.cast({t(*shape)}, tf.int32), 5)"
        yield f"tf.cast({t(*shape)}, tf.int64)"
        yield f"tf.cast({t(*shape)}, 'float64')"
        yield f"tf.clip_by_value({t(*shape)}, 0.0, 1.0)"
        yield f"tf.norm({t(*shape)})"
        yield f"tf.where({t(*shape)} > 0.5, {t(*shape)}, {t(*shape)})"
        yield f"tf.where({t(*shape)} > 0.5, 1.0, 0.0)"
        for times in ["[2]", "[2, 1]", "(1, 2, 3)"]:
            yield f"tf.tile({t(*shape)}, {times})"
        for paddings in ["[[1, 1]]", "[[0, 1], [2, 0]]"]:
            yield f"tf.pad({t(*shape)}, {paddings})"
        yield f"tf.broadcast_to({t(*shape)}, (2, 3))"
    for a, b, axis in product(SHAPES[1:6], SHAPES[1:6], [0, 1]):
        yield f"tf.concat([{t(*a)}, {t(*b)}], {axis})"
        yield f"tf.stack([{t(*a)}, {t(*b)}], {axis})"
    for a, b in product([(4,), (2, 4), (2, 3), (2, 3, 4), (2, 1)], repeat=2):
        yield f"tf.nn.softmax_cross_entropy_with_logits(labels={t(*a)}, logits={t(*b)})"
        yield f"tf.nn.sigmoid_cross_entropy_with_logits(labels={t(*a)}, logits={t(*b)})"
        yield f"tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.zeros({a}, tf.int32), logits={t(*b)})"
        yield f"tf.einsum('ij,jk->ik', {t(*a)}, {t(*b)})"
    for row in ["tf.constant([1, 2, 3])", "tf.constant([[1.0, 2.0], [3.0, 4.0]])", "tf.constant(5)", "tf.constant(2.5)", "tf.constant(True)", "tf.constant([1, 2.5])", "tf.constant(n(2, 3))", "tf.constant(0.5, shape=(2, 3))", "tf.constant([1, 2], dtype=tf.float32)", "tf.constant([])", "tf.constant([[1], [2, 3]])",
                "tf.zeros((2, 3))", "tf.zeros([4])", "tf.zeros(3)", "tf.zeros((2,), dtype=tf.int32)", "tf.ones((2, 3), tf.float64)", "tf.fill([2, 3], 7)", "tf.fill((2,), 0.5)", "tf.eye(3)", "tf.eye(2, 4)", "tf.range(5)", "tf.range(2, 8, 3)", "tf.range(5, dtype=tf.float32)", "tf.linspace(0.0, 1.0, 5)", "tf.random.normal((2, 3))", "tf.random.uniform([2], 0, 5, dtype=tf.int32)", "tf.zeros(())",
                "tf.Variable(t(2, 3))", "tf.Variable([1.0, 2.0])", "v = tf.Variable(t(2, 3)); v.assign(t(2, 3))", "v = tf.Variable(t(2, 3)); v.assign(t(3, 2))", "v = tf.Variable(t(2, 3)); v.assign(t(2)); 1", "v = tf.Variable(t(2)); v.assign_add(t(2)); v", "v = tf.Variable(t(2, 3)); v[0]", "v = tf.Variable(t(2, 3)); v + 1.0", "tf.convert_to_tensor([1.0, 2.0])", "tf.convert_to_tensor(n(2))",
                "tf.stack([1.0, 2.0])", "tf.stack([t(2), t(2), t(2)])", "tf.add_n([t(2), t(2)])", "tf.add_n([t(2), t(3)])", "tf.concat([t(2, 3), t(2, 3), t(1, 3)], 0)", "tf.concat([t(2, 3), i(2, 3)], 0)", "tf.nn.dropout(t(2, 3), 0.5)", "tf.nn.embedding_lookup(t(10, 4), i(2, 3))", "tf.reduce_any(t(2, 3) > 0.0)", "tf.reduce_all(t(2, 3) > 0.0, axis=0)", "tf.math.reduce_std(t(2, 3), axis=0)", "tf.linalg.matmul(t(2, 3), t(3, 2))", "tf.linalg.norm(t(2, 3), axis=1)",
                "f = tf.function(lambda a, b: tf.matmul(a, b)); f(t(2, 3), t(2, 3))", "f = tf.function(lambda a, b: a + b); f(t(2, 3), t(2, 4))", "f = tf.function(lambda a: tf.reshape(a, [4])); f(t(2, 3))", "f = tf.function(lambda a, b: tf.matmul(a, b)); f(t(2, 3), t(3, 2))"]:
        yield row
