//! The lines of Python that make layers tell what they are given and what they give.

use pytrope_source::Span;

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


def __pytrope_is_module(model):
    from torch.nn import Module

    # By class: an object that makes its attributes on demand seems to have every one.
    return isinstance(model, Module)


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


__pytrope_numbered = []
__pytrope_made = {}


def __pytrope_watch_keras():
    from keras import _described as described
    from keras._base import Layer
    from keras.models import Model

    __pytrope_layer_call = Layer.__call__
    initialize = Layer.__init__

    def initialized(self, *args, **kwargs):
        initialize(self, *args, **kwargs)
        described.count_instance(self, __pytrope_made)

    def watched(self, *args, **kwargs):
        described.place_parts(self)
        batch = described.open_batch(args)
        applied, weight = described.applied_weight(self)
        __pytrope_number = described.number_of(self, __pytrope_numbered)
        __pytrope_kind = described.kind_of(self)
        __pytrope_label = described.label_of(self)
        __pytrope_counts = described.count_weights(self)
        __pytrope_weight = weight
        __pytrope_applied = applied
        __pytrope_sources = described.sources_of([args, list(kwargs.values())])
        __pytrope_keywords = kwargs
        __pytrope_given = args
        result = __pytrope_layer_call(self, *args, **kwargs)
        applied, weight = described.applied_weight(self)
        __pytrope_end = self._pytrope_number
        __pytrope_built_counts = described.count_weights(self)
        __pytrope_built_weight = weight
        __pytrope_built_applied = applied
        __pytrope_result = result
        return result

    def rerun(self, outputs, references, parts):
        return described.run_graph(self, outputs, references, parts)

    Layer.__init__ = initialized
    Layer.__call__ = watched
    Model._pytrope_results = rerun
    return described


def __pytrope_wrap(described, model):
    if isinstance(model, type):
        model = model()
    if described.is_layer(model):
        __pytrope_model = model
        __pytrope_declared = described.declared_inputs(model)
        __pytrope_by_name = described.takes_names(model)
    elif __pytrope_is_module(model):
        watched = []
        for name, module in list(model.named_modules()):
            # A layer that has two names goes by the first of them.
            if len(watched) > 400 or not __pytrope_is_in(module, watched):
                watched.append(module)
                __pytrope_watch(name, module)
    return model
"#;

/// Whether a place is in these lines.
pub(super) fn is_driver(span: &Span) -> bool {
    let text = span.file.text();
    text.ends_with(TEXT) && span.range.start as usize >= text.len() - TEXT.len()
}

/// The entry whose layers are watched; those of Keras are called while a model is made, too.
pub(super) fn wrap_entry(entry: &str) -> String {
    format!("__pytrope_wrap(__pytrope_watch_keras(),\n{entry}\n)")
}
