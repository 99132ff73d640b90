"""Subscripts, stores, gather/scatter and the other operations that take indices."""

from itertools import product

from ._shapes import b, i, t

SHAPES = [(), (5,), (0,), (3, 4), (2, 3, 4), (2, 0, 4)]
INDICES = ["0", "-1", "4", "-3", "7", ":", "1:", ":2", "::2", "1:100", "-2:", "3:1", "...", "None", "0, 0", ":, 0", ":, 1:3", "..., 0", "..., -1, :", "None, :", ":, None", "0, :, 1", "0, ..., 1", "0, 0, 0", "0, 0, 0, 0",
           "..., None", "None, ..., None", "[0, 1]", "[0, 1], [1, 0]", ":, [0, 2]", "[0], :, [1]", "[0, 1], :, [1, 2]", "i(3)", "i(2, 2)", "i(0)", ":, i(3)", "i(2), i(3)", "i(2, 1), i(3)", "i(3), 0", "0, i(3)",
           "b()", "(0,)", "(slice(None), 0)", "slice(0, 2)", "i()", "i(), i()", "None, 0, None", "torch.tensor([0, 5])", "torch.tensor([1, 2])", "True", "..., ...", "1.0", "'a'", "::-1", "::0"]


def rows():
    for shape, index in product(SHAPES, INDICES):
        yield f"{t(*shape)}[{index}]"
    for shape, mask in [((5,), (5,)), ((5,), (4,)), ((3, 4), (3, 4)), ((3, 4), (3,)), ((3, 4), (4,)), ((2, 3, 4), (2, 3)), ((2, 3, 4), (2, 3, 5)), ((3, 4), (1, 4)), ((), ()), ((3, 4), (3, 4, 1))]:
        yield f"{t(*shape)}[{b(*mask)}].dim()"
        yield f"{t(*shape)}[{b(*mask)}]"
        yield f"torch.masked_select({t(*shape)}, {b(*mask)})"
        yield f"{t(*shape)}.__setitem__({b(*mask)}, 0)"
    stores = [((5,), "0", ()), ((5,), "slice(None)", (5,)), ((5,), "slice(None)", (4,)), ((5,), "slice(0, 2)", (1,)), ((3, 4), "0", (4,)), ((3, 4), "0", (3,)), ((3, 4), "0", (1, 4)), ((3, 4), "0", (2, 4)),
              ((3, 4), "(slice(None), 0)", (3,)), ((3, 4), "(slice(None), 0)", (4,)), ((3, 4), "(slice(None), slice(1, 3))", (3, 2)), ((3, 4), "(slice(None), slice(1, 3))", (3, 3)), ((3, 4), "...", (4,)),
              ((3, 4), "(0, 0)", ()), ((3, 4), "(0, 9)", ()), ((3, 4), "9", (4,)), ((3, 4), "i(2)", (2, 4)), ((3, 4), "i(2)", (3, 4)), ((3, 4), "[0, 1]", (4,)), ((3, 4), "None", (3, 4)), ((3, 4), "(0, 0, 0)", ()),
              ((2, 3, 4), "(slice(None), 1)", (2, 4)), ((2, 3, 4), "(slice(None), 1)", (4,)), ((2, 3, 4), "(slice(None), 1)", (3, 4)), ((0, 3), "slice(None)", (3,)), ((3, 4), "0", (1, 1, 4)), ((3, 4), "0", (2, 1, 4))]
    for shape, index, value in stores:
        yield f"{t(*shape)}.__setitem__({index}, {t(*value)})"
        yield f"{t(*shape)}.__setitem__({index}, 1.5)"
    for shape, dim, index in product([(5,), (3, 4), (2, 3, 4), ()], ["0", "1", "-1", "3"], ["i(2)", "i(0)", "i(2, 2)", "i()", "[0, 1]", "t(2)", "i(2) + 9"]):
        yield f"torch.index_select({t(*shape)}, {dim}, {index})"
        yield f"{t(*shape)}.index_select({dim}, {index})"
    for shape, dim, index in product([(5,), (3, 4), (2, 3, 4), (), (0, 4)], ["0", "1", "-1"], ["i(2)", "i(3, 2)", "i(2, 4)", "i(3, 9)", "i(4, 2)", "i(2, 3, 1)", "i(2, 3, 4)", "i(1, 1, 4)", "i(0)", "i()", "t(2)"]):
        yield f"torch.gather({t(*shape)}, {dim}, {index})"
        yield f"{t(*shape)}.take_along_dim({index}, dim={dim})"
    for shape, dim, index, source in product([(5,), (3, 4)], ["0", "1"], ["i(2)", "i(3, 2)", "i(2, 4)", "i(4, 4)"], ["t(2)", "t(3, 2)", "t(3, 4)", "t(2, 4)", "t(5, 5)", "1.0"]):
        yield f"{t(*shape)}.scatter({dim}, {index}, {source})"
        if source != "1.0":
            yield f"{t(*shape)}.scatter_add({dim}, {index}, {source})"
            yield f"{t(*shape)}.scatter_add_({dim}, {index}, {source})"
        yield f"{t(*shape)}.scatter_({dim}, {index}, {source})"
    for shape, dim, index, source in product([(5,), (3, 4)], ["0", "1", "-1"], ["i(2)", "i(3)", "i(2, 2)"], ["t(2)", "t(3, 2)", "t(2, 4)", "t(3, 3)"]):
        yield f"{t(*shape)}.index_add({dim}, {index}, {source})"
        yield f"{t(*shape)}.index_copy({dim}, {index}, {source})"
        yield f"{t(*shape)}.index_fill({dim}, {index}, 0.0)"
    for shape, index in product([(5,), (3, 4), (0,)], ["i(2)", "i(2, 3)", "i()", "i(2) + 50", "t(2)"]):
        yield f"torch.take({t(*shape)}, {index})"
    for index, arguments in product(["i(3)", "i(2, 3)", "i()", "t(3)", "i(0)"], ["5", "-1", "num_classes=1", "0", ""]):
        yield f"F.one_hot({index}, {arguments})"
    for index, weight in product(["i(3)", "i(2, 3)", "i()", "i(0)", "i(2, 2, 3, 1)", "t(3)", "i(3) + 7", "i(2, 3) - 1"], ["t(5, 4)", "t(1, 2)", "t(5)", "t(5, 0)"]):
        yield f"F.embedding({index}, {weight})"
    for index, arguments in product(["i(3)", "i(2, 3)", "i()", "i(2, 3, 4)", "i(1, 2, 1, 2)", "t(3)", "i(2) + 10", "b(2)"], ["10, 4", "3, 1", "num_embeddings=5, embedding_dim=2, padding_idx=0", "1, 8", "10, 4, 12"]):
        yield f"nn.Embedding({arguments})({index})"
    for index, offsets in product(["i(6)", "i(2, 3)", "i(2, 3, 4)"], ["", ", i(2)", ", i(1)", ", offsets=i(3)"]):
        yield f"nn.EmbeddingBag(10, 4)({index}{offsets})"
    for sorted_, values in product(["t(5)", "t(3, 4)", "t()"], ["t(2)", "t(3, 2)", "t(2, 2)", "t()", "1.0"]):
        yield f"torch.searchsorted({sorted_}, {values})"
        yield f"torch.bucketize({values}, {sorted_})"
    for row in ["torch.nonzero(b(3, 4)).shape[1]", "torch.argwhere(b(3)).dim()", "torch.tril_indices(3, 4)", "torch.triu_indices(3, 3, 1)", "t(3, 4).index_put((i(2),), t(4))", "t(3, 4).put_(i(2), t(2))", "len(torch.where(b(3, 4)))",
                "t(3, 4)[0].shape", "t(3, 4)[0, 1].item() >= 0", "[row.shape for row in t(2, 3)]", "t(4, 5)[:, :, 0]", "t(2, 3)[t(2) > 0.5]", "t(2, 3).nonzero().dim()", "i(4).unique().dim()", "t(3, 4)[[0, 2]][:, [1]]",
                "t(2, 3, 4)[:, i(2), i(2)]", "t(2, 3, 4)[i(2), :, i(2)]", "t(2, 3, 4, 5)[:, i(2), :, i(3, 1)]", "t(2, 3, 4)[..., i(2, 2)]", "t(2, 3, 4)[0, :, i(2)]", "t(2, 3, 4)[i(2), None, i(2)]"]:
        yield row
