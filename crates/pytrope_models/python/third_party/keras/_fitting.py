"""What fit, evaluate and predict check of their data: counts of samples, shapes of inputs, targets against outputs."""

from _pytrope import array, dtype_of, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from tensorflow._make import shown, converted, is_tensor, ranked, tensor


class History:
    def __init__(self):
        self.history = unknown("the losses of each epoch")
        self.epoch = unknown("the epochs")
        self.params = unknown("the parameters of training")


def data_of(x):
    """Arrays as batches of samples, each with an axis of features at least; Unknown for everything else."""
    if is_unknown(x):
        return unknown("data that are not known")
    if isinstance(x, (list, tuple)) and not is_array(x):
        if not has_rank(x) or len(x) == 0:
            return unknown("data that are not known")
        found = []
        for item in x:
            if not is_array(item):
                return unknown("data that are not arrays")
            found.append(data_of(item))
        return found
    if not is_array(x):
        return unknown("data that are not arrays")
    made = converted(x)
    if is_unknown(made) or not ranked(made) or len(shape_of(made)) == 0:
        return unknown("data that are not known")
    shape = shape_of(made)
    return tensor((shape[0], 1) if len(shape) == 1 else shape, dtype_of(made))


def listed(x):
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
                    f"the data have {count} samples here and {size} samples there",
                    rule="shape-argument",
                )


# How a loss compares a target with an output.
EQUAL = ("categorical_crossentropy", "CategoricalCrossentropy")
BROADCAST = (
    "mse",
    "mae",
    "mean_squared_error",
    "mean_absolute_error",
    "MeanSquaredError",
    "MeanAbsoluteError",
    "Huber",
    "huber",
    "binary_crossentropy",
    "BinaryCrossentropy",
)


def loss_kind(loss):
    """The name of a loss that is known; None for all others."""
    from . import losses

    if is_unknown(loss) or loss is None:
        return None
    if isinstance(loss, str):
        return loss if is_constant(loss) else None
    if isinstance(loss, losses.Loss):
        return loss._pytrope_kind
    return None


def target_fits(loss, target, output):
    """A target has the shape that the loss compares with the output; the batch is not looked at."""
    kind = loss_kind(loss)
    if kind is None or is_unknown(target) or is_unknown(output) or not is_array(target) or not is_array(output):
        return
    if not ranked(target) or not ranked(output):
        return
    wanted, given = shape_of(output), shape_of(target)
    if kind in EQUAL and abs(len(wanted) - len(given)) > 0 and not loose_end(wanted, given):
        require(
            False,
            ValueError,
            f"the target has shape {shown(given)} and the output {shown(wanted)}, which {kind} cannot compare",
            rule="layer-mismatch",
        )
    if len(wanted) != len(given) or len(wanted) < 2:
        return
    for a, b in zip(wanted[1:], given[1:]):
        if not is_constant(a) or not is_constant(b) or a == b:
            continue
        if kind in EQUAL or (kind in BROADCAST and a != 1 and b != 1):
            require(
                False,
                ValueError,
                f"the target has shape {shown(given)} and the output {shown(wanted)}, which {kind} cannot compare",
                rule="layer-mismatch",
            )


def loose_end(one, two):
    """Whether two shapes differ in an axis of size 1 at the end, or may."""
    longer = one if len(one) > len(two) else two
    return abs(len(one) - len(two)) == 1 and (not is_constant(longer[-1]) or longer[-1] == 1)


class Trained:
    """compile, fit, evaluate, predict."""

    _pytrope_loss = None

    def compile(self, optimizer="rmsprop", loss=None, metrics=None, *args, **kwargs):
        self._pytrope_loss = loss
        self.optimizer = unknown("the optimizer of a model")
        self.loss = loss

    def _pytrope_judge(self, x, y, sample_weight=None):
        """Runs the model on what one batch looks like, and compares the result with the targets."""
        if is_unknown(x):
            return unknown("data that are not known")
        dataset = getattr(x, "_pytrope_elements", None)
        if dataset is not None and not is_array(x):
            if is_unknown(dataset) or not isinstance(dataset, tuple) or len(dataset) < 2:
                return unknown("a dataset whose elements are not known")
            return self._pytrope_compare(dataset[0], dataset[1])
        inputs, targets = data_of(x), None if y is None else data_of(y)
        same_count(inputs, targets)
        if is_unknown(inputs):
            return unknown("data that are not known")
        return self._pytrope_compare(inputs, targets)

    def _pytrope_compare(self, inputs, targets):
        outputs = self._pytrope_outputs_for(inputs)
        if targets is None or is_unknown(targets) or is_unknown(outputs):
            return outputs
        loss = self._pytrope_loss
        if is_array(outputs) and is_array(targets):
            target_fits(loss, targets, outputs)
        elif isinstance(outputs, (list, tuple)) and isinstance(targets, list) and has_rank(outputs):
            require(
                len(outputs) == len(targets),
                ValueError,
                f"the model has {len(outputs)} outputs, but there are {len(targets)} targets",
                rule="layer-mismatch",
            )
            kinds = loss if isinstance(loss, list) and len(loss) == len(outputs) else [loss] * len(outputs)
            if isinstance(loss, (dict, tuple)):
                return outputs
            for kind, target, output in zip(kinds, targets, outputs):
                target_fits(kind, target, output)
        return outputs

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
        self._pytrope_judge(x, y)
        if isinstance(validation_data, (tuple, list)) and len(validation_data) >= 2:
            self._pytrope_judge(validation_data[0], validation_data[1])
        return History()

    def evaluate(self, x=None, y=None, *args, **kwargs):
        self._pytrope_judge(x, y)
        return unknown("losses and metrics")

    def predict(self, x, *args, **kwargs):
        from numpy import ndarray

        inputs = data_of(x)
        if is_unknown(inputs):
            return unknown("predictions for data that are not known")
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
        return unknown("losses and metrics")

    def test_on_batch(self, x, y=None, *args, **kwargs):
        return unknown("losses and metrics")

    def predict_on_batch(self, x):
        return unknown("predictions")

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
