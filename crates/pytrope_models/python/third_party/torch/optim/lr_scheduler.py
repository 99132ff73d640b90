"""torch.optim.lr_scheduler: schedules change learning rates, which no shape depends on."""

from _pytrope import unknown


class LRScheduler:
    def __init__(self, optimizer, *args, **kwargs):
        self.optimizer = optimizer
        self.last_epoch = unknown("the last epoch")

    def step(self, *args, **kwargs):
        return None

    def get_last_lr(self):
        return unknown("the learning rates")

    def get_lr(self):
        return unknown("the learning rates")

    def state_dict(self):
        return unknown("the state of a schedule")

    def load_state_dict(self, state_dict):
        return None

    def __getattr__(self, name):
        return unknown("a property of a schedule")


_LRScheduler = LRScheduler


class LambdaLR(LRScheduler):
    pass


class MultiplicativeLR(LRScheduler):
    pass


class StepLR(LRScheduler):
    pass


class MultiStepLR(LRScheduler):
    pass


class ConstantLR(LRScheduler):
    pass


class LinearLR(LRScheduler):
    pass


class ExponentialLR(LRScheduler):
    pass


class SequentialLR(LRScheduler):
    pass


class PolynomialLR(LRScheduler):
    pass


class CosineAnnealingLR(LRScheduler):
    pass


class ChainedScheduler(LRScheduler):
    pass


class ReduceLROnPlateau(LRScheduler):
    pass


class CyclicLR(LRScheduler):
    pass


class OneCycleLR(LRScheduler):
    pass


class CosineAnnealingWarmRestarts(LRScheduler):
    pass
