"""Recurrent layers, attention and transformer blocks."""

from itertools import product

from ._shapes import fill, t

RNN = ["3, 4", "3, 4, 2", "3, 4, batch_first=True", "3, 4, bidirectional=True", "3, 4, num_layers=2, bidirectional=True, batch_first=True", "input_size=3, hidden_size=4, dropout=0.0", "3, 4, bias=False"]
INPUTS = [(5, 2, 3), (5, 3), (5, 2, 4), (3,), (1, 1, 3), (5, 0, 3), (0, 2, 3), (1, 2, 5, 3)]


def rows():
    for name, arguments, shape in product(["RNN", "GRU", "LSTM"], RNN, INPUTS):
        yield f"nn.{name}({arguments})({t(*shape)})"
        yield f"nn.{name}({arguments})({t(*shape)})[0]"
    for name, arguments in product(["RNN", "GRU"], RNN[:5]):
        for state in ["t(1, 2, 4)", "t(2, 2, 4)", "t(4, 2, 4)", "t(1, 2, 3)", "t(1, 4)", "t(1, 5, 4)", "None"]:
            yield f"nn.{name}({arguments})(t(5, 2, 3), {state})"
        yield f"nn.{name}({arguments})(t(5, 3), t(1, 4))"
    for arguments in RNN[:5]:
        for state in ["(t(1, 2, 4), t(1, 2, 4))", "(t(2, 2, 4), t(2, 2, 4))", "(t(1, 2, 4), t(1, 2, 5))", "(t(4, 5, 4), t(4, 5, 4))", "None", "(t(1, 4), t(1, 4))"]:
            yield f"nn.LSTM({arguments})(t(5, 2, 3), {state})"
    for arguments in ["3, 4, proj_size=2", "3, 4, proj_size=2, bidirectional=True", "3, 4, proj_size=4"]:
        yield f"nn.LSTM({arguments})(t(5, 2, 3))"
    yield "nn.LSTM(3, 4).weight_ih_l0"
    yield "nn.GRU(3, 4).weight_hh_l0"
    yield "nn.RNN(3, 4).bias_ih_l0"
    yield "nn.LSTM(3, 4).hidden_size"
    yield "nn.RNN(3, 4, nonlinearity='relu')(t(5, 2, 3))"
    yield "nn.RNN(3, 4, nonlinearity='gelu')"
    for name in ["RNNCell", "GRUCell", "LSTMCell"]:
        for shape in [(2, 3), (3,), (2, 4), (5, 2, 3), (0, 3)]:
            yield f"nn.{name}(3, 4)({t(*shape)})"
        for state in ["t(2, 4)", "t(2, 3)", "t(1, 4)", "t(4)"]:
            yield f"nn.{name}(3, 4)(t(2, 3), {state})" if name != "LSTMCell" else f"nn.{name}(3, 4)(t(2, 3), ({state}, {state}))"
    attention = ["8, 2", "8, 2, batch_first=True", "8, 4, dropout=0.0, bias=False", "8, 3", "embed_dim=8, num_heads=1, kdim=6, vdim=5"]
    triples = [("t(5, 2, 8)",) * 3, ("t(5, 2, 8)", "t(7, 2, 8)", "t(7, 2, 8)"), ("t(5, 8)",) * 3, ("t(5, 2, 6)",) * 3, ("t(5, 2, 8)", "t(7, 3, 8)", "t(7, 3, 8)"), ("t(5, 2, 8)", "t(7, 2, 8)", "t(6, 2, 8)"),
               ("t(5, 2, 8)", "t(7, 2, 6)", "t(7, 2, 5)"), ("t(8)",) * 3, ("t(5, 2, 8)", "t(5, 8)", "t(5, 8)"), ("t(2, 5, 8)", "t(2, 7, 8)", "t(2, 7, 8)")]
    for arguments, triple in product(attention, triples):
        yield f"nn.MultiheadAttention({arguments})({', '.join(triple)})"
        yield f"nn.MultiheadAttention({arguments})({', '.join(triple)}, need_weights=False)"
    for extra in ["attn_mask=b(5, 5)", "attn_mask=b(5, 4)", "attn_mask=t(4, 5, 5)", "attn_mask=t(2, 5, 5)", "key_padding_mask=b(2, 5)", "key_padding_mask=b(5, 2)", "average_attn_weights=False", "attn_mask=t(5)"]:
        yield f"nn.MultiheadAttention(8, 2)(t(5, 2, 8), t(5, 2, 8), t(5, 2, 8), {extra})"
    yield from fill(["nn.TransformerEncoderLayer({a})({x})"], a=["8, 2", "8, 2, 16", "d_model=8, nhead=4, batch_first=True, dim_feedforward=4", "8, 3"], x=["t(5, 2, 8)", "t(5, 8)", "t(5, 2, 6)", "t(8)", "t(1, 5, 2, 8)"])
    yield from fill(["nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 2)({x})"], x=["t(5, 2, 8)", "t(5, 2, 6)", "t(5, 8)"])
    yield from fill(["nn.TransformerDecoderLayer(8, 2, 16)({x}, {y})"], x=["t(5, 2, 8)", "t(5, 8)"], y=["t(7, 2, 8)", "t(7, 3, 8)", "t(7, 8)", "t(7, 2, 6)"])
    yield from fill(["nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), 1)({x}, {y})"], x=["t(5, 2, 8)"], y=["t(7, 2, 8)", "t(7, 3, 8)"])
    yield from fill(["nn.Transformer(8, 2, 1, 1, 16)({x}, {y})"], x=["t(5, 2, 8)", "t(5, 8)", "t(5, 2, 6)"], y=["t(7, 2, 8)", "t(7, 3, 8)", "t(7, 8)", "t(7, 2, 6)"])
    yield "nn.Transformer(8, 2, 1, 1, 16, batch_first=True)(t(2, 5, 8), t(2, 7, 8))"
    yield "nn.Transformer.generate_square_subsequent_mask(4)"
    yield "nn.TransformerEncoderLayer(8, 2, 16)(t(5, 2, 8), src_mask=t(5, 5))"
    yield "nn.TransformerEncoderLayer(8, 2, 16)(t(5, 2, 8), src_key_padding_mask=b(2, 5))"
    yield "nn.utils.rnn.pad_sequence([t(3, 4), t(5, 4)])"
    yield "nn.utils.rnn.pad_sequence([t(3, 4), t(5, 4)], batch_first=True)"
    yield "nn.utils.rnn.pad_sequence([t(3), t(5), t(1)], batch_first=True)"
    yield "nn.utils.rnn.pad_sequence([t(3, 4), t(5, 3)])"
