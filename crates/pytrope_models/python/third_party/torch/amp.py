"""torch.amp: mixed precision changes element types inside of its blocks, and no shapes."""

from _pytrope import unknown

from ._modes import autocast


class GradScaler:
    def __init__(self, *args, **kwargs):
        pass

    def scale(self, outputs):
        return outputs

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def unscale_(self, optimizer):
        return None

    def update(self, new_scale=None):
        return None

    def get_scale(self):
        return float(unknown("the scale of gradients"))

    def is_enabled(self):
        return bool(unknown("whether gradients are scaled"))

    def state_dict(self):
        return unknown("the state of a scaler")

    def load_state_dict(self, state_dict):
        return None


def custom_fwd(fwd=None, *, device_type=None, cast_inputs=None):
    return fwd if fwd is not None else lambda function: function


def custom_bwd(bwd=None, *, device_type=None):
    return bwd if bwd is not None else lambda function: function
