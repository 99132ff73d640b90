"""torch.nn.attention: which kernels attention may use, which no shape depends on."""

from _pytrope import unknown

from ..._modes import no_grad


class SDPBackend:
    ERROR = unknown("a kernel")
    MATH = unknown("a kernel")
    FLASH_ATTENTION = unknown("a kernel")
    EFFICIENT_ATTENTION = unknown("a kernel")
    CUDNN_ATTENTION = unknown("a kernel")
    OVERRIDEABLE = unknown("a kernel")


class sdpa_kernel(no_grad):
    pass
