//! What evaluating a test may do besides giving a truth value, and what must therefore stay when the test goes.

use pytrope_source::tree::{ExprId, ExprKind};
use pytrope_source::{SourceFile, TextRange, Tree};

use super::shape_names::children;

/// What the run has shown about evaluating one expression, its parts aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// It may raise, or does something.
    Needed,
    /// Only models ran for it that change nothing, and all they required was proved.
    Proved,
    /// Only models ran for it that change nothing, but they required nothing: too little is known of what they were given.
    Unproved,
    /// Only a shape was read.
    Query,
    /// Nothing ran that the analysis can see.
    None,
}

/// What a model function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nature {
    /// Reads a shape.
    Query,
    /// Gives a value: no change in place, no random numbers, no running statistics.
    Pure,
    Other,
}

/// The parts of a test that must still be evaluated, as source text; `None` if the test cannot be taken apart.
pub fn effects(
    file: &SourceFile,
    tree: &Tree,
    test: ExprId,
    evidence: &dyn Fn(TextRange) -> Evidence,
) -> Option<Vec<String>> {
    let mut found = Vec::new();
    collect(tree, test, evidence, &mut found).then(|| found.into_iter().map(|id| statement(file, tree, id)).collect())
}

/// An expression as a statement: over several lines only within parentheses.
fn statement(file: &SourceFile, tree: &Tree, id: ExprId) -> String {
    let text = file.slice(tree[id].range);
    if text.contains('\n') { format!("({text})") } else { text.to_owned() }
}

/// Gathers impure parts in evaluation order; false where taking the expression apart would change what is evaluated.
fn collect(tree: &Tree, id: ExprId, evidence: &dyn Fn(TextRange) -> Evidence, found: &mut Vec<ExprId>) -> bool {
    let seen = evidence(tree[id].range);
    match tree[id].kind {
        ExprKind::Named { .. } | ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => false,
        ExprKind::BoolOp { .. } | ExprKind::IfExp { .. } => {
            // Later operands are evaluated only sometimes, so the whole stays if any part has an effect.
            let mut inner = Vec::new();
            children(tree, id).into_iter().all(|child| collect(tree, child, evidence, &mut inner)) && {
                if !inner.is_empty() || seen == Evidence::Needed {
                    found.push(id);
                }
                true
            }
        }
        ExprKind::Compare { comparators, .. } if comparators.len() > 1 => {
            // A chain stops at the first comparison that fails.
            let mut inner = Vec::new();
            children(tree, id).into_iter().all(|child| collect(tree, child, evidence, &mut inner)) && {
                if !inner.is_empty() || seen == Evidence::Needed {
                    found.push(id);
                }
                true
            }
        }
        ExprKind::ListComp { .. }
        | ExprKind::SetComp { .. }
        | ExprKind::DictComp { .. }
        | ExprKind::Generator { .. }
        | ExprKind::FString { .. }
        | ExprKind::TString { .. } => {
            found.push(id);
            true
        }
        ExprKind::Call { function, arguments } => {
            let harmless = match seen {
                Evidence::Needed | Evidence::Unproved => false,
                Evidence::Proved => true,
                // `x.size(3)` may not have that many axes.
                Evidence::Query => arguments.positional.is_empty() && arguments.keywords.is_empty(),
                Evidence::None => is_pure_builtin(tree, function),
            };
            if harmless {
                return children(tree, id).into_iter().all(|child| collect(tree, child, evidence, found));
            }
            keep_whole(tree, id, found)
        }
        _ if matches!(seen, Evidence::Needed | Evidence::Unproved) => keep_whole(tree, id, found),
        _ => children(tree, id).into_iter().all(|child| collect(tree, child, evidence, found)),
    }
}

/// Keeps an expression as it is; false if it binds a name or suspends the function, which a statement must not repeat.
fn keep_whole(tree: &Tree, id: ExprId, found: &mut Vec<ExprId>) -> bool {
    let mut stack = vec![id];
    while let Some(id) = stack.pop() {
        if matches!(
            tree[id].kind,
            ExprKind::Named { .. } | ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. }
        ) {
            return false;
        }
        stack.extend(children(tree, id));
    }
    found.push(id);
    true
}

/// Functions and methods of builtin types that read values and change nothing.
fn is_pure_builtin(tree: &Tree, function: ExprId) -> bool {
    match tree[function].kind {
        ExprKind::Attribute { attribute, .. } => matches!(
            tree.text(attribute.name),
            "numel" | "index" | "count" | "startswith" | "endswith" | "lower" | "upper" | "keys" | "values" | "items"
        ),
        ExprKind::Name { name, .. } => matches!(
            tree.text(name),
            "len"
                | "isinstance"
                | "int"
                | "min"
                | "max"
                | "abs"
                | "tuple"
                | "list"
                | "hasattr"
                | "callable"
                | "bool"
                | "sum"
                | "type"
                | "range"
                | "all"
                | "any"
                | "sorted"
        ),
        _ => false,
    }
}

/// What a model function of this name does, called on an object of this class.
pub fn nature(name: &str, receiver: Option<&str>) -> Nature {
    if QUERIES.contains(&name) {
        Nature::Query
    } else if PURE.contains(&name) || name == "__call__" && receiver.is_some_and(|class| PURE_LAYERS.contains(&class)) {
        Nature::Pure
    } else {
        Nature::Other
    }
}

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
            assert_eq!(nature(name, None), Nature::Other, "{name}");
        }
        assert_eq!(nature("__call__", Some("Conv2d")), Nature::Pure);
        assert_eq!(nature("__call__", Some("BatchNorm2d")), Nature::Other);
        assert_eq!(nature("__call__", Some("MyLayer")), Nature::Other);
        assert_eq!(nature("dim", Some("Tensor")), Nature::Query);
    }
}
