"""Losses, as functions and as modules: shapes that fit, shapes that only broadcast, shapes that raise."""

from itertools import product

from ._shapes import i, t

PAIRS = [((), ()), ((5,), (5,)), ((5, 1), (5,)), ((5,), (5, 1)), ((5, 3), (5, 3)), ((5, 3), (3,)), ((5, 3), (4, 3)), ((5,), (4,)), ((5,), ()), ((0, 3), (0, 3)), ((5, 3, 2), (5, 1, 2))]
SAME = "mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div poisson_nll_loss soft_margin_loss".split()
MODULES = "MSELoss L1Loss SmoothL1Loss HuberLoss BCELoss BCEWithLogitsLoss KLDivLoss PoissonNLLLoss SoftMarginLoss".split()


def rows():
    for name in SAME:
        for left, right in PAIRS:
            yield f"F.{name}({t(*left)}, {t(*right)})"
            yield f"F.{name}({t(*left)}, {t(*right)}, reduction='none')"
        yield f"F.{name}({t(5)}, {t(5)}, reduction='sum')"
        yield f"F.{name}({t(5)}, {t(5)}, reduction='median')"
    for name in MODULES:
        for left, right in PAIRS:
            yield f"nn.{name}()({t(*left)}, {t(*right)})"
        for left, right in PAIRS[:5]:
            yield f"nn.{name}(reduction='none')({t(*left)}, {t(*right)})"
            yield f"nn.{name}(reduction='sum')({t(*left)}, {t(*right)})"
        yield f"nn.{name}()({t(5)}, {i(5)})"
    yield "nn.BCELoss(t(3))(t(5, 3), t(5, 3))"
    yield "nn.BCEWithLogitsLoss(pos_weight=t(3))(t(5, 3), t(5, 3))"
    yield "nn.BCEWithLogitsLoss(pos_weight=t(4))(t(5, 3), t(5, 3))"
    yield "nn.BCELoss()(t(5), i(5))"
    yield "nn.MSELoss()(t(5), i(5))"
    yield "nn.MSELoss()(i(5), i(5))"
    inputs = [(3,), (5, 3), (5, 3, 4), (5, 3, 4, 2), (), (0, 3)]
    targets = ["i()", "i(5)", "i(4)", "i(5, 4)", "i(5, 4, 2)", "i(5, 3)", "i(5, 1)", "t(5)", "t(5, 3)", "t(3)", "t(5, 3, 4)", "i(0)", "i(5) + 3", "t(5, 4)"]
    for shape, target in product(inputs, targets):
        yield f"F.cross_entropy({t(*shape)}, {target})"
        yield f"nn.CrossEntropyLoss()({t(*shape)}, {target})"
        yield f"F.cross_entropy({t(*shape)}, {target}, reduction='none')"
        yield f"F.nll_loss({t(*shape)}, {target})"
        yield f"nn.NLLLoss()({t(*shape)}, {target})"
    for row in ["nn.CrossEntropyLoss(weight=t(3))(t(5, 3), i(5))", "nn.CrossEntropyLoss(weight=t(4))(t(5, 3), i(5))", "nn.CrossEntropyLoss(label_smoothing=0.1)(t(5, 3), i(5))", "nn.CrossEntropyLoss(ignore_index=0)(t(5, 3), i(5))",
                "nn.CrossEntropyLoss(reduction='none')(t(5, 3, 4), i(5, 4))", "nn.CrossEntropyLoss(reduction='sum')(t(5, 3), i(5))", "nn.NLLLoss(reduction='none')(t(5, 3), i(5))", "nn.NLLLoss(weight=t(4))(t(5, 3), i(5))", "nn.NLLLoss2d()(t(5, 3, 4, 4), i(5, 4, 4))"]:
        yield row
    for shapes in ["t(5, 3), t(5, 3), t(5, 3)", "t(5, 3), t(5, 3), t(4, 3)", "t(3), t(3), t(3)", "t(5, 3), t(1, 3), t(5, 3)", "t(5, 3), t(5, 4), t(5, 3)"]:
        yield f"F.triplet_margin_loss({shapes})"
        yield f"nn.TripletMarginLoss()({shapes})"
        yield f"nn.TripletMarginLoss(reduction='none')({shapes})"
    for shapes in ["t(5, 3), t(5, 3), t(5)", "t(5, 3), t(5, 3), t(4)", "t(5), t(5), t(5)", "t(3), t(3), t()", "t(5, 3), t(4, 3), t(5)"]:
        yield f"F.cosine_embedding_loss({shapes})"
        yield f"F.margin_ranking_loss({shapes})"
        yield f"nn.CosineEmbeddingLoss()({shapes})"
        yield f"nn.MarginRankingLoss()({shapes})"
    for left, right in [("t(5, 3)", "i(5)"), ("t(5, 3)", "i(4)"), ("t(3)", "i()"), ("t(5, 3)", "i(5, 3)")]:
        yield f"F.multi_margin_loss({left}, {right})"
        yield f"nn.MultiMarginLoss()({left}, {right})"
        yield f"F.multilabel_margin_loss({left}, {right})"
        yield f"nn.MultiLabelSoftMarginLoss()({left}, {right})"
    for left, right in PAIRS:
        yield f"F.hinge_embedding_loss({t(*left)}, {t(*right)})"
        yield f"nn.GaussianNLLLoss()({t(*left)}, {t(*right)}, {t(*left)})"
    yield "nn.CTCLoss()(t(10, 2, 5), i(2, 3) + 1, torch.tensor([10, 10]), torch.tensor([3, 3]))"
    yield "F.mse_loss(input=t(5), target=t(5))"
    yield "F.mse_loss(t(5))"
    yield "nn.KLDivLoss(reduction='batchmean')(t(5, 3), t(5, 3))"
    yield "F.kl_div(t(5, 3), t(5, 3), reduction='batchmean', log_target=True)"
    yield "nn.L1Loss()(t(5), t(5)).dim()"
