//! The lines of Python that make layers tell what they are given and what they give.

/// Behind the target's own text. Names start with `__pytrope_`, so that they hide nothing of the program.
pub(super) const TEXT: &str = r#"

def __pytrope_is_in(one, many):
    for other in many:
        if other is one:
            return True
    return False


def __pytrope_count(module):
    every = [parameter for _, parameter in module.named_parameters()]
    if len(every) > 400:
        return sum(parameter.numel() for parameter in every)
    once = []
    for parameter in every:
        if not __pytrope_is_in(parameter, once):
            once.append(parameter)
    return sum(parameter.numel() for parameter in once)


def __pytrope_apply(module):
    from torch import nn

    # By class and not by name: a program's own `ConvBlock` holds convolutions and is none.
    if isinstance(module, (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)):
        return "input"
    if isinstance(module, (nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.Linear)):
        return "output"
    return ""


def __pytrope_watch(name, module):
    __pytrope_forward = module.forward
    kind = type(module).__name__
    applied = __pytrope_apply(module)
    total = __pytrope_count(module)
    shape = tuple(module.weight.shape) if applied else ()

    def watched(*args, **kwargs):
        __pytrope_path = name
        __pytrope_kind = kind
        __pytrope_total = total
        __pytrope_weight = shape
        __pytrope_applied = applied
        __pytrope_keywords = kwargs
        __pytrope_given = args
        result = __pytrope_forward(*args, **kwargs)
        __pytrope_end = name
        __pytrope_result = result
        return result

    module.forward = watched


def __pytrope_wrap(model):
    if isinstance(model, type):
        model = model()
    if hasattr(model, "named_modules"):
        watched = []
        for name, module in list(model.named_modules()):
            # A layer that has two names goes by the first of them.
            if len(watched) > 400 or not __pytrope_is_in(module, watched):
                watched.append(module)
                __pytrope_watch(name, module)
    return model
"#;

/// How the driver calls the method that it wraps.
pub(super) const CALL: &str = "__pytrope_forward(";

/// The entry whose layers are watched.
pub(super) fn wrap_entry(entry: &str) -> String {
    format!("__pytrope_wrap(\n{entry}\n)")
}
