"""torch.nn.functional: the functions of the layers under their names."""

import torch

from .._elementwise import number as relu_
from .._elementwise import real as sigmoid
from .._elementwise import real as softsign
from .._elementwise import real as tanh
from ._layers import embedding_bag
from ._layers import activation as relu
from ._layers import activation as relu6
from ._layers import activation as hardtanh
from ._layers import threshold
from ._layers import (
    batch_norm,
    bilinear,
    cosine_similarity,
    dropout,
    embedding,
    glu,
    group_norm,
    gumbel_softmax,
    instance_norm,
    layer_norm,
    linear,
    local_response_norm,
    normalize,
    one_hot,
    pairwise_distance,
    prelu,
    scaled_dot_product_attention,
    softmax,
)
from ._layers import feature_alpha_dropout as alpha_dropout
from ._layers import dropout1d
from ._layers import feature_dropout as dropout2d
from ._layers import dropout3d
from ._layers import feature_alpha_dropout
from ._layers import real_activation as celu
from ._layers import real_activation as elu
from ._layers import real_activation as gelu
from ._layers import real_activation as hardshrink
from ._layers import real_activation as hardsigmoid
from ._layers import real_activation as hardswish
from ._layers import real_activation as leaky_relu
from ._layers import real_activation as logsigmoid
from ._layers import real_activation as mish
from ._layers import real_activation as rrelu
from ._layers import real_activation as selu
from ._layers import silu
from .._scattering import pdist
from ._layers import real_activation as softplus
from ._layers import real_activation as softshrink
from ._layers import tanhshrink
from ._layers import softmax as log_softmax
from ._layers import softmax as softmin
from ._layers import rms_norm
from ._losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,
    cross_entropy,
    ctc_loss,
    gaussian_nll_loss,
    hinge_embedding_loss,
    huber_loss,
    kl_div,
    l1_loss,
    margin_ranking_loss,
    mse_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
    soft_margin_loss,
    triplet_margin_loss,
)
from ._windows import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    affine_grid,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    channel_shuffle,
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
    fold,
    grid_sample,
    interpolate,
    lp_pool1d,
    lp_pool2d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    pixel_shuffle,
    pixel_unshuffle,
    unfold,
)
from ._in_place import celu_, elu_, hardtanh_, leaky_relu_, threshold_
from ._padding import pad
from ._windows import interpolate as upsample
