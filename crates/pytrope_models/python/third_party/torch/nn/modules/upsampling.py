"""torch.nn.modules.upsampling: the classes of `torch.nn` that are defined there."""

from .._linear import Upsample, UpsamplingBilinear2d, UpsamplingNearest2d
