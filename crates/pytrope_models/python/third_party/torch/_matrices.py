"""The methods of Tensor that work on matrices, on signals and on parts that are replaced.

The modules of their functions need the class of tensors, and are read when a method is first called.
"""

from _pytrope import unknown


class Matrices:
    """Methods of `torch.linalg`'s functions, and of the functions that replace parts."""

    def polygamma(self, n):
        from .special import polygamma

        return polygamma(n, self)

    def mvlgamma(self, p):
        from .special import multigammaln

        return multigammaln(self, p)

    def histogram(self, bins, *, range=None, weight=None, density=False):
        from ._signals import histogram

        return histogram(self, bins, range=range, weight=weight, density=density)

    def frexp(self):
        from ._elementwise import frexp

        return frexp(self)

    def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
        from ._indexing import unique_consecutive

        return unique_consecutive(self, return_inverse, return_counts, dim)

    def logdet(self):
        from .linalg import logdet

        return logdet(self)

    def slogdet(self):
        from .linalg import slogdet

        return slogdet(self)

    def qr(self, some=True):
        from .linalg import qr_old

        return qr_old(self, some)

    def svd(self, some=True, compute_uv=True):
        from .linalg import svd_old

        return svd_old(self, some, compute_uv)

    def lu(self, pivot=True, get_infos=False):
        from .linalg import lu_old

        return lu_old(self, pivot, get_infos)

    def geqrf(self):
        from .linalg import geqrf

        return geqrf(self)

    def cholesky_inverse(self, upper=False):
        from .linalg import cholesky_inverse

        return cholesky_inverse(self, upper)

    def cholesky_solve(self, input2, upper=False):
        from .linalg import cholesky_solve

        return cholesky_solve(self, input2, upper)

    def triangular_solve(self, A, upper=True, transpose=False, unitriangular=False):
        from .linalg import triangular_solve

        return triangular_solve(self, A, upper, transpose, unitriangular)

    def fliplr(self):
        from ._signals import fliplr

        return fliplr(self)

    def flipud(self):
        from ._signals import flipud

        return flipud(self)

    def diagflat(self, offset=0):
        from ._signals import diagflat

        return diagflat(self, offset)

    def cov(self, *, correction=1, fweights=None, aweights=None):
        from ._signals import cov

        return cov(self, correction=correction, fweights=fweights, aweights=aweights)

    def corrcoef(self):
        from ._signals import corrcoef

        return corrcoef(self)

    def logaddexp(self, other):
        from ._signals import logaddexp

        return logaddexp(self, other)

    def logaddexp2(self, other):
        from ._signals import logaddexp

        return logaddexp(self, other)

    def is_nonzero(self):
        from ._scattering import is_nonzero

        return is_nonzero(self)

    def sum_to_size(self, *size):
        from ._scattering import sum_to_size

        return sum_to_size(self, *size)

    def select_scatter(self, src, dim, index):
        from ._scattering import select_scatter

        return select_scatter(self, src, dim, index)

    def slice_scatter(self, src, dim=0, start=None, end=None, step=1):
        from ._scattering import slice_scatter

        return slice_scatter(self, src, dim, start, end, step)

    def diagonal_scatter(self, src, offset=0, dim1=0, dim2=1):
        from ._scattering import diagonal_scatter

        return diagonal_scatter(self, src, offset, dim1, dim2)

    def split_with_sizes(self, split_sizes, dim=0):
        from ._scattering import split_with_sizes

        return split_with_sizes(self, split_sizes, dim)

    def narrow_copy(self, dim, start, length):
        from ._scattering import narrow_copy

        return narrow_copy(self, dim, start, length)

    def renorm(self, p, dim, maxnorm):
        from ._scattering import renorm

        return renorm(self, p, dim, maxnorm)

    def hardshrink(self, lambd=0.5):
        from .nn._layers import real_activation

        return real_activation(self)

    def prelu(self, weight):
        from .nn._layers import prelu

        return prelu(self, weight)

    def masked_scatter(self, mask, source):
        from ._scattering import masked_scatter

        return masked_scatter(self, mask, source)

    def index_reduce(self, dim, index, source, reduce, *, include_self=True):
        from ._scattering import index_reduce

        return index_reduce(self, dim, index, source, reduce)

    def scatter_reduce(self, dim, index, src, reduce, *, include_self=True):
        from ._scattering import scatter_reduce

        return scatter_reduce(self, dim, index, src, reduce)

    def stft(self, n_fft, *args, **options):
        from ._signals import stft

        if self.dim() > 2:
            # Which class is raised depends on how it is called.
            return unknown("the spectrum of more than a batch")
        return stft(self, n_fft, *args, **options)

    def istft(self, n_fft, *args, **options):
        from ._signals import istft

        return istft(self, n_fft, *args, **options)
