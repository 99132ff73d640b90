"""Make the conformance tables of the JAX models from the real library.

    PYTHON generate.py           write the tables
    PYTHON generate.py --check   compare them with the installed library

A row is `expression<TAB>outcome`, as in the tables of NumPy. The family `numpy` asks `jax.numpy` what the rows of NumPy's
tables ask NumPy: every so-manieth of them, chosen by checksum. The family `own` is about what NumPy lacks: functional
updates, keys, transformations, loops.
"""

import os
import sys
import warnings
import zlib
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from tables import settle_table, show_sequence  # noqa: E402
ONE_OF = 20
# What NumPy's rows use and JAX lacks, and what depends on chance.
NOT_ASKED = ("random", "out=", "matrix(", "ndarray(", "dtype=", "astype", "np.lib", "ufunc", ".flat", "nditer", "casting", "float16", "longdouble", "'", "copyto", "np.float", "np.int", "np.uint", "np.bool", "np.complex", "True", "[True", ";")


def numpy_rows():
    """Rows of NumPy's tables, asked of JAX."""
    for table in sorted((HERE.parent / "numpy" / "table").glob("*.tsv")):
        for line in table.read_text(encoding="utf-8").splitlines():
            expression = "" if line.startswith("#") else line.split("\t")[0]
            if expression and zlib.crc32(expression.encode()) % ONE_OF == 0 and not any(text in expression for text in NOT_ASKED):
                yield expression.replace("np.", "jnp.")


def own_rows():
    """What is JAX's own."""
    shapes = ["(3,)", "(2, 3)", "(4, 2, 3)"]
    for shape in shapes:
        x = f"jnp.ones({shape})"
        for key in ["0", "9", ":, 0", "0, 0", "0, 0, 0", "..., 0", "1:", "None", "jnp.array([0, 1])"]:
            yield f"{x}[{key}]"
            for value in ["1.0", "jnp.ones(3)", "jnp.ones(2)", "jnp.ones((2, 3))"]:
                yield f"{x}.at[{key}].set({value})"
            yield f"{x}.at[{key}].add(1.0)"
        for statement in [f"x = {x}; x[0] = 1.0; 1", f"jax.nn.softmax({x}, axis=1)", f"jax.nn.softmax({x})", f"jax.nn.relu({x})", f"jax.nn.one_hot({x}.astype(int), 4)", f"jax.vmap(lambda a: a.sum())({x})", f"jax.vmap(lambda a, b: a + b)({x}, jnp.ones(2))", f"jax.vmap(lambda a, b: a + b, in_axes=(0, None))({x}, jnp.ones(3))",
                          f"jax.vmap(lambda a: a, in_axes=1)({x})", f"jax.vmap(lambda a: a, out_axes=1)({x})", f"jax.grad(lambda a: a.sum())({x})", f"jax.grad(lambda a: a * 2)({x})", f"jax.value_and_grad(lambda a: a.mean())({x})", f"jax.jit(lambda a: a @ jnp.ones(3))({x})", f"jax.lax.scan(lambda c, r: (c, r), jnp.ones(3), {x})", f"jax.lax.scan(lambda c, r: (c + 1.0, r.sum()), 0.0, {x})",
                          f"jax.lax.scan(lambda c, r: (jnp.ones(2), r), jnp.ones(3), {x})", f"jax.lax.fori_loop(0, 3, lambda i, v: v * 2.0, {x})", f"jax.lax.cond(True, lambda v: v, lambda v: -v, {x})", f"jax.lax.cond(True, lambda v: v, lambda v: v.sum(), {x})", f"jax.lax.map(lambda r: r * 2, {x})", f"[row for row in {x}]", f"len({x})", f"{x}.T", f"{x}.shape", f"{x}.ndim", f"{x}.size"]:
            yield statement
    for row in ["jax.random.PRNGKey(0)", "jax.random.split(jax.random.PRNGKey(0))", "jax.random.split(jax.random.PRNGKey(0), 5)", "jax.random.normal(jax.random.PRNGKey(0), (2, 3))", "jax.random.uniform(jax.random.PRNGKey(0), (4,))", "jax.random.normal(jax.random.PRNGKey(0))", "jax.random.randint(jax.random.PRNGKey(0), (2,), 0, 5)", "jax.random.permutation(jax.random.PRNGKey(0), 5)",
                "a, b, c = jax.random.split(jax.random.PRNGKey(0)); a", "jax.tree_util.tree_map(lambda a, b: a + b, [jnp.ones(2)], [jnp.ones(3)])", "jax.tree_util.tree_map(lambda a: a * 2, (jnp.ones(2), jnp.ones(3)))", "jax.lax.conv(jnp.ones((1, 2, 5, 5)), jnp.ones((3, 2, 3, 3)), (1, 1), 'SAME')", "jax.lax.conv(jnp.ones((1, 2, 5, 5)), jnp.ones((3, 1, 3, 3)), (1, 1), 'SAME')", "jax.lax.dynamic_slice(jnp.ones(5), (1,), (3,))"]:
        yield row
    key = "jax.random.PRNGKey(0)"
    for name in ["normal", "uniform", "exponential", "bernoulli", "gumbel"]:
        yield f"jax.random.{name}((2, 3), {key})"
    for sizes, starts in [("(2, 3)", "(0, 1)"), ("(2, 3)", "(0,)"), ("(2,)", "(0, 1)"), ("(5, 3)", "(0, 0)"), ("(2, 3)", "jnp.array([0, 1])")]:
        yield f"jax.lax.dynamic_slice(jnp.ones((4, 3)), {starts}, {sizes})"
    for name in ["segment_sum", "segment_max"]:
        for ids in ["jnp.array([0, 1, 1, 2])", "jnp.zeros((4, 3), int)"]:
            yield f"jax.ops.{name}(jnp.ones((4, 3)), {ids}, num_segments=5)"
    for matrix, side in [("jnp.eye(3)", "jnp.ones(3)"), ("jnp.eye(3)", "jnp.ones((3, 2))"), ("jnp.eye(3)", "jnp.ones(4)"), ("jnp.eye(3)", "jnp.ones((4, 2))"), ("jnp.ones((3, 2))", "jnp.ones(3)")]:
        yield f"jax.scipy.linalg.solve_triangular({matrix}, {side})"
        yield f"jax.scipy.linalg.cho_solve(({matrix}, True), {side})"
        yield f"jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor({matrix}), {side})"
    yield "jax.scipy.linalg.cholesky(jnp.eye(3), lower=True)"


def traced_rows():
    """What arrays without elements refuse while a function is compiled, lists where arrays belong, gradients by integers."""
    bodies = ["1 if x.sum() > 0 else 0", "int(x[0])", "float(x[0])", "x[0].item()", "x.tolist()", "np.asarray(x)", "np.array(x)", "x[x > 0]", "max(x[0], x[1])", "x[0] > 0 and x[1] > 0", "not x[0]", "[i for i in range(x.shape[0])]", "x if x.ndim == 1 else x[0]", "x[0]", "x + 1", "x.at[0].set(1.0)", "jnp.where(x > 0, x, 0.0)", "x.shape[0]", "len(x)", "bool(x.any())", "x.reshape(2, 2)", "jnp.ones(x.shape)", "[r for r in x]", "x if True else 0", "1 if x is None else 2", "x.astype(int)", "1 if isinstance(x, jax.Array) else 0"]
    for body in bodies:
        yield f"jax.jit(lambda x: {body})(jnp.ones(4))"
        yield f"(lambda x: {body})(jnp.ones(4))"
        yield f"jax.jit(lambda y: (lambda x: {body})(jnp.ones(4)))(1.0)"
        yield f"x = jnp.ones(4); jax.jit(lambda y: {body} if False else y)(1.0)"
    sizes = ["jnp.zeros(n)", "jnp.ones((n, 2))", "jnp.full((n,), 1.0)", "jnp.zeros(n - 1)", "[i for i in range(n)]", "n + 1", "jnp.ones(3) * n", "1 if n > 2 else 0", "jnp.eye(n)", "x[n]", "jnp.zeros(2)", "n * 2.0", "jnp.ones(4)[n]", "n if n is not None else 0"]
    for body in sizes:
        yield f"jax.jit(lambda n: {body})(3)"
        yield f"jax.jit(lambda n: {body}, static_argnums=0)(3)"
        yield f"jax.jit(lambda n: {body}, static_argnames='n')(n=3)"
        yield f"(lambda n: {body})(3)"
    for function in ["sum", "mean", "max", "min", "prod", "std", "var", "any", "all", "sin", "exp", "sqrt", "abs", "isnan", "tanh", "floor", "log", "argmax", "cumsum"]:
        for argument in ["[1.0, 2.0]", "(1.0, 2.0)", "[[1.0], [2.0]]", "1.0", "np.ones(3)", "jnp.ones(3)", "jnp.asarray([1.0, 2.0])"]:
            yield f"jnp.{function}({argument})"
    for function in ["add", "multiply", "maximum", "power", "subtract"]:
        for argument in ["[1.0, 2.0], 1.0", "jnp.ones(2), [1.0, 2.0]", "1.0, (1.0, 2.0)", "jnp.ones(2), 1.0"]:
            yield f"jnp.{function}({argument})"
    for argument in ["jnp.arange(3)", "3", "3.0", "jnp.arange(3.0)", "jnp.ones(3) > 0", "np.arange(3)", "np.ones(3)", "{'w': jnp.arange(3)}", "{'w': jnp.ones(3)}", "[jnp.ones(2), jnp.arange(2)]", "(jnp.ones(2), 1)"]:
        yield f"jax.grad(lambda w: sum(jnp.sum(p * 1.0) for p in jax.tree_util.tree_leaves(w)))({argument})"
        yield f"jax.value_and_grad(lambda w: sum(jnp.sum(p * 1.0) for p in jax.tree_util.tree_leaves(w)))({argument})"
        yield f"jax.jit(jax.grad(lambda w: sum(jnp.sum(p * 1.0) for p in jax.tree_util.tree_leaves(w))))({argument})"
        yield f"jax.grad(lambda a, w: jnp.sum(a), argnums=0)(jnp.ones(2), {argument})"


FAMILIES = {"numpy": numpy_rows, "own": own_rows, "traced": traced_rows}


def show(value):
    """The outcome's text; None when a table cannot hold it."""
    if isinstance(value, (jax.Array, np.ndarray)):
        return f"{tuple(value.shape)} {value.dtype.name}"
    if value is None or isinstance(value, (bool, int, str)):
        return f"= {value!r}"
    if isinstance(value, float):
        return "= float"
    if isinstance(value, (tuple, list)):
        return show_sequence(value, show)
    return None


def outcome(expression):
    """What the library does."""
    *statements, last = expression.split("; ")
    scope = {"jax": jax, "jnp": jnp}
    try:
        for statement in statements:
            exec(statement, scope)
        return show(eval(last, scope))
    except (NameError, AttributeError):
        return None
    except Exception as error:
        return "!" + type(error).__name__


def main():
    """Write or check."""
    warnings.simplefilter("ignore")
    different, total = [], 0
    for family, rows in FAMILIES.items():
        lines = []
        for expression in dict.fromkeys(rows()):
            result = outcome(expression)
            if result is not None:
                lines.append(f"{expression}\t{result}\n")
        total += len(lines)
        path = HERE / "table" / f"{family}.tsv"
        if not settle_table(path, lines, "--check" in sys.argv):
            different.append(family)
    print(f"{total} rows in {len(FAMILIES)} families, JAX {jax.__version__}")
    if different:
        raise SystemExit("these tables differ from the library: " + ", ".join(different))


if __name__ == "__main__":
    main()
