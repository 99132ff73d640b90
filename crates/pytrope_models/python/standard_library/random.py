"""`random`: numbers of the right kind, and nothing more."""

from _pytrope import is_constant, some, unknown


def seed(a=None, version=2):
    return None


def random():
    return some(float)


def uniform(a, b):
    return some(float)


def gauss(mu=0.0, sigma=1.0):
    return some(float)


def normalvariate(mu=0.0, sigma=1.0):
    return some(float)


def expovariate(lambd=1.0):
    return some(float)


def betavariate(alpha, beta):
    return some(float)


def triangular(low=0.0, high=1.0, mode=None):
    return some(float)


def randint(a, b):
    if is_constant((a, b)) and isinstance(a, int) and isinstance(b, int) and a > b:
        raise ValueError(f"empty range in randrange({a}, {b + 1})")
    return some(int)


def randrange(start, stop=None, step=1):
    if is_constant((start, stop)) and isinstance(start, int) and step == 1:
        if start <= 0 if stop is None else isinstance(stop, int) and stop <= start:
            raise ValueError("empty range for randrange()")
    return some(int)


def getrandbits(k, /):
    return some(int)


def _has_length(population):
    """Whether it is known how many items there are to draw from."""
    return isinstance(population, (list, tuple, str, range)) and is_constant(len(population))


def choice(seq):
    if _has_length(seq) and len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[some(int)] if isinstance(seq, (list, tuple, str, range)) else unknown("a random choice")


def choices(population, weights=None, *, cum_weights=None, k=1):
    if _has_length(population):
        if len(population) == 0 and weights is None and cum_weights is None and is_constant(k) and k > 0:
            raise IndexError("list index out of range")
        if isinstance(weights, (list, tuple)) and is_constant(len(weights)) and len(weights) != len(population):
            raise ValueError("The number of weights does not match the population")
    return unknown("random choices")


def sample(population, k, *, counts=None):
    if _has_length(population) and isinstance(k, int) and is_constant(k) and counts is None:
        if k < 0 or k > len(population):
            raise ValueError("Sample larger than population or is negative")
    return unknown("a random sample")


def shuffle(x):
    # Lengths stay; what stands where does not.
    if len(x) > 1:
        x[:] = [unknown("a shuffled item") for _ in x]
    return None
