"""Exceptions of NumPy that user code can name."""


class AxisError(ValueError, IndexError):
    """An axis that the array does not have."""


class ComplexWarning(RuntimeWarning):
    """The imaginary part was dropped."""


class VisibleDeprecationWarning(UserWarning):
    """A deprecation that users should see."""


class RankWarning(RuntimeWarning):
    """A polynomial fit that is badly conditioned."""


class TooHardError(RuntimeError):
    """A memory overlap that was not decided."""


class DTypePromotionError(TypeError):
    """Element types with no common type."""


class ModuleDeprecationWarning(DeprecationWarning):
    """A deprecated module."""
