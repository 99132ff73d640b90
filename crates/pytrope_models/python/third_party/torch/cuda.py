"""torch.cuda: whether there is a GPU is never known."""

from _pytrope import unknown

from . import amp


def is_available():
    return bool(unknown("whether there is a GPU"))


def device_count():
    return unknown("how many GPUs there are")


def current_device():
    return unknown("a device")


def manual_seed(seed):
    return None


def manual_seed_all(seed):
    return None


def empty_cache():
    return None


def synchronize(device=None):
    return None
