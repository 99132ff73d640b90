"""The exception of einops."""


class EinopsError(RuntimeError):
    pass
