//! Shape annotations that are already there: `TensorType([1, Dyn])`, `Dyn`, and jaxtyping strings.

use pytrope_dims::gradual::{DimType, TensorType};
use pytrope_source::Tree;
use pytrope_source::tree::{ExprId, ExprKind};

/// The type an annotation gives, if it is a shape annotation at all.
pub fn annotated_type(tree: &Tree, annotation: ExprId) -> Option<TensorType> {
    match tree[annotation].kind {
        ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
            (last_name(tree, annotation)? == "Dyn").then_some(TensorType::Dyn)
        }
        ExprKind::Call { function, arguments } if last_name(tree, function)? == "TensorType" => {
            match &tree[arguments.positional] {
                [only] => read_sizes(tree, *only),
                _ => None,
            }
        }
        ExprKind::Subscript { value, index, .. } if last_name(tree, value)? == "TensorType" => match tree[index].kind {
            ExprKind::Tuple { elements, .. } => read_each_size(tree, &tree[elements]),
            ExprKind::List { .. } => read_sizes(tree, index),
            _ => read_each_size(tree, &[index]),
        },
        ExprKind::Subscript { index, .. } => match tree[index].kind {
            ExprKind::Tuple { elements, .. } => match &tree[elements] {
                [_, text] => match tree[*text].kind {
                    ExprKind::Str(text) => parse_jaxtyping(tree.text(text)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The dtype that an annotation says: `LongTensor`, `torch.BoolTensor`, `Int[Tensor, "b n"]`.
pub fn annotated_dtype(tree: &Tree, annotation: ExprId) -> Option<&'static str> {
    match tree[annotation].kind {
        ExprKind::Name { .. } | ExprKind::Attribute { .. } => tensor_class_dtype(last_name(tree, annotation)?),
        ExprKind::Str(text) => tensor_class_dtype(tree.text(text).trim().rsplit('.').next()?),
        ExprKind::BinOp { left, op: pytrope_source::tree::BinaryOperator::BitOr, right } => {
            annotated_dtype(tree, left).or_else(|| annotated_dtype(tree, right))
        }
        ExprKind::Subscript { value, index, .. } => match last_name(tree, value)? {
            "Optional" => annotated_dtype(tree, index),
            "Int" | "Integer" | "Int64" => Some("int64"),
            "Int32" => Some("int32"),
            "UInt8" => Some("uint8"),
            "Bool" => Some("bool"),
            "Float" | "Float32" => Some("float32"),
            "Float64" => Some("float64"),
            "Float16" => Some("float16"),
            "BFloat16" => Some("bfloat16"),
            "Complex" | "Complex64" => Some("complex64"),
            _ => None,
        },
        _ => None,
    }
}

/// The dtype in the name of one of PyTorch's classes of tensors.
fn tensor_class_dtype(name: &str) -> Option<&'static str> {
    Some(match name {
        "LongTensor" => "int64",
        "IntTensor" => "int32",
        "ByteTensor" => "uint8",
        "BoolTensor" => "bool",
        "FloatTensor" => "float32",
        "DoubleTensor" => "float64",
        "HalfTensor" => "float16",
        _ => return None,
    })
}

/// What an annotation says a value is, as far as it matters whether that is a tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Tensor,
    /// `Optional[Tensor]`, `Tensor | None`
    MaybeTensor,
    Other,
}

/// Reads an annotation that gives no shape.
pub fn read_class_annotation(tree: &Tree, annotation: ExprId) -> Said {
    match tree[annotation].kind {
        ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
            let is_tensor = last_name(tree, annotation).is_some_and(|name| name.ends_with("Tensor") || name == "Dyn");
            if is_tensor { Said::Tensor } else { Said::Other }
        }
        ExprKind::Str(text) => {
            if tree.text(text).trim().rsplit('.').next().is_some_and(|name| name.ends_with("Tensor")) {
                Said::Tensor
            } else {
                Said::Other
            }
        }
        ExprKind::Call { .. } | ExprKind::Subscript { .. } if annotated_type(tree, annotation).is_some() => {
            Said::Tensor
        }
        ExprKind::Subscript { value, index, .. } if last_name(tree, value) == Some("Optional") => {
            if read_class_annotation(tree, index) == Said::Tensor {
                Said::MaybeTensor
            } else {
                Said::Other
            }
        }
        ExprKind::BinOp { left, op: pytrope_source::tree::BinaryOperator::BitOr, right } => {
            let none = |id: ExprId| matches!(tree[id].kind, ExprKind::None);
            let tensor = |id: ExprId| read_class_annotation(tree, id) == Said::Tensor;
            if none(left) && tensor(right) || none(right) && tensor(left) { Said::MaybeTensor } else { Said::Other }
        }
        _ => Said::Other,
    }
}

/// The last part of a dotted name.
fn last_name(tree: &Tree, id: ExprId) -> Option<&str> {
    tree.dotted(id)?.last().copied()
}

fn read_sizes(tree: &Tree, id: ExprId) -> Option<TensorType> {
    match tree[id].kind {
        ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => read_each_size(tree, &tree[elements]),
        _ => None,
    }
}

fn read_each_size(tree: &Tree, elements: &[ExprId]) -> Option<TensorType> {
    let dims = elements.iter().map(|element| match tree[*element].kind {
        ExprKind::Int(size) => u64::try_from(size).ok().map(DimType::Size),
        _ => (last_name(tree, *element)? == "Dyn" || last_name(tree, *element)? == "int").then_some(DimType::Dyn),
    });
    dims.collect::<Option<Vec<_>>>().map(TensorType::Dims)
}

/// `"1 3 _ width"`: numbers are sizes, `_` and names are not fixed, `...` leaves the rank open.
fn parse_jaxtyping(text: &str) -> Option<TensorType> {
    let mut dims = Vec::new();
    for part in text.split_whitespace() {
        if part == "..." || part.starts_with('*') {
            return Some(TensorType::Dyn);
        }
        dims.push(match part.parse::<u64>() {
            Ok(size) => DimType::Size(size),
            Err(_) if part.chars().all(|c| c.is_alphanumeric() || c == '_') => DimType::Dyn,
            Err(_) => return None,
        });
    }
    Some(TensorType::Dims(dims))
}
