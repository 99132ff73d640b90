"""torch.distributions: the shapes of samples and of log probabilities."""

from _pytrope import broadcast, dtype_of, is_constant, is_unknown, proved, shape_of, unknown

from ._make import is_tensor, ranked, tensor


def shapes_of(*parameters):
    """The common shape of parameters that are tensors or numbers; Unknown if one is neither."""
    shape = ()
    for parameter in parameters:
        if parameter is None or is_unknown(parameter):
            return unknown("the parameters of a distribution")
        if is_tensor(parameter):
            if not ranked(parameter):
                return unknown("the parameters of a distribution")
            shape = broadcast(shape, shape_of(parameter), error=ValueError)
        elif not isinstance(parameter, (int, float)):
            return unknown("the parameters of a distribution")
    return shape


class Distribution:
    """A batch of distributions, each over events of a shape."""

    def _keep(self, batch, event=(), dtype="float32"):
        self._batch = batch
        self._event = event
        self._dtype = dtype

    @property
    def batch_shape(self):
        return self._batch

    @property
    def event_shape(self):
        return self._event

    def sample(self, sample_shape=()):
        if is_unknown(self._batch) or is_unknown(sample_shape) or not is_constant(len(sample_shape)):
            return unknown("samples of an unknown shape")
        return tensor(tuple(sample_shape) + self._batch + self._event, self._dtype)

    def rsample(self, sample_shape=()):
        return self.sample(sample_shape)

    def log_prob(self, value):
        if is_unknown(self._batch) or is_unknown(value) or not is_tensor(value) or not ranked(value):
            return unknown("a log probability of an unknown shape")
        shape = broadcast(self._batch + self._event, shape_of(value), error=ValueError)
        return tensor(shape[: len(shape) - len(self._event)], None)

    def entropy(self):
        return unknown("an entropy") if is_unknown(self._batch) else tensor(self._batch, None)

    @property
    def mean(self):
        return unknown("a mean") if is_unknown(self._batch) else tensor(self._batch + self._event, None)

    @property
    def variance(self):
        return self.mean

    @property
    def stddev(self):
        return self.mean


class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc = loc
        self.scale = scale
        self._keep(shapes_of(loc, scale), (), dtype_of(loc) if is_tensor(loc) else None)


class Laplace(Normal):
    pass


class Uniform(Distribution):
    def __init__(self, low, high, validate_args=None):
        self.low = low
        self.high = high
        self._keep(shapes_of(low, high), (), None)


class Beta(Distribution):
    def __init__(self, concentration1, concentration0, validate_args=None):
        self._keep(shapes_of(concentration1, concentration0), (), None)


class Exponential(Distribution):
    def __init__(self, rate, validate_args=None):
        self._keep(shapes_of(rate), (), None)


class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._keep(shapes_of(logits if probs is None else probs), (), None)


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        shape = shapes_of(logits if probs is None else probs)
        if is_unknown(shape) or len(shape) == 0:
            shape = unknown("the classes of a distribution")
            self._keep(shape, (), "int64")
        else:
            self._keep(shape[:-1], (), "int64")


class MultivariateNormal(Distribution):
    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        shape = shapes_of(loc)
        if is_unknown(shape) or len(shape) == 0 or not is_tensor(covariance_matrix) or not ranked(covariance_matrix):
            self._keep(unknown("a distribution of vectors"), (), None)
        elif len(shape_of(covariance_matrix)) != 2 or not proved(shape_of(covariance_matrix)[-1] == shape[-1]):
            self._keep(unknown("a distribution of vectors"), (), None)
        else:
            self._keep(shape[:-1], shape[-1:], None)


def kl_divergence(p, q):
    return unknown("a divergence of distributions")
