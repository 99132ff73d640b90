"""Make the conformance table of the pandas models from the real library.

    PYTHON generate.py           write the table
    PYTHON generate.py --check   compare it with the installed library

A row is `statements; expression<TAB>outcome`, as in the tables of NumPy. `d()` is a frame of four rows with the columns `a`, `b` and `c`,
`strings()` one of three rows whose column `c` holds strings, `n(4, 3)` a NumPy array of random numbers of that shape.
"""

import sys
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from tables import evaluate_row, settle_families, show_sequence  # noqa: E402

PRELUDE = """import copy, io, pickle
def d():
    return pd.DataFrame({'a': [1.0, 2.0, 3.0, 4.0], 'b': [1, 2, 3, 4], 'c': np.ones(4)})
def strings():
    return pd.DataFrame({'a': [1.0, 2.0, 3.0], 'b': [4, 5, 6], 'c': ['x', 'y', 'z']})
"""
# What is looked at in a frame: its shape, its labels, its elements.
LOOKS = ["{}.shape", "list({}.columns)", "{}.to_numpy()", "{}.values", "len({})"]
KEYS = ["'a'", "'x'", "['a']", "['a', 'c']", "['a', 'x']", "[]", "0"]


def making():
    """Constructors."""
    given = [
        "{'a': [1, 2, 3], 'b': [1.0, 2.0, 3.0]}",
        "{'a': [1, 2, 3], 'b': [1, 2]}",
        "{'a': n(4), 'b': n(4)}",
        "{'a': n(4), 'b': n(5)}",
        "{'a': n(4), 'b': 1}",
        "{'a': 1, 'b': 2}",
        "{'a': n(4), 'b': pd.Series([1, 2])}",
        "{'a': pd.Series([1, 2]), 'b': pd.Series([1, 2, 3])}",
        "{'a': ['x', 'y'], 'b': [True, False]}",
        "{'a': n(2, 2)}",
        "{}",
        "{'a': [1, 2]}, index=[5, 6]",
        "{'a': [1, 2], 'b': [3, 4]}, index=[5, 6, 7]",
        "{'a': [1, 2], 'b': [3, 4]}, columns=['b', 'z']",
        "n(4, 3)",
        "n(4, 3), columns=['a', 'b', 'c']",
        "n(4, 3), columns=['a', 'b']",
        "n(4)",
        "n(4), columns=['a']",
        "n(2, 3, 4)",
        "[[1, 2], [3, 4]], columns=['a', 'b']",
        "[{'a': 1, 'b': 2}, {'a': 3}]",
        "columns=['a', 'b']",
        "",
        "pd.Series([1, 2, 3])",
        "d()",
        "d(), columns=['a']",
    ]
    for data in given:
        for look in LOOKS:
            yield look.format(f"pd.DataFrame({data})")
        yield f"f = pd.DataFrame({data}); f['a'].shape"


def selecting():
    """Columns and rows of a frame."""
    for key in KEYS:
        for look in LOOKS:
            yield look.format(f"d()[{key}]")
        yield f"{key} in d()" if not key.startswith("[") else f"d()[{key}].shape"
        yield f"d().loc[:, {key}].shape"
        yield f"d().drop(columns={key}).shape"
        yield f"list(d().drop({key}, axis=1).columns)"
        yield f"f = d(); f.drop({key}, axis=1, inplace=True); f.shape"
        yield f"d().drop(columns={key}, errors='ignore').shape"
        yield f"d().set_index({key}).shape"
        yield f"f = d(); del f[{key}]; 1"
    for rows, columns in product([":", "1:", ":2", "0", "-1", "[0, 1]"], [":", "0", "-1", "1:", ":2", "0:2", "[0, 2]", "3", "-4", "7"]):
        yield f"d().iloc[{rows}, {columns}].shape"
        yield f"d().iloc[{rows}, {columns}].to_numpy()"
    for rows in [":", "1:3", "0", "d()['a'] > 0.5", "(d()['a'] > 0.5) & (d()['b'] > 0.5)"]:
        yield f"list(d().loc[{rows}].index); 1"
        yield f"list(d().loc[{rows}, ['a', 'b']].index); 1"
        yield f"f = d()[d()['a'] > 2]; g = f.loc[{rows}, 'x']; 1"
    for filtered in ["d()[d()['a'] > -1]", "d()[(d()['a'] > -1) & (d()['b'] > -1)]", "d()[~(d()['a'] > 5)]", "d()[d()['a'].isin([1])]", "d().query('a > -1')", "d().dropna()", "d().head()", "d().head(2)", "d().tail(2)", "d()[1:]", "d().sample(2)", "d().drop_duplicates()", "d().drop([0, 1])", "d().sort_values('a')", "d().sort_values(by=['a', 'b'])", "d().reset_index(drop=True)", "d().fillna(0)", "d().astype('float32')", "d().copy()", "d().isna()", "d().round(1)", "d().replace(1, 2)"]:
        yield f"{filtered}.shape[1]"
        yield f"list({filtered}.columns)"
        yield f"f = {filtered}; g = f['b']; 1"
        yield f"f = {filtered}; g = f['x']; 1"
        yield f"f = {filtered}; f[['c', 'a']].to_numpy().shape[1]"


def changing():
    """Columns that are set, renamed and removed."""
    for value in ["1", "n(4)", "n(3)", "[1, 2, 3, 4]", "[1, 2]", "'text'", "pd.Series([1, 2])", "f['a']", "f['a'] + 1", "n(4, 1)"]:
        for key in ["'a'", "'x'"]:
            yield f"f = d(); f[{key}] = {value}; f.shape"
            yield f"f = d(); f[{key}] = {value}; list(f.columns)"
            yield f"f = pd.DataFrame(); f[{key}] = {value if 'f[' not in value else '[1]'}; f.shape"
    for labels in ["['x', 'y', 'z']", "['x', 'y']", "['x', 'y', 'z', 'w']", "('x', 'y', 'z')", "[c + '1' for c in f.columns]"]:
        yield f"f = d(); f.columns = {labels}; list(f.columns)"
        yield f"f = d(); f.columns = {labels}; g = f['x']; 1"
        yield f"f = d(); f.columns = {labels}; g = f['a']; 1"
    for mapping in ["{'a': 'x'}", "{'a': 'b'}", "{'q': 'x'}", "{'a': 'x', 'b': 'y'}", "str.upper"]:
        yield f"list(d().rename(columns={mapping}).columns)"
        yield f"f = d().rename(columns={mapping}); g = f['x']; 1"
        yield f"f = d(); f.rename(columns={mapping}, inplace=True); g = f['b']; 1"
    for change in ["f.insert(0, 'x', 1)", "f.loc[:, 'x'] = 1", "f.loc[f['a'] > 1, 'x'] = 1", "f.loc[9] = [1, 2, 3]", "f.loc[0, 'x'] = 1", "f.at[0, 'x'] = 1", "f.columns.values[0] = 'x'", "f.eval('x = a + b', inplace=True)", "f.update(d())", "f.pop('a')", "f[['x', 'y']] = 0", "f = f.assign(x=1)", "f = f.assign(**{'x': 1})", "f = f.join(pd.DataFrame({'x': [1]}))", "f = f.merge(pd.DataFrame({'a': [1.0], 'x': [2]}), on='a')", "f = pd.merge(f, pd.DataFrame({'a': [1.0], 'x': [2]}))", "f = pd.concat([f, pd.DataFrame({'x': [1]})])", "f = f.reset_index()", "f = f.set_index('a')", "f = f.T", "f = f.groupby('a').sum()", "f = pd.get_dummies(f)", "f.dropna(inplace=True)", "f.reset_index(inplace=True)", "f.sort_values('b', inplace=True)", "f.fillna(0, inplace=True)", "f.set_index('b', inplace=True)", "f.iloc[0, 0] = 1", "del f['a']", "f.x = 1", "f = f.select_dtypes('number')", "f = f.filter(['a'])", "f = f.pipe(lambda g: g.assign(x=1))", "f = f.apply(lambda s: s)", "f.index = [1, 2, 3, 4]"]:
        yield f"f = d(); {change}; g = f['x']; 1"
        yield f"f = d(); {change}; g = f['a']; 1"
        yield f"f = d(); {change}; len(f)"
        yield f"f = d(); {change}; list(f.columns)"
        yield f"f = d(); {change}; f.shape"


def computing():
    """Series, and what they become."""
    for value in ["pd.Series([1, 2, 3])", "pd.Series(n(4))", "pd.Series(['x', 'y'])", "d()['a']", "(d()['a'] + 1)", "(d()['a'] * 2.0)", "(d()['a'] > 1)", "(-d()['a'])", "d()['a'].astype(int)", "d().a", "d()['a'].isna()", "d()['a'].copy()", "(d()['a'] + d()['b'])"]:
        for look in ["{}.shape", "{}.to_numpy()", "{}.values", "len({})", "np.asarray({})"]:
            yield look.format(value)
        yield f"b = bool({value}); 1"
    for value in ["d()", "d()[['a']]", "d()['a']"]:
        yield f"x = 1 if {value} else 2; 1"
        yield f"x = not {value}; 1"
        yield f"{value}.to_numpy() @ n(3)"
        yield f"{value}.to_numpy() @ n(4)"
        yield f"{value}.values.reshape(2, 2).shape"
        yield f"n(2, 4) @ {value}.to_numpy()"


def idioms():
    """Statements that people write and that work, a row each: nothing may be reported."""
    for line in (HERE / "idioms.txt").read_text(encoding="utf-8").splitlines():
        yield f"df = strings(); s = df['a']; {line}; 1"


FAMILIES = [making, selecting, changing, computing, idioms]


def show(value):
    """The outcome's text; None when the table cannot hold it."""
    if type(value) is np.ndarray:
        return f"{value.shape} {value.dtype.name}"
    if value is None or isinstance(value, (bool, int, str)):
        return f"= {value!r}"
    if isinstance(value, (tuple, list)):
        return show_sequence(value, show)
    return None


def outcome(expression):
    """What the library does."""
    generator = np.random.default_rng(0)
    scope = {"np": np, "pd": pd, "n": lambda *shape: generator.random(shape)}
    return evaluate_row(expression, PRELUDE, scope, show)


def main():
    """Write or check."""
    warnings.simplefilter("ignore")
    settle_families(HERE / "table", FAMILIES, outcome, "pandas", "--check" in sys.argv)


if __name__ == "__main__":
    main()
