"""Matrix products, einsum, linear algebra, linear and bilinear layers."""

from itertools import product

from ._shapes import i, t

SHAPES = [(), (3,), (0,), (2, 3), (3, 4), (3, 2), (0, 3), (3, 0), (2, 2, 3), (2, 3, 4), (1, 3, 4), (5, 3, 4), (2, 1, 3, 4), (7, 2, 3)]
SQUARE = ["torch.eye(3)", "t(2, 3)", "torch.eye(3).expand(2, 3, 3)", "t(3)", "t()", "t(0, 0)", "t(2, 3, 4)", "torch.eye(3).double()", "torch.eye(3).long()"]


def rows():
    for left, right in product(SHAPES, SHAPES):
        yield f"{t(*left)} @ {t(*right)}"
        if len(left) <= 3 and len(right) <= 3:
            yield f"torch.matmul({t(*left)}, {t(*right)})" if (len(left) + len(right)) % 2 else f"{t(*left)}.matmul({t(*right)})"
    small = [(), (3,), (4,), (2, 3), (3, 4), (4, 3), (0, 3), (2, 2, 3), (2, 3, 4), (1, 3, 4)]
    for left, right in product(small, small):
        for name in "mm bmm mv dot outer inner".split():
            yield f"torch.{name}({t(*left)}, {t(*right)})"
    yield "t(2, 3).mm(t(3, 4))"
    yield "t(2, 3, 4).bmm(t(2, 4, 5))"
    yield "i(2, 3) @ t(3, 4)"
    yield "i(2, 3) @ i(3, 4)"
    yield "torch.mm(i(2, 3), t(3, 4))"
    yield "torch.dot(i(3), t(3))"
    for left, right in [((3,), (3,)), ((3,), (4,)), ((2, 3), (3,)), ((2, 3), (2, 3)), ((2, 4), (2, 4)), ((2, 3), (3, 3))]:
        yield f"torch.cross({t(*left)}, {t(*right)}, dim=-1)"
        yield f"torch.linalg.cross({t(*left)}, {t(*right)})"
        yield f"torch.kron({t(*left)}, {t(*right)})"
        yield f"torch.vdot({t(*left)}, {t(*right)})"
        yield f"torch.ger({t(*left)}, {t(*right)})"
        for dims in ["1", "0", "2", "([1], [0])", "([0], [0])", "3", "([0, 1], [0, 1])"]:
            yield f"torch.tensordot({t(*left)}, {t(*right)}, dims={dims})"
    for bias, left, right in product([(), (4,), (2, 4), (1, 4), (2, 1), (3, 4), (2, 2, 4)], [(2, 3), (2, 2, 3)], [(3, 4), (4, 3), (2, 3, 4)]):
        for name in "addmm baddbmm addbmm".split():
            yield f"torch.{name}({t(*bias)}, {t(*left)}, {t(*right)})"
    for bias, matrix, vector in [((2,), (2, 3), (3,)), ((), (2, 3), (3,)), ((3,), (2, 3), (3,)), ((2,), (2, 3), (2,)), ((1,), (2, 3), (3,))]:
        yield f"torch.addmv({t(*bias)}, {t(*matrix)}, {t(*vector)})"
        yield f"torch.addr({t(2, 3)}, {t(*bias)}, {t(*vector)})"
    for spec, operands in [
        ("ij,jk->ik", [[(2, 3), (3, 4)], [(2, 3), (4, 5)], [(2, 3), (3,)], [(2, 1), (3, 4)], [(2, 3), (1, 4)], [(0, 3), (3, 4)]]),
        ("ij,jk", [[(2, 3), (3, 4)], [(2, 3), (2, 3)]]),
        ("i,i->", [[(3,), (3,)], [(3,), (4,)], [(3,), (1,)]]),
        ("i,j->ij", [[(3,), (4,)], [(), (3,)]]),
        ("ii->i", [[(3, 3)], [(3, 4)], [(3,)]]),
        ("ii", [[(3, 3)], [(1, 3)]]),
        ("ij->ji", [[(2, 3)], [(2, 3, 4)]]),
        ("ij->", [[(2, 3)], [(0, 3)]]),
        ("bij,bjk->bik", [[(2, 3, 4), (2, 4, 5)], [(2, 3, 4), (3, 4, 5)], [(1, 3, 4), (2, 4, 5)], [(2, 3, 4), (2, 3, 5)]]),
        ("bhid,bhjd->bhij", [[(2, 4, 5, 8), (2, 4, 6, 8)], [(2, 4, 5, 8), (2, 4, 6, 7)], [(2, 4, 5, 8), (4, 6, 8)]]),
        ("bld,lrd->blr", [[(2, 5, 8), (5, 5, 8)]]),
        ("...ij,...jk->...ik", [[(2, 3, 4), (4, 5)], [(7, 2, 3, 4), (2, 4, 5)], [(2, 3, 4), (3, 4, 5)], [(3, 4), (4, 5)]]),
        ("...i->...", [[(2, 3)], [(3,)]]),
        ("ij,jk->il", [[(2, 3), (3, 4)]]),
        ("ij,jk->iik", [[(2, 3), (3, 4)]]),
        ("ij", [[(2, 3), (3, 4)], [(2, 3)]]),
        ("i1->i", [[(2, 3)]]),
        ("a b, b c -> a c", [[(2, 3), (3, 4)]]),
        ("ij,ij,ij->i", [[(2, 3), (2, 3), (2, 3)], [(2, 3), (2, 3), (2, 4)]]),
        ("bn,anm,bm->ba", [[(2, 5), (3, 5, 4), (2, 4)], [(2, 5), (3, 5, 4), (2, 5)]]),
    ]:
        for shapes in operands:
            yield f"torch.einsum('{spec}', {', '.join(t(*shape) for shape in shapes)})"
            yield f"torch.einsum('{spec}', [{', '.join(t(*shape) for shape in shapes)}])"
    for matrix in SQUARE:
        for name in "inv det slogdet cholesky qr eigvals eigh eigvalsh matrix_rank pinv svdvals".split():
            yield f"torch.linalg.{name}({matrix})" if name not in ("qr", "eigh", "slogdet") else f"tuple(torch.linalg.{name}({matrix}))"
        for name in "inverse det logdet matrix_exp pinverse".split():
            yield f"torch.{name}({matrix})"
        yield f"tuple(torch.linalg.svd({matrix}))"
        yield f"tuple(torch.linalg.svd({matrix}, full_matrices=False))"
        yield f"tuple(torch.svd({matrix}))"
        yield f"torch.linalg.matrix_power({matrix}, 3)"
        yield f"torch.matrix_power({matrix}, 2)"
        for right in ["t(3)", "t(3, 2)", "t(2, 3)", "t(2, 3, 4)", "t(4)"]:
            yield f"torch.linalg.solve({matrix}, {right})"
    for sizes in ["t(2, 3), t(3, 4), t(4, 5)", "t(2, 3), t(4, 5)", "t(2, 3)", "t(3), t(3, 4)"]:
        yield f"torch.linalg.multi_dot([{sizes}])"
        yield f"torch.chain_matmul({sizes})"
    for left, right in [((2, 3), (4, 3)), ((2, 3), (4, 5)), ((7, 2, 3), (7, 4, 3)), ((7, 2, 3), (4, 3)), ((3,), (4, 3)), ((0, 3), (4, 3)), ((2, 2, 3), (7, 4, 3))]:
        yield f"torch.cdist({t(*left)}, {t(*right)})"
    for shape, arguments in product([(), (3,), (2, 3), (0, 3), (2, 5, 3), (1, 2, 1, 2, 1, 3), (2, 4)], ["3, 4", "3, 1", "3, 4, bias=False", "4, 2", "in_features=3, out_features=7", "3, 0"]):
        yield f"nn.Linear({arguments})({t(*shape)})"
    for shape, weight in product([(), (3,), (2, 3), (2, 5, 3), (0, 3)], ["t(4, 3)", "t(3)", "t(3, 4)", "t(4, 3), t(4)", "t(4, 3), t(3)", "t(4, 3), None", "t(4, 3), t(1)", "t(4, 3), t(2, 4)", "t(4, 3), t()"]):
        yield f"F.linear({t(*shape)}, {weight})"
    yield "nn.Linear(3, 4)(i(2, 3))"
    yield "nn.Linear(3, 4)(t(2, 3).double())"
    yield "nn.Linear(3)(t(2, 3))"
    yield "nn.Linear(3, 4).weight"
    yield "nn.Linear(3, 4).bias"
    yield "nn.Linear(3, 4, bias=False).bias"
    yield "nn.Linear(3, 4).weight.t() @ t(4, 2)"
    for left, right in [((2, 3), (2, 4)), ((2, 3), (2, 5)), ((2, 3), (3, 4)), ((3,), (4,)), ((2, 7, 3), (2, 7, 4))]:
        yield f"nn.Bilinear(3, 4, 6)({t(*left)}, {t(*right)})"
        yield f"F.bilinear({t(*left)}, {t(*right)}, t(6, 3, 4))"
    for left, right in [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), (4, 3)), ((2, 1, 3), (4, 3)), ((3,), (3,)), ((2, 3, 4), (2, 3, 4))]:
        yield f"F.cosine_similarity({t(*left)}, {t(*right)})"
        yield f"F.cosine_similarity({t(*left)}, {t(*right)}, dim=-1)"
        yield f"nn.CosineSimilarity(dim=1)({t(*left)}, {t(*right)})"
        yield f"F.pairwise_distance({t(*left)}, {t(*right)})"
        yield f"nn.PairwiseDistance()({t(*left)}, {t(*right)})"
    yield f"torch.matmul({i(2, 3)}, {i(3)})"
