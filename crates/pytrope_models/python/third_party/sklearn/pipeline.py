"""sklearn.pipeline: steps one after the other, each of them fitted on what the one before makes."""

from _pytrope import has_rank, is_unknown, unknown


class Pipeline:
    def __init__(self, steps, *args, **options):
        self.steps = steps
        self._pytrope_stages = stages_of(steps)

    def __getattr__(self, name):
        return unknown("a part of a pipeline that is not modelled")

    @property
    def named_steps(self):
        return unknown("the steps of a pipeline by name")

    def _pytrope_passed(self, X, method):
        """What the last step gets; every step before it is given the samples in the same way."""
        for stage in self._pytrope_stages[:-1]:
            X = getattr(stage, method)(X)
        return X

    def fit(self, X, y=None, **options):
        if not is_unknown(self._pytrope_stages):
            last = self._pytrope_stages[-1]
            last.fit(self._pytrope_passed(X, "fit_transform"), y)
        return self

    def _pytrope_answer(self, method, X):
        if is_unknown(self._pytrope_stages):
            return unknown("the result of a pipeline of unknown steps")
        return getattr(self._pytrope_stages[-1], method)(self._pytrope_passed(X, "transform"))

    def fit_transform(self, X, y=None, **options):
        self.fit(X, y)
        return self._pytrope_answer("transform", X)

    def fit_predict(self, X, y=None, **options):
        self.fit(X, y)
        return self._pytrope_answer("predict", X)

    def transform(self, X):
        return self._pytrope_answer("transform", X)

    def predict(self, X, **options):
        return self._pytrope_answer("predict", X)

    def predict_proba(self, X, **options):
        return self._pytrope_answer("predict_proba", X)

    def decision_function(self, X):
        return self._pytrope_answer("decision_function", X)

    def score(self, X, y=None, **options):
        if is_unknown(self._pytrope_stages):
            return unknown("the score of a pipeline of unknown steps")
        return self._pytrope_stages[-1].score(self._pytrope_passed(X, "transform"), y)


def stages_of(steps):
    """The estimators of named steps; Unknown if one of them is not a model of ours."""
    from ._base import Estimator

    if is_unknown(steps) or not isinstance(steps, (list, tuple)) or not has_rank(steps) or len(steps) == 0:
        return unknown("unknown steps")
    stages = []
    for step in steps:
        if is_unknown(step) or not isinstance(step, (list, tuple)) or not has_rank(step) or len(step) != 2:
            return unknown("unknown steps")
        if is_unknown(step[1]) or not isinstance(step[1], Estimator):
            return unknown("steps that are not followed")
        stages.append(step[1])
    return stages


def make_pipeline(*steps, **options):
    return Pipeline([("step", step) for step in steps])


def __getattr__(name):
    return unknown(name)
