"""Shapes and small combinators that the families share."""

from itertools import product


def text(shape):
    return ", ".join(map(str, shape))


def t(*shape):
    return f"t({text(shape)})"


def s(*shape):
    return f"S({text(shape)})"


def on(layers, samples, batches=(2,)):
    """Every layer on every sample, as a symbolic input and as an eager batch."""
    for layer, sample in product(layers, samples):
        yield f"{layer}({s(*sample)})"
        for batch in batches if "None" not in sample else ():
            yield f"{layer}({t(batch, *sample)})"
