"""`random`: numbers of the right kind, and nothing more."""

from _pytrope import some, unknown


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
    return some(int)


def randrange(start, stop=None, step=1):
    return some(int)


def getrandbits(k, /):
    return some(int)


def choice(seq):
    return seq[some(int)] if isinstance(seq, (list, tuple, str, range)) else unknown("a random choice")


def shuffle(x):
    # Lengths stay; what stands where does not.
    if len(x) > 1:
        x[:] = [unknown("a shuffled item") for _ in x]
    return None
