"""Random numbers: the legacy functions, `RandomState` and `Generator`."""

SIZES = ["", "size=3", "size=(2, 3)", "size=()", "size=None", "size=0", "size=-1", "size=(2, -1)", "size=[4]", "size=2.0"]
CONTINUOUS = {
    "normal": "0, 1", "uniform": "0, 1", "exponential": "1.0", "gamma": "2.0", "beta": "1, 2", "laplace": "0, 1", "lognormal": "0, 1", "chisquare": "2", "standard_t": "3",
    "logistic": "0, 1", "gumbel": "0, 1", "rayleigh": "1", "weibull": "2", "pareto": "2", "triangular": "0, 1, 2", "vonmises": "0, 1", "standard_gamma": "1",
}
DISCRETE = {"poisson": "3", "binomial": "10, 0.5", "geometric": "0.5", "hypergeometric": "5, 5, 3", "negative_binomial": "3, 0.5", "zipf": "2", "logseries": "0.5"}
PARAMETERS = ["np.ones(3), 1", "np.ones((2, 1)), np.ones(3)", "np.ones(2), np.ones(3)", "0, np.ones((2, 3)), (2, 3)", "np.zeros(3), 1, (2, 3)", "np.zeros(3), 1, (3, 2)", "[0, 1], 1"]
OWNERS = {"np.random": "np.random", "RandomState": "np.random.RandomState(0)", "Generator": "np.random.default_rng(0)"}


def rows():
    """Rows for the three owners of distributions."""
    for owner, source in OWNERS.items():
        for name, arguments in [*CONTINUOUS.items(), *DISCRETE.items()]:
            for size in SIZES[:4] if owner == "RandomState" else SIZES:
                call = ", ".join(part for part in (arguments, size) if part)
                yield f"{owner}.{name}", f"{source}.{name}({call})"
        for name in ["normal", "uniform"]:
            for call in PARAMETERS:
                yield f"{owner}.{name}", f"{source}.{name}({call})"
            for call in ["", "0, 1, 5", "0, 1, (2, 3)", "0.5"]:
                yield f"{owner}.{name}", f"{source}.{name}({call})"
        for size in ["", "3", "(2, 3)", "size=4", "()", "-1", "None", "2.5"]:
            for name in ["standard_normal", "random", "standard_exponential", "standard_cauchy"]:
                yield f"{owner}.{name}", f"{source}.{name}({size})"
        for call in ["5", "[1, 2, 3]", "np.arange(6)", "np.ones((3, 2))", "0", "[]"]:
            yield f"{owner}.permutation", f"{source}.permutation({call})"
        yield f"{owner}.shuffle", f"a = np.arange(6).reshape(3, 2); {source}.shuffle(a); a"
        for call in ["5", "5, 3", "[1, 2, 3], 2", "[1, 2, 3], size=(2, 2)", "5, 3, False", "5, 8, replace=False", "np.arange(4), 2, p=[0.25, 0.25, 0.25, 0.25]", "4, 2, p=[0.5, 0.5]", "np.ones((3, 2)), 2", "0, 2", "[1.5, 2.5]", "[], 0"]:
            yield f"{owner}.choice", f"{source}.choice({call})"
        for call in ["np.zeros(2), np.eye(2)", "np.zeros(2), np.eye(2), 5", "np.zeros(2), np.eye(2), (3, 4)", "np.zeros(2), np.eye(3)", "[0, 0], [[1, 0], [0, 1]], size=4", "np.zeros((2, 2)), np.eye(2)", "np.zeros(3), np.ones((3, 2))"]:
            yield f"{owner}.multivariate_normal", f"{source}.multivariate_normal({call})"
        for call in ["10, [0.5, 0.5]", "10, [0.2, 0.8], 3", "10, [0.2, 0.8], size=(2, 3)"]:
            yield f"{owner}.multinomial", f"{source}.multinomial({call})"
        for call in ["[1, 2, 3]", "[1, 2, 3], 4", "np.ones(2), (2, 3)"]:
            yield f"{owner}.dirichlet", f"{source}.dirichlet({call})"
        if owner != "Generator":
            for call in ["", "3", "2, 3", "0", "-1", "(2, 3)", "2, 3, 4", "2.0"]:
                yield f"{owner}.rand", f"{source}.rand({call})"
                yield f"{owner}.randn", f"{source}.randn({call})"
            for call in ["5", "0, 5", "0, 5, 3", "0, 5, (2, 3)", "5, size=4", "0, 10, size=(2, 2), dtype=np.int32", "5, 2", "0", "low=0, high=3, size=2", "[1, 2, 3]", "0, [3, 4]", "0, 5, -1", "0, 2, size=()"]:
                yield f"{owner}.randint", f"{source}.randint({call})"
            for name in ["random_sample"]:
                for call in ["", "3", "(2, 3)"]:
                    yield f"{owner}.{name}", f"{source}.{name}({call})"
            yield f"{owner}.seed", f"{source}.seed(0)"
        else:
            for call in ["5", "0, 5", "0, 5, 3", "0, 5, size=(2, 3)", "5, size=4", "0, 10, size=3, dtype=np.int32", "5, 2", "0, 5, endpoint=True", "[1, 2, 3]", "0, 5, -1"]:
                yield "Generator.integers", f"{source}.integers({call})"
            for call in ["np.ones((3, 2))", "np.arange(4)", "np.ones((3, 2)), axis=1", "np.ones(3), axis=1"]:
                yield "Generator.permuted", f"{source}.permuted({call})"
            yield "Generator.random", f"{source}.random((2, 3), dtype='float32')"
            yield "Generator.standard_normal", f"{source}.standard_normal((2, 3), dtype=np.float32)"
            yield "Generator.choice", f"{source}.choice(np.ones((3, 4)), 2, axis=1)"
            yield "Generator.shuffle", f"a = np.ones((3, 2)); {source}.shuffle(a, axis=1); a"
    for name in ["sample", "ranf"]:
        for call in ["", "3", "(2, 3)"]:
            yield f"np.random.{name}", f"np.random.{name}({call})"
