"""Element types: one operation on each of them, two that meet, scalars, layers and losses given another type than theirs."""

from itertools import product

from ._shapes import text

# Letters of the helpers that make tensors: float32, float64, float16, bfloat16, complex64, uint8, int32, int64, bool.
LETTERS = ["t", "d", "h", "bf", "c", "u", "s", "i", "b"]
UNARY = """abs exp exp2 expm1 log log1p log2 log10 sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid relu neg floor ceil
round trunc frac sign sgn square reciprocal erf erfc erfinv lgamma digamma isnan isinf isfinite isreal logical_not bitwise_not positive deg2rad
rad2deg nan_to_num sinc logit signbit conj angle real clone""".split()
BINARY = """add sub mul div floor_divide remainder fmod pow maximum minimum atan2 eq lt logical_and logical_xor hypot fmax bitwise_and bitwise_xor
copysign logaddexp gcd xlogy""".split()
WHOLE = {"floor_divide", "remainder", "fmod"}
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "==", "<", "&"]
SCALARS = ["2", "2.5", "True", "2j"]
REDUCTIONS = ["sum()", "sum(0)", "mean()", "mean(0)", "prod()", "std()", "var(0)", "max()", "max(0)[0]", "min(0)[1]", "amax(0)", "argmax()", "argmin(0)", "any()", "all(0)", "cumsum(0)",
              "cumprod(0)", "norm()", "norm(dim=0)", "logsumexp(0)", "softmax(0)", "log_softmax(-1)", "sort()[0]", "argsort()", "median()", "mode()[0]", "topk(1)[0]", "unique()[:1]", "nansum()",
              "count_nonzero()", "cummax(0)[1]", "logcumsumexp(0)", "diff()", "histc(4)", "bincount()", "kthvalue(1)[0]", "quantile(0.5)", "aminmax()[0]"]
PRODUCTS = ["{x} @ {y}", "torch.mm({x}, {y})", "torch.matmul({x}, {y})", "{x}.mv({y}[0])", "torch.dot({x}[0], {y}[0])", "F.linear({x}, {y})", "torch.einsum('ij,jk->ik', {x}, {y})", "torch.outer({x}[0], {y}[0])",
            "torch.tensordot({x}, {y}, 1)", "torch.cat([{x}, {y}])", "torch.stack([{x}, {y}])", "torch.where(b(3, 3), {x}, {y})", "torch.addmm(t(3), {x}, {y})", "torch.kron({x}, {y})"]
LAYERS = ["nn.Linear(4, 3)({x})", "nn.Conv1d(4, 3, 1)({x})", "nn.LayerNorm(4)({x})", "nn.BatchNorm1d(4)({x})", "nn.Embedding(9, 3)({x})", "nn.ReLU()({x})", "nn.Softmax(dim=1)({x})", "nn.Dropout(0.5)({x})",
          "nn.LSTM(4, 3)({x})[0]", "nn.GRU(4, 3)({x})[0]", "nn.GELU()({x})", "nn.Tanh()({x})", "nn.RMSNorm(4)({x})", "nn.Flatten(0)({x})", "F.one_hot({x})", "F.relu({x})", "F.gelu({x})", "F.silu({x})", "F.softmax({x}, -1)",
          "F.normalize({x})", "F.dropout({x})", "F.pad({x}, (1, 1))", "nn.MultiheadAttention(4, 2)({x}, {x}, {x})[0]", "nn.Bilinear(4, 4, 2)({x}, {x})", "nn.PReLU()({x})", "nn.Linear(4, 3).double()({x})",
          "nn.Linear(4, 3, dtype=torch.float64)({x})", "nn.Linear(4, 3).half()({x})", "nn.Sequential(nn.Linear(4, 3), nn.ReLU())({x})", "nn.TransformerEncoderLayer(4, 2)({x})", "nn.Hardtanh()({x})", "nn.LeakyReLU()({x})",
          "nn.ELU()({x})", "nn.Sigmoid()({x})", "nn.LogSoftmax(1)({x})", "nn.AvgPool1d(2)({x})", "nn.MaxPool1d(2)({x})", "nn.GroupNorm(2, 4)({x})", "F.layer_norm({x}, (4,))", "F.cosine_similarity({x}, {x})"]
LOSSES = ["F.mse_loss({x}, {y})", "F.l1_loss({x}, {y})", "F.smooth_l1_loss({x}, {y})", "F.binary_cross_entropy({x}, {y})", "F.binary_cross_entropy_with_logits({x}, {y})", "F.kl_div({x}, {y})", "F.huber_loss({x}, {y})",
          "F.cross_entropy({x}, {y})", "F.cross_entropy({x}, {y}[:, 0])", "F.nll_loss({x}, {y}[:, 0])", "nn.CrossEntropyLoss()({x}, {y}[:, 0])", "nn.MSELoss()({x}, {y})", "nn.BCEWithLogitsLoss()({x}, {y})"]
CONVERSIONS = ["float()", "double()", "half()", "bfloat16()", "int()", "long()", "short()", "char()", "byte()", "bool()", "to(torch.float64)", "to(torch.int32)", "type(torch.float16)", "type_as(i(1))", "to(t(1))", "to(dtype=torch.bool)",
               "is_floating_point()", "is_complex()", "dtype == torch.float32", "element_size()", "new_zeros(2)", "new_ones((2, 3))", "new_full((2,), 3)", "new_tensor([1, 2])", "new_empty(3)", "requires_grad_()", "cfloat()", "numpy().shape",
               "tolist()[:0]", "clamp(0, 1)", "clamp(min=0.5)", "fill_(1)", "zero_()", "masked_fill(b(3, 3), 1)", "masked_fill(b(3, 3), 0.5)", "index_fill(0, i(1), 1)", "tril()", "flip(0)", "roll(1)", "repeat(2, 1)", "view(-1)",
               "t()", "diag()", "trace()", "inverse()", "det()"]


def make(letter, *shape):
    return f"{letter}({text(shape)})"


def rows():
    for name, letter in product(UNARY, LETTERS[1:]):
        yield f"{make(letter, 2, 3)}.{name}()"
        yield f"torch.{name}({make(letter, 3)})"
    for name, left, right in product(BINARY, LETTERS, LETTERS):
        if name in WHOLE and right in "ib":
            # A whole quotient by 0 raises: the elements decide.
            continue
        yield f"torch.{name}({make(left, 2, 1)}, {make(right, 3)})"
    for operator, letter, scalar in product(OPERATORS, LETTERS, SCALARS):
        yield f"{make(letter, 3)} {operator} {scalar}"
        if operator not in ("//", "%") or letter not in "ib":
            yield f"{scalar} {operator} {make(letter, 3)}"
    for operator, left, right in product(["+", "*", "/", "-"], LETTERS, LETTERS):
        yield f"{make(left)} {operator} {make(right, 3)}"
    for call, letter in product(REDUCTIONS, LETTERS[1:]):
        yield f"{make(letter, 2, 3)}.{call}"
        yield f"{make(letter, 4)}.{call}"
    for template, left, right in product(PRODUCTS, LETTERS[:3] + ["c", "s", "i", "b"], LETTERS[:2] + ["bf", "c", "i", "b"]):
        yield template.format(x=make(left, 3, 3), y=make(right, 3, 3))
    for template, letter in product(LAYERS, LETTERS):
        yield template.format(x=make(letter, 4, 4))
    for template, left, right in product(LOSSES, LETTERS[:5] + ["i", "b"], LETTERS[:3] + ["i", "b"]):
        yield template.format(x=make(left, 3, 2), y=make(right, 3, 2))
    for call, letter in product(CONVERSIONS, LETTERS):
        yield f"{make(letter, 3, 3)}.{call}"
