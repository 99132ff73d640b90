"""`transformers.utils.doc`: decorators that write documentation and leave what they decorate as it is."""

from _pytrope import unknown


def _unchanged(decorated):
    return decorated


def add_start_docstrings(*docstr):
    return _unchanged


def add_start_docstrings_to_model_forward(*docstr):
    return _unchanged


def add_end_docstrings(*docstr):
    return _unchanged


def add_code_sample_docstrings(*docstr, **options):
    return _unchanged


def replace_return_docstrings(output_type=None, config_class=None):
    return _unchanged


def copy_func(f):
    return unknown("a copy of a function")


PT_RETURN_INTRODUCTION = unknown("documentation")
TF_RETURN_INTRODUCTION = unknown("documentation")
PT_SAMPLE_DOCSTRINGS = unknown("documentation")
TF_SAMPLE_DOCSTRINGS = unknown("documentation")
FLAX_SAMPLE_DOCSTRINGS = unknown("documentation")
