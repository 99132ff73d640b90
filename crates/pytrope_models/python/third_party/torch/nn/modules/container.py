"""torch.nn.modules.container: the classes of `torch.nn` that are defined there."""

from .._containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
