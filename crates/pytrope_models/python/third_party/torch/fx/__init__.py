"""torch.fx: what stands in the code of models; tracing itself is Unknown."""

from _pytrope import unknown

Proxy = unknown("a proxy")
Tracer = unknown("a tracer")
GraphModule = unknown("a traced module")
symbolic_trace = unknown("tracing")


def wrap(fn_or_name):
    return fn_or_name
