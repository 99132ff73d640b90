"""torch.nn.modules.module: the classes of `torch.nn` that are defined there."""

from _pytrope import set_setting

from .._module import Handle, Module


def register_module_forward_pre_hook(hook):
    """A hook for all modules may change what `forward` is given."""
    set_setting("torch.module_hooks", True, False)
    return Handle()
