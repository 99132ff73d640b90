"""torch.special: functions of each element under the names of SciPy, and a few that reduce."""

from _pytrope import dtype_of, lifted

from ._elementwise import gamma_of_two as gammainc
from ._elementwise import gamma_of_two as gammaincc
from ._elementwise import has_kernel, rounded
from ._elementwise import real as exp2
from ._elementwise import real as expit
from ._elementwise import real as expm1
from ._elementwise import real as log1p
from ._elementwise import real as sinc
from ._elementwise import real_only as airy_ai
from ._elementwise import real_only as bessel_j0
from ._elementwise import real_only as bessel_j1
from ._elementwise import real_only as bessel_y0
from ._elementwise import real_only as bessel_y1
from ._elementwise import real_only as digamma
from ._elementwise import real_only as entr
from ._elementwise import real_only as erf
from ._elementwise import real_only as erfc
from ._elementwise import real_only as erfcx
from ._elementwise import real_only as erfinv
from ._elementwise import real_only as gammaln
from ._elementwise import real_only as i0
from ._elementwise import real_only as i0e
from ._elementwise import real_only as i1
from ._elementwise import real_only as i1e
from ._elementwise import real_only as log_ndtr
from ._elementwise import real_only as logit
from ._elementwise import real_only as ndtr
from ._elementwise import real_only as ndtri
from ._elementwise import real_only as psi
from ._elementwise import real_only as spherical_bessel_j0
from ._elementwise import xlogy as xlog1py
from ._elementwise import xlogy as xlogy
from ._elementwise import xlogy as zeta
from ._make import alike, tensor_arg
from ._reductions import logsumexp
from ._reductions import softmax as log_softmax
from ._reductions import softmax as softmax
from . import _dtypes


@lifted(tensor_arg, "input")
def round(input, *, decimals=0, out=None):
    has_kernel(dtype_of(input), (2,), "torch.special.round")
    return rounded(input, decimals=decimals)


@lifted(tensor_arg, "input")
def polygamma(n, input, *, out=None):
    has_kernel(dtype_of(input), (0, 1, 2), "polygamma")
    return alike(input, _dtypes.floating(dtype_of(input)))


@lifted(tensor_arg, "input")
def multigammaln(input, p, *, out=None):
    has_kernel(dtype_of(input), (1, 2, 3), "multigammaln", RuntimeError)
    has_kernel(dtype_of(input), (1, 2), "multigammaln")
    return alike(input, _dtypes.floating(dtype_of(input)))
