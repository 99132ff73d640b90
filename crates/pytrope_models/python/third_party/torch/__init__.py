"""torch: what the package offers at its top."""

from _pytrope import unknown

from . import _C, amp, autograd, cuda, distributions, fft, func, fx, jit, linalg, nn, optim, signal, special, utils
from ._creation import (
    arange,
    bernoulli,
    eye,
    from_numpy,
    full,
    full_like,
    linspace,
    multinomial,
    normal,
    randint,
    randperm,
    scalar_tensor,
    vander,
)
from .func import vmap
from ._creation import complex_ as complex
from ._creation import filled as empty
from ._creation import ones
from ._creation import random_floats as rand
from ._creation import random_floats as randn
from ._creation import randint_like
from ._creation import zeros
from ._creation import as_tensor
from ._creation import as_tensor as asarray
from ._creation import from_data as tensor
from ._creation import like as empty_like
from ._creation import like as ones_like
from ._creation import like as zeros_like
from ._creation import linspace as logspace
from ._creation import random_like as rand_like
from ._creation import random_like as randn_like
from ._creation import same_kind as poisson
from ._creation import kaiser_window
from ._creation import window as bartlett_window
from ._creation import window as blackman_window
from ._creation import window as hamming_window
from ._creation import window as hann_window
from ._dtypes import (
    bfloat16,
    complex64,
    complex128,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from ._dtypes import bool_ as bool
from ._dtypes import float16 as half
from ._dtypes import float32 as float
from ._dtypes import float64 as double
from ._dtypes import int16 as short
from ._dtypes import int32 as int
from ._dtypes import int64 as long
from ._elementwise import (
    allclose,
    bitwise_not,
    clamp,
    clamp_max,
    clamp_min,
    clone,
    equal,
    frac,
    frexp,
    heaviside,
    hypot,
    isclose,
    lerp,
    masked_fill,
    nan_to_num,
    neg,
    square,
    where,
)
from ._elementwise import absolute
from ._elementwise import absolute as abs
from ._elementwise import add
from ._elementwise import addcmul as addcdiv
from ._elementwise import addcmul as addcmul
from ._elementwise import angle as arctan2
from ._elementwise import angle as atan2
from ._elementwise import bits as bitwise_and
from ._elementwise import bits as bitwise_or
from ._elementwise import bits as bitwise_xor
from ._elementwise import ceil
from ._elementwise import changed as relu_
from ._elementwise import clamp as clip
from ._elementwise import logical_of_two as logical_and
from ._elementwise import logical_of_two as logical_or
from ._elementwise import logical_of_two as logical_xor
from ._elementwise import division as div
from ._elementwise import division as divide
from ._elementwise import division as true_divide
from ._elementwise import eq
from ._elementwise import exp
from ._elementwise import float_power
from ._elementwise import floor
from ._elementwise import floor_divide
from ._elementwise import ge
from ._elementwise import ge as greater_equal
from ._elementwise import gt
from ._elementwise import gt as greater
from ._elementwise import le
from ._elementwise import le as less_equal
from ._elementwise import log
from ._elementwise import log2
from ._elementwise import lt
from ._elementwise import lt as less
from ._elementwise import maximum
from ._elementwise import maximum as fmax
from ._elementwise import minimum
from ._elementwise import minimum as fmin
from ._elementwise import mul
from ._elementwise import mul as multiply
from ._elementwise import ne
from ._elementwise import ne as not_equal
from ._elementwise import neg as negative
from ._elementwise import number as relu
from ._elementwise import power as pow
from ._elementwise import real as acos
from ._elementwise import real as acosh
from ._elementwise import real as arccos
from ._elementwise import real as arcsin
from ._elementwise import real as arctan
from ._elementwise import real as asin
from ._elementwise import real as asinh
from ._elementwise import real as atan
from ._elementwise import real as atanh
from ._elementwise import real as cos
from ._elementwise import real as cosh
from ._elementwise import real_only as deg2rad
from ._elementwise import real_only as digamma
from ._elementwise import real_only as erf
from ._elementwise import real_only as erfc
from ._elementwise import real_only as erfinv
from ._elementwise import real as exp2
from ._elementwise import real as expm1
from ._elementwise import real_only as lgamma
from ._elementwise import real as log10
from ._elementwise import real as log1p
from ._elementwise import real_only as logit
from ._elementwise import real_only as rad2deg
from ._elementwise import real as reciprocal
from ._elementwise import real as rsqrt
from ._elementwise import real as sigmoid
from ._elementwise import real as sin
from ._elementwise import real as sinc
from ._elementwise import real as sinh
from ._elementwise import real as tan
from ._elementwise import real as tanh
from ._elementwise import remainder
from ._elementwise import rounded as round
from ._elementwise import same as conj
from ._elementwise import positive
from ._elementwise import same as sgn
from ._elementwise import ordered_sign as sign
from ._elementwise import sqrt
from ._elementwise import subtract as sub
from ._elementwise import subtract as subtract
from ._elementwise import test as isfinite
from ._elementwise import test as isinf
from ._elementwise import test as isnan
from ._elementwise import test as logical_not
from ._elementwise import negative_sign as signbit
from ._elementwise import infinity_of_sign as isneginf
from ._elementwise import infinity_of_sign as isposinf
from ._elementwise import test as isreal
from ._elementwise import real as arccosh
from ._elementwise import real as arcsinh
from ._elementwise import real as arctanh
from ._elementwise import real_only as i0
from ._elementwise import floats_of_two as copysign
from ._elementwise import xlogy
from ._elementwise import gamma_of_two as igamma
from ._elementwise import gamma_of_two as igammac
from ._elementwise import multiplied_by_power as ldexp
from ._elementwise import next_after as nextafter
from ._reductions import median as nanmedian
from ._reductions import quantile as nanquantile
from ._elementwise import whole_of_two as gcd
from ._elementwise import whole_of_two as lcm
from ._elementwise import shifted_bits as bitwise_left_shift
from ._elementwise import shifted_bits as bitwise_right_shift
from ._elementwise import argument_of_complex as angle
from ._elementwise import is_same_size, detach
from ._elementwise import changed_number as abs_
from ._elementwise import changed_number as ceil_
from ._elementwise import changed_number as floor_
from ._elementwise import changed_number as neg_
from ._elementwise import changed_number as negative_
from ._elementwise import changed_number as round_
from ._elementwise import changed_number as trunc_
from ._elementwise import changed_number as fix_
from ._elementwise import changed_real as acos_
from ._elementwise import changed_real as asin_
from ._elementwise import changed_real as atan_
from ._elementwise import changed_real as cos_
from ._elementwise import changed_real as cosh_
from ._elementwise import changed_real as erf_
from ._elementwise import changed_real as erfc_
from ._elementwise import changed_real as exp_
from ._elementwise import changed_real as exp2_
from ._elementwise import changed_real as expm1_
from ._elementwise import changed_real as log_
from ._elementwise import changed_real as log10_
from ._elementwise import changed_real as log1p_
from ._elementwise import changed_real as log2_
from ._elementwise import changed_real as reciprocal_
from ._elementwise import changed_real as rsqrt_
from ._elementwise import changed_real as sigmoid_
from ._elementwise import changed_real as sin_
from ._elementwise import changed_real as sinh_
from ._elementwise import changed_real as sqrt_
from ._elementwise import changed_real as tan_
from ._elementwise import changed_real as tanh_
from ._elementwise import changed_real as deg2rad_
from ._elementwise import changed_real as rad2deg_
from ._elementwise import changed_real as sinc_
from ._elementwise import changed_real as logit_
from ._elementwise import changed as zero_
from ._elementwise import changed as square_
from ._elementwise import changed as nan_to_num_
from ._elementwise import changed as detach_
from ._elementwise import trunc
from ._elementwise import trunc as fix
from ._elementwise import rsub
from ._elementwise import whole as fmod
from ._indexing import (
    argwhere,
    bucketize,
    gather,
    index_add,
    index_copy,
    index_fill,
    index_put,
    index_select,
    masked_select,
    narrow,
    nonzero,
    scatter,
    searchsorted,
    select,
    take,
    take_along_dim,
    unique,
)
from ._indexing import unique_consecutive
from ._indexing import scatter as scatter_add
from ._indexing import triangle_indices as tril_indices
from ._indexing import triangle_indices as triu_indices
from ._joining import (
    block_diag,
    broadcast_shapes,
    broadcast_tensors,
    cartesian_prod,
    cat,
    chunk,
    column_stack,
    combinations,
    dsplit,
    dstack,
    hsplit,
    hstack,
    meshgrid,
    split,
    stack,
    tensor_split,
    unbind,
    vsplit,
    vstack,
)
from ._joining import cat as concat
from ._joining import cat as concatenate
from ._joining import chunk as unsafe_chunk
from ._joining import split as unsafe_split
from ._joining import vstack as row_stack
from ._make import is_tensor
from ._modes import (
    Generator,
    autocast,
    can_cast,
    compile,
    device,
    enable_grad,
    get_default_dtype,
    inference_mode,
    is_floating_point,
    is_grad_enabled,
    load,
    manual_seed,
    no_grad,
    promote_types,
    result_type,
    save,
    set_default_device,
    set_default_dtype,
    set_default_tensor_type,
    set_float32_matmul_precision,
    set_grad_enabled,
    set_num_threads,
    set_printoptions,
    typename,
    use_deterministic_algorithms,
)
from ._products import (
    addbmm,
    addmm,
    addmv,
    addr,
    baddbmm,
    bmm,
    cdist,
    chain_matmul,
    cross,
    dot,
    einsum,
    kron,
    matmul,
    mm,
    mv,
    outer,
    tensordot,
)
from ._products import dot as vdot
from ._products import inner_product as inner
from ._products import outer as ger
from ._reductions import (
    aminmax,
    argsort,
    bincount,
    count_nonzero,
    diff,
    dist,
    histc,
    kthvalue,
    logcumsumexp,
    logsumexp,
    mean,
    median,
    mode,
    msort,
    norm,
    numel,
    prod,
    quantile,
    softmax,
    sort,
    topk,
    trace,
)
from ._reductions import extreme as max
from ._reductions import extreme as min
from ._reductions import extreme_values as amax
from ._reductions import extreme_values as amin
from ._reductions import mean as nanmean
from ._reductions import position as argmax
from ._reductions import position as argmin
from ._reductions import scan as cumprod
from ._reductions import scan as cumsum
from ._reductions import scan_pair as cummax
from ._reductions import scan_pair as cummin
from ._reductions import softmax as log_softmax
from ._reductions import spread as std
from ._reductions import spread as var
from ._reductions import spread_mean as std_mean
from ._reductions import spread_mean as var_mean
from ._reductions import nan_total as nansum
from ._reductions import total as sum
from ._reductions import truth as all
from ._reductions import truth as any
from ._reshaping import (
    adjoint,
    atleast_1d,
    atleast_2d,
    atleast_3d,
    broadcast_to,
    diag,
    diag_embed,
    diagonal,
    flatten,
    flip,
    movedim,
    permute,
    ravel,
    repeat_interleave,
    roll,
    rot90,
    squeeze,
    swapaxes,
    t,
    tile,
    transpose,
    unflatten,
    unsqueeze,
)
from ._reshaping import movedim as moveaxis
from ._reshaping import reshape_to as reshape
from ._reshaping import swapaxes as swapdims
from ._reshaping import triangle as tril
from ._reshaping import triangle as triu
from ._signals import (
    corrcoef,
    cov,
    diagflat,
    fliplr,
    flipud,
    isin,
    istft,
    logaddexp,
    polar,
    stft,
    trapezoid,
    view_as_complex,
    view_as_real,
)
from ._signals import cumulative_trapezoid, gradient, histogram
from ._signals import logaddexp as logaddexp2
from ._signals import trapezoid as trapz
from ._tensor import BoolTensor, ByteTensor, DoubleTensor, FloatTensor, HalfTensor, IntTensor, LongTensor, Size, Tensor
from .linalg import cholesky, cholesky_inverse, cholesky_solve, det, matrix_exp, matrix_power, pinv, slogdet
from .linalg import geqrf, logdet, triangular_solve
from .linalg import lu_old as lu
from .linalg import inv as inverse
from .linalg import pinv as pinverse
from .linalg import qr_old as qr
from .linalg import svd_old as svd
from ._scattering import (
    imag,
    index_reduce,
    pdist,
    scatter_reduce,
    diagonal_scatter,
    index_put,
    is_nonzero,
    masked_scatter,
    narrow_copy,
    renorm,
    select_scatter,
    slice_scatter,
    split_with_sizes,
)
from .special import multigammaln as mvlgamma
from .special import polygamma
from .nn._layers import batch_norm_of_torch as batch_norm
from .nn._layers import dropout_of_torch as dropout
from .nn._layers import cosine_similarity, group_norm, layer_norm, pairwise_distance, rms_norm
from .nn._windows import conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d, max_pool2d, pixel_shuffle
from .nn._layers import bilinear, prelu, threshold
from .nn._layers import embedding_of_torch as embedding
from .nn._layers import instance_norm_of_torch as instance_norm
from .nn._layers import real_activation as celu
from .nn._layers import real_activation as hardshrink
from .nn._layers import real_activation as rrelu
from .nn._layers import real_activation as selu
from .nn._windows import adaptive_avg_pool1d, avg_pool1d, channel_shuffle, conv_transpose3d, max_pool1d, max_pool3d
from .nn._windows import adaptive_max_pool1d_of_torch as adaptive_max_pool1d
from .nn._losses import binary_cross_entropy_with_logits_of_torch as binary_cross_entropy_with_logits
from .nn._losses import cosine_embedding_loss_of_torch as cosine_embedding_loss
from .nn._losses import kl_div_of_torch as kl_div
from .nn._padding import pad as constant_pad_nd
from .nn._windows import pixel_unshuffle


def _assert(condition, message):
    """What PyTorch offers in place of `assert` to its tracers."""
    assert condition, message


__version__ = unknown("the version of PyTorch")
pi = 3.141592653589793
inf = unknown("infinity")
nan = unknown("not a number")
strided = unknown("a layout")
contiguous_format = unknown("a memory format")
channels_last = unknown("a memory format")
preserve_format = unknown("a memory format")
