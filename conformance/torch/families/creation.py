"""Tensors made from sizes, ranges, nested lists and other tensors."""

from itertools import product

SIZES = ["", "3", "2, 3", "(2, 3)", "[4]", "()", "0, 3", "2, 3, 4", "(1,)", "-1", "2, -3", "2.0", "(2, 3), 4", "size=(2, 2)", "2, 3, dtype=torch.int64", "(2, 3), dtype=torch.float64", "5, device='cpu'", "2, requires_grad=True", "'a'"]
NESTED = ["1", "1.5", "True", "[]", "[1, 2]", "[1.0, 2]", "[[1, 2], [3, 4]]", "[[1, 2], [3]]", "[[1], 2]", "[True, False]", "[[], []]", "(1, 2, 3)", "[[[1]]]", "[[1.5, 2], [3, 4], [5, 6]]", "range(3)", "[[1, 2], [3, 4]], dtype=torch.float32",
          "'abc'", "None", "[None]", "[[0] * 4] * 3", "[True, 2]", "[2, 3.5, True]"]


def rows():
    for name in "zeros ones empty rand randn".split():
        for size in SIZES:
            yield f"torch.{name}({size})"
    for name in "zeros_like ones_like empty_like rand_like randn_like".split():
        for source in ["t(2, 3)", "t()", "t(0, 3)", "i(2)", "b(3)", "3", "t(2), dtype=torch.int64", "i(2, 3), dtype=torch.float32"]:
            yield f"torch.{name}({source})"
    for size, value in product(["(2, 3)", "(2,)", "[3]", "()", "(0, 1)", "3", "(-1,)"], ["1", "1.5", "True", "float('-inf')", "fill_value=2", "1, dtype=torch.float32"]):
        yield f"torch.full({size}, {value})"
    for source in ["t(2, 3)", "i(2)", "t()", "b(2)"]:
        for value in ["1", "2.5", "True", "1, dtype=torch.float64"]:
            yield f"torch.full_like({source}, {value})"
    for source, name, size in product(["t(2)", "i(2, 3)"], "new_zeros new_ones new_empty".split(), ["3", "2, 3", "(2, 3)", "()", "0", "-1", "(2,), dtype=torch.bool"]):
        yield f"{source}.{name}({size})"
    for source, size in product(["t(2)", "i(2)"], ["(2, 3), 1", "(2,), 1.5", "(), True", "3, 1"]):
        yield f"{source}.new_full({size})"
    for value in NESTED:
        yield f"torch.tensor({value})"
        yield f"torch.as_tensor({value})"
        yield f"t(2).new_tensor({value})"
    for value in ["3", "2, 3", "[1, 2]", "[[1.5, 2.5]]", "", "()", "[1, 2, 3], [4]"]:
        yield f"torch.Tensor({value})"
        yield f"torch.FloatTensor({value})"
        yield f"torch.LongTensor({value})"
    for arguments in ["5", "0", "2, 5", "5, 2, -1", "0, 10, 3", "0, 1, 0.1", "1.0, 4.0", "2.5", "5, 2", "0, 5, 0", "5, dtype=torch.float32", "start=1, end=4", "0, -5, -2", "10, 0", "3, 3", "-1", "0, 1, 0.3", "5, device='cpu'", "0, 7, 2, dtype=torch.int32", "end=5"]:
        yield f"torch.arange({arguments})"
    for arguments in ["0, 1, 5", "0, 1, steps=3", "0, 1, 1", "0, 1, 0", "0, 1, -1", "0, 10, 11, dtype=torch.float64", "start=0, end=1, steps=4"]:
        yield f"torch.linspace({arguments})"
        yield f"torch.logspace({arguments})"
    for arguments in ["3", "2, 3", "0", "-1", "3, dtype=torch.int64", "2, 0", "n=4", "4, m=2"]:
        yield f"torch.eye({arguments})"
    for arguments in ["10, (2, 3)", "0, 5, (4,)", "5, 2, (2,)", "0, 10, size=(3, 2)", "10", "10, ()", "3, (2,), dtype=torch.int32", "0, 2, [3]", "low=0, high=5, size=(2,)", "5, (0,)", "0, (2,)"]:
        yield f"torch.randint({arguments})"
    for arguments in ["5", "0", "-1", "n=3", "4, dtype=torch.int32", "2.5"]:
        yield f"torch.randperm({arguments})"
    for arguments in ["0.0, 1.0, (2, 3)", "t(3), t(3)", "t(3), 1.0", "0.0, t(2, 2)", "t(2), t(3)", "mean=0, std=1, size=(4,)"]:
        yield f"torch.normal({arguments})"
    for row in ["torch.bernoulli(t(2, 3))", "torch.multinomial(t(5), 3)", "torch.multinomial(t(4, 5), 2)", "torch.multinomial(t(5), 6)", "torch.multinomial(t(5), 6, replacement=True)", "torch.multinomial(t(2, 3, 4), 1)",
                "torch.poisson(t(2, 3))", "torch.scalar_tensor(2)", "torch.scalar_tensor(2.5)", "torch.tensor([t(1).item(), 2.0])", "torch.tensor(t(2, 3).shape)", "torch.as_tensor(t(2, 3))",
                "torch.complex(t(2), t(2))", "torch.hann_window(5)", "torch.hamming_window(4)", "torch.zeros(t(2, 3).shape)", "torch.ones(t(2, 3).size(0), 4)", "torch.zeros(*t(2, 3).shape)",
                "torch.zeros(2, 3, names=None)", "torch.empty(2, 3).fill_(1)", "torch.zeros(torch.Size([2, 3]))", "torch.Size([2, 3])", "torch.Size((2, 3)).numel()", "torch.ones(3, dtype=torch.bool)",
                "torch.vander(t(3))", "torch.randint(0, 10, (2, 3)).float()", "torch.zeros((3,)).requires_grad", "torch.zeros(3).device.type", "torch.finfo(torch.float32).bits", "torch.iinfo(torch.int64).max",
                "torch.get_default_dtype() == torch.float32", "torch.is_grad_enabled()", "torch.cuda.is_available()", "torch.manual_seed(0).initial_seed()", "torch.device('cpu').type",
                "torch.float32.is_floating_point", "torch.int64.is_floating_point", "torch.promote_types(torch.int64, torch.float32) == torch.float32", "torch.result_type(i(2), 1.0) == torch.float32"]:
        yield row
