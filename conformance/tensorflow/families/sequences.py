"""Recurrent layers, their wrappers, attention."""

from itertools import product

from ._shapes import on, s, t

SAMPLES = [(5, 3), (3,), (5, 4, 3), ("None", 3), (1, 1)]


def rows():
    for kind in ["LSTM", "GRU", "SimpleRNN"]:
        arguments = ["4", "4, return_sequences=True", "4, return_state=True", "4, return_sequences=True, return_state=True", "units=2, go_backwards=True"]
        yield from on([f"L.{kind}({argument})" for argument in arguments], SAMPLES)
        yield from on([f"L.Bidirectional(L.{kind}({argument}))" for argument in arguments], SAMPLES[:4])
        yield from on([f"L.Bidirectional(L.{kind}(4), merge_mode='{mode}')" for mode in ("sum", "ave", "mul", "concat")], SAMPLES[:2])
    inner = ["L.Dense(4)", "L.Flatten()", "L.Conv2D(2, 3)", "L.MaxPooling2D()", "L.LSTM(3)", "L.Dropout(0.1)"]
    yield from on([f"L.TimeDistributed({layer})" for layer in inner], [(5, 3), (3,), (5, 4, 3), (5, 8, 8, 3), (2, 1, 1, 3)])
    yield from on(["L.ConvLSTM2D(4, 3)", "L.ConvLSTM2D(4, 3, padding='same', return_sequences=True)"], [(3, 8, 8, 2), (8, 8, 2)])
    for a, b in product([(5, 3), (4, 3), (5, 4), (3,)], repeat=2):
        yield f"L.Attention()([{s(*a)}, {s(*b)}])"
        yield f"L.AdditiveAttention()([{s(*a)}, {s(*b)}])"
        yield f"L.MultiHeadAttention(2, 4)({s(*a)}, {s(*b)})"
        yield f"L.MultiHeadAttention(num_heads=2, key_dim=3)({t(2, *a)}, {t(2, *b)})"
    for row in ["len(L.LSTM(4, return_state=True)(S(5, 3)))", "len(L.GRU(4, return_state=True)(S(5, 3)))", "o, h, c = L.LSTM(4, return_state=True)(S(5, 3)); L.LSTM(4)(S(6, 3), initial_state=[h, c])", "L.LSTM()", "L.LSTM(4)(n(2, 5, 3))", "L.LSTM(4)(n(2, 5))"]:
        yield row
