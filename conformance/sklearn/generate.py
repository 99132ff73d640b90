"""Make the conformance table of the scikit-learn models from the real library.

    PYTHON generate.py           write the table
    PYTHON generate.py --check   compare it with the installed library

A row is `statements; expression<TAB>outcome`, as in the tables of NumPy. `n(8, 3)` is a NumPy array of random numbers of that shape, `k(8)` a vector
of labels 0 and 1.
"""

import sys
import warnings
from itertools import product
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from tables import evaluate_row, settle_table, show_sequence  # noqa: E402
REGRESSORS = ["linear_model.LinearRegression()", "linear_model.Ridge()", "ensemble.RandomForestRegressor(2)", "tree.DecisionTreeRegressor()", "neighbors.KNeighborsRegressor(2)", "svm.SVR()"]
CLASSIFIERS = ["linear_model.LogisticRegression()", "ensemble.RandomForestClassifier(2)", "tree.DecisionTreeClassifier()", "neighbors.KNeighborsClassifier(2)", "svm.SVC()", "naive_bayes.GaussianNB()"]
SCALERS = ["preprocessing.StandardScaler()", "preprocessing.MinMaxScaler()", "preprocessing.RobustScaler()", "preprocessing.MaxAbsScaler()", "preprocessing.Normalizer()"]
REDUCERS = ["decomposition.PCA(2)", "decomposition.PCA(n_components=1)", "decomposition.TruncatedSVD(2)", "decomposition.PCA(20)"]
SAMPLES = ["n(8, 3)", "n(8, 4)", "n(8)", "n(8, 3, 2)", "n(9, 3)", "n(1, 3)"]
PRELUDE = "from sklearn import cluster, datasets, decomposition, ensemble, linear_model, metrics, model_selection, naive_bayes, neighbors, pipeline, preprocessing, svm, tree"


def rows():
    """All rows."""
    for model, X in product(REGRESSORS, SAMPLES):
        for y in ["n(8)", "n(9)"]:
            yield f"m = {model}.fit({X}, {y}); 1"
        yield f"m = {model}.fit(n(8, 3), n(8)); m.predict({X})"
        yield f"m = {model}.fit(n(8, 3), n(8)); s = m.score({X}, n(8)); 1"
    for model, X in product(CLASSIFIERS, SAMPLES):
        for y in ["k(8)", "k(9)"]:
            yield f"m = {model}.fit({X}, {y}); 1"
        yield f"m = {model}.fit(n(8, 3), k(8)); m.predict({X})"
        yield f"m = {model}.fit(n(8, 3), k(8)); s = m.score({X}, k(8)); 1"
    for model, X in product(SCALERS + REDUCERS, SAMPLES):
        yield f"{model}.fit_transform({X})"
        yield f"m = {model}.fit(n(8, 3)); m.transform({X})"
    for model, X in product(SCALERS[:4], SAMPLES):
        for features in [1, 3]:
            yield f"m = {model}.fit(n(8, {features})); m.inverse_transform({X})"
    steps = "preprocessing.StandardScaler(), decomposition.PCA(2)"
    named = "pipeline.Pipeline([('scale', preprocessing.StandardScaler()), ('fit', linear_model.LogisticRegression())])"
    for X in SAMPLES:
        yield f"m = pipeline.make_pipeline({steps}, linear_model.LinearRegression()).fit(n(8, 3), n(8)); m.predict({X})"
        yield f"m = pipeline.make_pipeline({steps}, linear_model.LinearRegression()); f = m.fit({X}, n(8)); 1"
        yield f"m = pipeline.make_pipeline({steps}).fit(n(8, 3)); m.transform({X})"
        yield f"pipeline.make_pipeline({steps}).fit_transform({X})"
        yield f"m = {named}.fit(n(8, 3), k(8)); m.predict({X})"
        yield f"m = {named}.fit(n(8, 3), k(8)); s = m.score({X}, k(8)); 1"
    for X in SAMPLES:
        yield f"cluster.KMeans(2).fit_predict({X})"
        yield f"m = cluster.KMeans(2).fit(n(8, 3)); m.predict({X})"
    for count, share in product([4, 8, 10, 33, 100, 103, 150], ["0.2", "0.25", "0.3", "0.33", "0.1", "0.5", "3", "1", "0.999"]):
        yield f"model_selection.train_test_split(n({count}, 3), k({count}), test_size={share})"
    for arguments in ["n(10, 3)", "n(10, 3), k(10)", "n(10, 3), k(9)", "n(10, 3), k(10), n(10)", "n(10, 3), n(11), k(10)", "n(10, 3), test_size=0.2, random_state=1", "n(10, 3), k(10), train_size=0.5"]:
        yield f"model_selection.train_test_split({arguments})"
    for splitter, count in product(["KFold()", "KFold(4)", "KFold(n_splits=3, shuffle=True)", "StratifiedKFold(2)", "KFold(30)"], [8, 10, 20]):
        yield f"x = n({count}, 3); [x[part] for part in next(model_selection.{splitter}.split(x, k({count})))]"
    yield "model_selection.KFold(1)"
    for metric, a, b in product(["accuracy_score", "mean_squared_error", "mean_absolute_error", "r2_score", "f1_score", "confusion_matrix"], ["k(8)", "k(9)"], ["k(8)", "k(9)"]):
        yield f"s = metrics.{metric}({a}, {b}); 1"
    for name in ["load_iris", "load_wine", "load_breast_cancer", "load_diabetes"]:
        yield f"datasets.{name}().data.shape"
        yield f"datasets.{name}()['target'].shape"
        yield f"[part.shape for part in datasets.{name}(return_X_y=True)]"
    for call in ["make_classification()", "make_classification(50, 6)", "make_classification(n_samples=30, n_features=5)", "make_regression(40, 3)", "make_regression(n_samples=20, n_features=4, noise=0.1)", "make_blobs(30)", "make_blobs(n_samples=30, centers=3, n_features=5)", "make_moons(20)", "make_circles(n_samples=20, noise=0.1)"]:
        yield f"[part.shape for part in datasets.{call}]"
    yield "preprocessing.LabelEncoder().fit_transform(k(8))"
    yield "preprocessing.LabelEncoder().fit_transform(n(8, 3)); 1"


def show(value):
    """The outcome's text; None when the table cannot hold it."""
    if isinstance(value, np.ndarray):
        return f"{value.shape} {value.dtype.name}"
    if value is None or isinstance(value, (bool, int, str)):
        return f"= {value!r}"
    if isinstance(value, (tuple, list)):
        return show_sequence(value, show)
    return None


def outcome(expression):
    """What the library does."""
    generator = np.random.default_rng(0)
    scope = {"np": np, "n": lambda *shape: generator.random(shape), "k": lambda size: np.arange(size) % 2}
    return evaluate_row(expression, PRELUDE, scope, show)


def main():
    """Write or check."""
    warnings.simplefilter("ignore")
    lines = [f"{expression}\t{result}\n" for expression in dict.fromkeys(rows()) if (result := outcome(expression)) is not None]
    path = HERE / "table" / "estimators.tsv"
    print(f"{len(lines)} rows, scikit-learn")
    if not settle_table(path, lines, "--check" in sys.argv):
        raise SystemExit("the table differs from the library")


if __name__ == "__main__":
    main()
