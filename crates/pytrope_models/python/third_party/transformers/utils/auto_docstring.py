"""`transformers.utils.auto_docstring`: decorators that write documentation and leave what they decorate as it is."""

from _pytrope import unknown


def _unchanged(decorated):
    return decorated


def auto_docstring(obj=None, *, custom_intro=None, custom_args=None, checkpoint=None):
    return _unchanged if obj is None else obj


def auto_class_docstring(cls, custom_intro=None, custom_args=None, checkpoint=None):
    return cls


def auto_method_docstring(func, **options):
    return func


ClassAttrs = unknown("documentation")
ClassDocstring = unknown("documentation")
ImageProcessorArgs = unknown("documentation")
ModelArgs = unknown("documentation")
ModelOutputArgs = unknown("documentation")
