"""jax.errors: what a traced array refuses."""


class JAXTypeError(TypeError):
    pass


class JAXIndexError(IndexError):
    pass


class ConcretizationTypeError(JAXTypeError):
    pass


class TracerBoolConversionError(ConcretizationTypeError):
    pass


class TracerArrayConversionError(JAXTypeError):
    pass


class TracerIntegerConversionError(JAXTypeError):
    pass


class NonConcreteBooleanIndexError(JAXIndexError):
    pass
