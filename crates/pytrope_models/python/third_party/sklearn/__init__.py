"""scikit-learn, as far as shapes survive it: numbers of samples and features. A name that is not here is Unknown."""

from _pytrope import set_setting, unknown

from ._base import OUTPUT


def set_config(**options):
    if "transform_output" in options:
        set_setting(OUTPUT, options["transform_output"], "default")


def __getattr__(name):
    return unknown(name)
