//! What functions of models do beside giving a value: one table, for clients that leave out what a program does not need.
//!
//! `check` sees what models do by running them; a call that is left out of a program is not run, so it must be declared.
//! What functions of Python itself do is declared in `pytrope_eval::effects::library`.

/// What a model function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelEffect {
    /// Reads a shape.
    Query,
    /// Gives a value: no change in place, no random numbers, no running statistics.
    Pure,
    Other,
}

/// What a model function of this name does, called on an object of this class.
pub fn declared_effect(name: &str, receiver: Option<&str>) -> ModelEffect {
    if QUERIES.contains(&name) {
        ModelEffect::Query
    } else if PURE.contains(&name) || name == "__call__" && receiver.is_some_and(|class| PURE_LAYERS.contains(&class)) {
        ModelEffect::Pure
    } else {
        ModelEffect::Other
    }
}

/// What `torch.Size` has beside a tuple's methods; each of them reads and changes nothing. Models give shapes as plain tuples.
pub const SIZE_METHODS: &[&str] = &["numel"];

const QUERIES: &[&str] = &[
    "device",
    "dim",
    "dtype",
    "element_size",
    "is_complex",
    "is_floating_point",
    "itemsize",
    "ndim",
    "ndimension",
    "nelement",
    "numel",
    "requires_grad",
    "shape",
    "size",
    "stride",
];

const PURE_LAYERS: &[&str] = &[
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool2d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "ELU",
    "Embedding",
    "Flatten",
    "GELU",
    "GroupNorm",
    "Hardsigmoid",
    "Hardswish",
    "Identity",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "LogSoftmax",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "Unflatten",
    "Upsample",
];

const PURE: &[&str] = &[
    "H",
    "T",
    "__abs__",
    "__add__",
    "__and__",
    "__bool__",
    "__contains__",
    "__eq__",
    "__float__",
    "__floordiv__",
    "__ge__",
    "__getitem__",
    "__gt__",
    "__index__",
    "__int__",
    "__invert__",
    "__le__",
    "__len__",
    "__lt__",
    "__matmul__",
    "__mod__",
    "__mul__",
    "__ne__",
    "__neg__",
    "__or__",
    "__pow__",
    "__radd__",
    "__rmul__",
    "__rsub__",
    "__rtruediv__",
    "__sub__",
    "__truediv__",
    "abs",
    "adaptive_avg_pool2d",
    "all",
    "amax",
    "amin",
    "any",
    "arange",
    "argmax",
    "argmin",
    "avg_pool2d",
    "bmm",
    "bool",
    "broadcast_shapes",
    "broadcast_to",
    "cat",
    "chunk",
    "clamp",
    "clone",
    "concat",
    "contiguous",
    "conv1d",
    "conv2d",
    "conv3d",
    "cpu",
    "cumsum",
    "detach",
    "diagonal",
    "dot",
    "double",
    "empty",
    "empty_like",
    "exp",
    "expand",
    "expand_as",
    "eye",
    "flatten",
    "flip",
    "float",
    "full",
    "full_like",
    "gather",
    "half",
    "index_select",
    "int",
    "layer_norm",
    "linear",
    "linspace",
    "log",
    "long",
    "matmul",
    "max",
    "max_pool2d",
    "mean",
    "min",
    "mm",
    "movedim",
    "mv",
    "narrow",
    "ones",
    "ones_like",
    "pad",
    "permute",
    "prod",
    "ravel",
    "relu",
    "repeat",
    "reshape",
    "reshape_as",
    "roll",
    "select",
    "sigmoid",
    "softmax",
    "split",
    "sqrt",
    "squeeze",
    "stack",
    "std",
    "sum",
    "swapaxes",
    "t",
    "tanh",
    "tensor",
    "tile",
    "to",
    "transpose",
    "tril",
    "triu",
    "type_as",
    "unbind",
    "unflatten",
    "unsqueeze",
    "var",
    "view",
    "view_as",
    "where",
    "zeros",
    "zeros_like",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(PURE.is_sorted() && PURE_LAYERS.is_sorted() && QUERIES.is_sorted());
    }

    #[test]
    fn what_changes_something_is_not_harmless() {
        for name in ["add_", "dropout", "rand", "batch_norm", "__setitem__", "__iadd__", "manual_seed", "relu_"] {
            assert_eq!(declared_effect(name, None), ModelEffect::Other, "{name}");
        }
        assert_eq!(declared_effect("__call__", Some("Conv2d")), ModelEffect::Pure);
        assert_eq!(declared_effect("__call__", Some("BatchNorm2d")), ModelEffect::Other);
        assert_eq!(declared_effect("__call__", Some("MyLayer")), ModelEffect::Other);
        assert_eq!(declared_effect("dim", Some("Tensor")), ModelEffect::Query);
    }
}
