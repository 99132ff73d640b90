"""What fit, evaluate and predict check of their data: counts of samples, shapes of inputs, targets against outputs."""

from _pytrope import array, dtype_of, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from tensorflow._make import converted, ranked, tensor
from tensorflow.errors import InvalidArgumentError

from ._targets import target_fits


class History:
    def __init__(self):
        self.history = unknown("the losses of each epoch")
        self.epoch = unknown("the epochs")
        self.params = unknown("the parameters of training")


def data_of(x):
    """Arrays as batches of samples, each with an axis of features at least; Unknown for everything else."""
    if is_unknown(x):
        return unknown("unknown data")
    if isinstance(x, (list, tuple)) and not is_array(x):
        if not has_rank(x) or len(x) == 0:
            return unknown("unknown data")
        found = []
        for item in x:
            if not is_array(item):
                return unknown("data that are not arrays")
            found.append(data_of(item))
        return found
    if isinstance(x, dict) and is_constant_keys(x):
        return {name: data_of(part) for name, part in x.items()}
    if not is_array(x):
        return unknown("data that are not arrays")
    made = converted(x)
    if is_unknown(made) or not ranked(made) or len(shape_of(made)) == 0:
        return unknown("unknown data")
    shape = shape_of(made)
    return tensor((shape[0], 1) if len(shape) == 1 else shape, dtype_of(made))


def listed(x):
    if isinstance(x, dict):
        return list(x.values())
    return x if isinstance(x, list) else [x]


def same_count(*parts):
    """All arrays of a call have one number of samples."""
    count = None
    for part in parts:
        if part is None or is_unknown(part):
            continue
        for one in listed(part):
            if is_unknown(one) or not is_array(one):
                continue
            size = shape_of(one)[0]
            if not is_constant(size):
                continue
            if count is None:
                count = size
            else:
                require(
                    count == size,
                    ValueError,
                    f"the parts of the data differ in their number of samples: {count} ≠ {size}",
                    rule="shape-argument",
                )


def target_of(y):
    """Targets as they are: an array, or one for each output; Unknown for everything else."""
    if is_unknown(y):
        return unknown("unknown targets")
    if isinstance(y, dict) and is_constant_keys(y):
        return {name: target_of(part) for name, part in y.items()}
    if isinstance(y, (list, tuple)) and not is_array(y):
        if not has_rank(y) or len(y) == 0:
            return unknown("unknown targets")
        for item in y:
            if not is_array(item):
                return unknown("targets that are not arrays")
        return [target_of(item) for item in y]
    if not is_array(y):
        return unknown("targets that are not arrays")
    made = converted(y)
    if is_unknown(made) or not ranked(made) or len(shape_of(made)) == 0:
        return unknown("unknown targets")
    return made


def is_constant_keys(parts):
    for name in parts:
        if is_unknown(name) or not is_constant(name):
            return False
    return True


# All samples are one batch.
WHOLE = "whole"


def first_batch(inputs, batch_size):
    """How many samples the first batch has; None where that is not known."""
    if is_unknown(inputs) or is_unknown(batch_size) or not is_constant(batch_size):
        return None
    first = listed(inputs)[0]
    if is_unknown(first) or not is_array(first) or not ranked(first) or not is_constant(shape_of(first)[0]):
        return None
    if batch_size == WHOLE:
        return shape_of(first)[0]
    return min(32 if batch_size is None else batch_size, shape_of(first)[0])


class Trained:
    """compile, fit, evaluate, predict."""

    _pytrope_loss = None

    def compile(self, optimizer="rmsprop", loss=None, metrics=None, *args, **kwargs):
        self._pytrope_loss = loss
        self.optimizer = unknown("the optimizer of a model")
        self.loss = loss

    def _pytrope_judge(self, x, y, batch_size=unknown("the size of a batch")):
        """Runs the model on what one batch looks like, and compares the result with the targets."""
        if is_unknown(x):
            return unknown("unknown data")
        dataset = getattr(x, "_pytrope_elements", None)
        if dataset is not None and not is_array(x):
            if is_unknown(dataset) or not isinstance(dataset, tuple) or len(dataset) < 2:
                return unknown("a dataset whose elements are not known")
            return self._pytrope_compare(dataset[0], dataset[1], None)
        inputs, targets = data_of(x), None if y is None else target_of(y)
        same_count(inputs, targets)
        if is_unknown(inputs):
            return unknown("unknown data")
        # The sizes of a batch that is given as such are known while the step is traced.
        error = ValueError if is_constant(batch_size) and batch_size == WHOLE else InvalidArgumentError
        return self._pytrope_compare(inputs, targets, first_batch(inputs, batch_size), error)

    def _pytrope_compare(self, inputs, targets, batch, error=InvalidArgumentError):
        outputs = self._pytrope_outputs_for(inputs)
        if targets is None or is_unknown(targets) or is_unknown(outputs):
            return outputs
        loss = self._pytrope_loss
        if is_array(outputs) and is_array(targets):
            target_fits(loss, targets, outputs, batch, error)
        elif isinstance(outputs, (list, tuple)) and has_rank(outputs):
            if isinstance(targets, dict):
                self._pytrope_compare_named(outputs, targets, batch)
            elif isinstance(targets, (list, tuple)):
                self._pytrope_compare_all(outputs, targets, batch)
        return outputs

    def _pytrope_compare_all(self, outputs, targets, batch):
        """One target for each output, in their order."""
        loss = self._pytrope_loss
        require(
            len(outputs) == len(targets),
            ValueError,
            f"the model has {len(outputs)} outputs, but there are {len(targets)} targets",
            rule="layer-mismatch",
        )
        kinds = loss if isinstance(loss, list) and len(loss) == len(outputs) else [loss] * len(outputs)
        if isinstance(loss, (dict, tuple)):
            return
        for kind, target, output in zip(kinds, targets, outputs):
            target_fits(kind, target, output, batch)

    def _pytrope_compare_named(self, outputs, targets, batch):
        """Targets by the names of the layers that make the outputs."""
        loss, makers = self._pytrope_loss, self._pytrope_makers()
        if is_unknown(loss) or not isinstance(loss, dict) or len(makers) != len(outputs):
            return
        for name, output in zip(makers, outputs):
            if name is not None and name in targets and name in loss:
                target_fits(loss[name], targets[name], output, batch)

    def _pytrope_makers(self):
        """The names that the program gave to the layers of the outputs, or None for each."""
        return []

    def _pytrope_outputs_for(self, inputs):
        """The outputs for data; a model of the program's own is traced, and its errors are those of tracing."""
        from tensorflow._make import MODE

        before = MODE.tracing
        MODE.tracing = True
        try:
            return self(inputs)
        finally:
            MODE.tracing = before

    def fit(
        self,
        x=None,
        y=None,
        batch_size=None,
        epochs=1,
        verbose="auto",
        callbacks=None,
        validation_split=0.0,
        validation_data=None,
        *args,
        **kwargs,
    ):
        weights = kwargs.get("sample_weight")
        if is_array(weights) and is_array(x):
            same_count(data_of(x), [target_of(weights)])
        whole = is_constant(validation_split) and validation_split == 0.0
        self._pytrope_judge(x, y, batch_size if whole else unknown("the size of a batch"))
        if isinstance(validation_data, (tuple, list)) and len(validation_data) >= 2:
            self._pytrope_judge(validation_data[0], validation_data[1])
        elif getattr(validation_data, "_pytrope_elements", None) is not None:
            self._pytrope_judge(validation_data, None)
        return History()

    def evaluate(self, x=None, y=None, *args, **kwargs):
        self._pytrope_judge(x, y)
        return unknown("losses and metrics")

    def predict(self, x, *args, **kwargs):
        from numpy import ndarray

        inputs = data_of(x)
        if is_unknown(inputs):
            return unknown("predictions for unknown data")
        same_count(inputs)
        outputs = self._pytrope_outputs_for(inputs)
        if is_array(outputs):
            return array(ndarray, shape_of(outputs), "float32")
        if isinstance(outputs, (list, tuple)) and has_rank(outputs):
            return [
                array(ndarray, shape_of(one), "float32") if is_array(one) else unknown("a prediction")
                for one in outputs
            ]
        return unknown("predictions of an unknown model")

    def train_on_batch(self, x, y=None, *args, **kwargs):
        self._pytrope_judge(x, y, WHOLE)
        return unknown("losses and metrics")

    def test_on_batch(self, x, y=None, *args, **kwargs):
        self._pytrope_judge(x, y, WHOLE)
        return unknown("losses and metrics")

    def predict_on_batch(self, x):
        return self.predict(x)

    def fit_generator(self, generator, *args, **kwargs):
        self._pytrope_judge(generator, None)
        return History()

    def summary(self, *args, **kwargs):
        return None

    def save(self, filepath, *args, **kwargs):
        return None

    def save_weights(self, filepath, *args, **kwargs):
        return None

    def load_weights(self, filepath, *args, **kwargs):
        return unknown("the status of loading")

    def export(self, filepath, *args, **kwargs):
        return None

    def to_json(self, **kwargs):
        return unknown("a description")

    def reset_states(self):
        return None
