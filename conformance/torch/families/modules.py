"""nn.Module machinery: containers, parameters, calls; datasets and loaders."""

from itertools import product

from ._shapes import t

NETS = ["nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))", "nn.Sequential(nn.Linear(4, 8), nn.Linear(7, 2))", "nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 3 * 3, 10))",
        "nn.Sequential(OrderedDict([('a', nn.Linear(4, 3)), ('b', nn.Tanh())]))", "nn.Sequential()", "nn.Sequential(*[nn.Linear(4, 4) for _ in range(3)])", "nn.Sequential(nn.Flatten(), nn.Linear(12, 5))",
        "nn.Sequential(nn.Embedding(10, 4), nn.Linear(4, 2))", "nn.Sequential(nn.BatchNorm1d(4), nn.Dropout(0.2))", "nn.Sequential(nn.LSTM(4, 3))", "nn.Sequential(nn.Unflatten(1, (2, 2)), nn.Conv1d(2, 5, 1))", "nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(1), nn.Linear(8, 2))"]
SHAPES = [(2, 4), (4,), (2, 3), (2, 3, 8, 8), (3, 8, 8), (2, 3, 4), (2, 3, 9, 8), (0, 4), (5, 2, 4)]


def rows():
    for net, shape in product(NETS, SHAPES):
        yield f"{net}({t(*shape)})"
    yield "nn.Sequential(nn.Embedding(10, 4), nn.Linear(4, 2))(i(3, 5))"
    for net in NETS:
        for ask in ["len({net})", "len(list({net}.parameters()))", "sum(p.numel() for p in {net}.parameters())", "[n for n, _ in {net}.named_parameters()]", "len(list({net}.modules()))", "[n for n, _ in {net}.named_children()]",
                    "sorted({net}.state_dict().keys())", "{net}.train().training", "{net}.eval().training"]:
            yield ask.replace("{net}", net)
    for row in ["nn.Sequential(nn.Linear(4, 8), nn.ReLU())[0].weight", "nn.Sequential(nn.Linear(4, 8), nn.ReLU())[-1](t(3))", "nn.Sequential(nn.Linear(4, 8), nn.ReLU())[2]", "nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))[:1](t(3, 4))",
                "nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))[1:](t(3, 8))", "len(nn.ModuleList([nn.Linear(4, 8), nn.ReLU()]))", "nn.ModuleList([nn.Linear(4, 8)])[0](t(3, 4))", "nn.ModuleList([nn.Linear(4, 8)])(t(3, 4))",
                "[m(t(2, 4)).shape for m in nn.ModuleList([nn.Linear(4, 8), nn.Linear(4, 2)])]", "nn.ModuleDict({'a': nn.Linear(4, 8)})['a'](t(2, 4))", "nn.ModuleDict({'a': nn.Linear(4, 8)})['b']", "list(nn.ModuleDict({'a': nn.Linear(4, 8)}).keys())",
                "'a' in nn.ModuleDict({'a': nn.ReLU()})", "nn.Parameter(t(2, 3))", "nn.Parameter(t(2, 3)).shape", "nn.Parameter(t(2, 3)) @ t(3)", "nn.Parameter(t(2, 3)).requires_grad", "nn.Linear(4, 3).weight.shape", "nn.Linear(4, 3).in_features",
                "nn.Linear(4, 3).to('cpu')(t(4))", "nn.Linear(4, 3).double()(t(2, 4).double())", "nn.Linear(4, 3).float()(t(2, 4))", "nn.Linear(4, 3).requires_grad_(False)(t(4))", "nn.Linear(4, 3).apply(lambda m: None)(t(4))", "nn.Linear(4, 3).foo",
                "nn.Linear(4, 3).forward(t(2, 4))", "nn.Identity(5, a=3)(t(2))", "nn.Sequential(nn.ReLU()).append(nn.Linear(3, 2))(t(3))", "len(nn.ModuleList([nn.ReLU()]) + [nn.ReLU()])", "nn.ModuleList([nn.ReLU()]).append(nn.Tanh())[1](t(2))",
                "len(nn.ParameterList([nn.Parameter(t(2)), nn.Parameter(t(3))]))", "nn.ParameterList([nn.Parameter(t(2)), nn.Parameter(t(3))])[1]", "nn.init.xavier_uniform_(t(3, 4))", "nn.init.zeros_(t(3))", "nn.init.normal_(t(3), std=0.1)", "nn.init.kaiming_normal_(t(3, 4))",
                "nn.init.xavier_uniform_(t(3))", "nn.init.constant_(t(2), 1.0)", "nn.init.orthogonal_(t(3, 4))", "nn.init.trunc_normal_(t(3, 4), std=0.02)", "nn.init.eye_(t(3))", "nn.init.uniform_(t(3))", "nn.init.ones_(t(3))", "nn.Module()(t(2))",
                "nn.utils.parameters_to_vector(nn.Linear(2, 3).parameters())", "nn.Linear(4, 3).state_dict()['weight']", "nn.Linear('a', 3)", "nn.Linear(4, -3)", "nn.Conv2d(0, 3, 3).weight", "nn.Embedding(3)"]:
        yield row
    sets = ["data.TensorDataset(t(10, 3))", "data.TensorDataset(t(10, 3), i(10))", "data.TensorDataset(t(10, 3), i(9))", "data.TensorDataset(t(3), t(3, 2), t(3, 1, 4))"]
    for dataset in sets:
        yield f"len({dataset})"
        yield f"{dataset}[0]"
        yield f"{dataset}[1:3]"
        yield f"{dataset}[20]"
        for arguments in ["batch_size=4", "batch_size=2, shuffle=True", "batch_size=4, drop_last=True", "", "8", "batch_size=20", "batch_size=20, drop_last=True"]:
            yield f"len(data.DataLoader({dataset}, {arguments}))"
            yield f"list(next(iter(data.DataLoader({dataset}, {arguments}))))"
        yield f"[len(part) for part in data.random_split({dataset}, [1, 2])]"
        yield f"len(data.Subset({dataset}, [0, 1]))"
    yield "len(data.DataLoader(data.TensorDataset(t(10, 3)), batch_size=0))"
    yield "[len(part) for part in data.random_split(data.TensorDataset(t(10)), [7, 3])]"
    yield "[batch[0].shape for batch in data.DataLoader(data.TensorDataset(t(10, 3)), batch_size=4)]"
    yield "[x.shape for x, in data.DataLoader(data.TensorDataset(t(5, 3)), batch_size=2)]"
    yield "len(data.ConcatDataset([data.TensorDataset(t(3)), data.TensorDataset(t(4))]))"
