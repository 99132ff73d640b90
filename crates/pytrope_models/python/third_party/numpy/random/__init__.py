"""`numpy.random`: both interfaces."""

from _pytrope import unknown

from ._distributions import Generator, RandomState

_shared = RandomState()

rand = _shared.rand
randn = _shared.randn
randint = _shared.randint
random = _shared.random
random_sample = _shared.random_sample
ranf = _shared.random_sample
sample = _shared.random_sample
random_integers = _shared.random_integers
seed = _shared.seed
get_state = _shared.get_state
set_state = _shared.set_state
bytes = _shared.bytes
choice = _shared.choice
permutation = _shared.permutation
shuffle = _shared.shuffle
normal = _shared.normal
uniform = _shared.uniform
exponential = _shared.exponential
gamma = _shared.gamma
beta = _shared.beta
laplace = _shared.laplace
lognormal = _shared.lognormal
chisquare = _shared.chisquare
standard_t = _shared.standard_t
standard_gamma = _shared.standard_gamma
logistic = _shared.logistic
gumbel = _shared.gumbel
rayleigh = _shared.rayleigh
weibull = _shared.weibull
pareto = _shared.pareto
power = _shared.power
f = _shared.f
wald = _shared.wald
noncentral_chisquare = _shared.noncentral_chisquare
triangular = _shared.triangular
vonmises = _shared.vonmises
poisson = _shared.poisson
binomial = _shared.binomial
geometric = _shared.geometric
hypergeometric = _shared.hypergeometric
negative_binomial = _shared.negative_binomial
zipf = _shared.zipf
logseries = _shared.logseries
standard_normal = _shared.standard_normal
standard_exponential = _shared.standard_exponential
standard_cauchy = _shared.standard_cauchy
multivariate_normal = _shared.multivariate_normal
multinomial = _shared.multinomial
dirichlet = _shared.dirichlet


def default_rng(seed=None):
    return Generator()


def PCG64(seed=None):
    return unknown("a bit generator")


MT19937 = Philox = SFC64 = PCG64DXSM = SeedSequence = PCG64
