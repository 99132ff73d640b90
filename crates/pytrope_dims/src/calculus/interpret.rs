//! The interpreter of appendix C: programs on tensors of numbers. `None` is its error state E = 1.

use super::{CalculusExpr, CalculusProgram, Conv2d};
use crate::gradual::DimType;

/// A tensor: its sizes, and its elements in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    shape: Vec<usize>,
    elements: Vec<i64>,
}

impl Tensor {
    /// A tensor that counts from 0.
    pub fn counting_tensor(shape: &[u64]) -> Option<Self> {
        let shape: Vec<usize> = shape.iter().map(|size| usize::try_from(*size).ok()).collect::<Option<_>>()?;
        let count = shape.iter().try_fold(1usize, |count, size| count.checked_mul(*size))?;
        let elements = (0..i64::try_from(count).ok()?).collect();
        Some(Self { shape, elements })
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub fn elements(&self) -> &[i64] {
        &self.elements
    }
}

/// Runs a program on given inputs; `None` when an operation fails or an input is missing.
pub fn run(program: &CalculusProgram, inputs: &[Tensor]) -> Option<Tensor> {
    eval_expression(&program.result, inputs)
}

fn eval_expression(expr: &CalculusExpr, inputs: &[Tensor]) -> Option<Tensor> {
    match expr {
        CalculusExpr::Var(index) => inputs.get(*index).cloned(),
        CalculusExpr::Reshape(inner, target) => reshape_tensor(eval_expression(inner, inputs)?, target),
        CalculusExpr::Conv2d(conv, inner) => convolve_tensor(conv, &eval_expression(inner, inputs)?),
        CalculusExpr::Add(left, right) => {
            add_tensors(&eval_expression(left, inputs)?, &eval_expression(right, inputs)?)
        }
    }
}

/// Algorithm 3.
fn reshape_tensor(tensor: Tensor, target: &[DimType]) -> Option<Tensor> {
    let unknown = target.iter().filter(|dim| dim.is_dyn()).count();
    if unknown > 1 {
        return None;
    }
    let known = target
        .iter()
        .filter_map(|dim| dim.size())
        .try_fold(1usize, |count, size| count.checked_mul(usize::try_from(size).ok()?))?;
    if unknown == 1 && known == 0 {
        return None;
    }
    let count = tensor.elements.len();
    let shape: Vec<usize> = target
        .iter()
        .map(|dim| match dim {
            DimType::Dyn => Some(count / known),
            DimType::Size(size) => usize::try_from(*size).ok(),
        })
        .collect::<Option<_>>()?;
    let fits = shape.iter().try_fold(1usize, |count, size| count.checked_mul(*size))? == count;
    // Row-major order is kept, so the elements stay where they are.
    fits.then_some(Tensor { shape, elements: tensor.elements })
}

/// Algorithm 4, with its check over all axes of the longer shape.
fn add_tensors(a: &Tensor, b: &Tensor) -> Option<Tensor> {
    let rank = a.shape.len().max(b.shape.len());
    let padded = |tensor: &Tensor| {
        let mut shape = vec![1; rank - tensor.shape.len()];
        shape.extend(&tensor.shape);
        shape
    };
    let (left, right) = (padded(a), padded(b));
    let mut shape = Vec::with_capacity(rank);
    for (x, y) in left.iter().zip(&right) {
        if *x != 1 && *y != 1 && x != y {
            return None;
        }
        // Not the maximum: a size of 0 against 1 gives 0.
        shape.push(if *x == 1 { *y } else { *x });
    }
    let count: usize = shape.iter().product();
    let mut elements = Vec::with_capacity(count);
    for index in 0..count {
        let mut rest = index;
        let (mut at_left, mut at_right) = (0, 0);
        let (mut step_left, mut step_right) = (1, 1);
        for axis in (0..rank).rev() {
            let position = rest % shape[axis];
            rest /= shape[axis];
            if left[axis] != 1 {
                at_left += position * step_left;
            }
            if right[axis] != 1 {
                at_right += position * step_right;
            }
            step_left *= left[axis];
            step_right *= right[axis];
        }
        elements.push(a.elements[at_left].wrapping_add(b.elements[at_right]));
    }
    Some(Tensor { shape, elements })
}

/// Algorithm 5, with a kernel of ones.
fn convolve_tensor(conv: &Conv2d, tensor: &Tensor) -> Option<Tensor> {
    let [batch, channels, height, width] = *tensor.shape.as_slice() else {
        return None;
    };
    let (c_in, c_out) = (usize::try_from(conv.c_in).ok()?, usize::try_from(conv.c_out).ok()?);
    let (rows, columns) = (usize::try_from(conv.kernel.0).ok()?, usize::try_from(conv.kernel.1).ok()?);
    if channels != c_in || height < rows || width < columns {
        return None;
    }
    let (out_height, out_width) = (height - rows + 1, width - columns + 1);
    let mut elements = Vec::new();
    for b in 0..batch {
        for _ in 0..c_out {
            for i in 0..out_height {
                for j in 0..out_width {
                    let mut sum = 0i64;
                    for c in 0..channels {
                        for p in 0..rows {
                            for q in 0..columns {
                                let at = ((b * channels + c) * height + i + p) * width + j + q;
                                sum = sum.wrapping_add(tensor.elements[at]);
                            }
                        }
                    }
                    elements.push(sum);
                }
            }
        }
    }
    Some(Tensor { shape: vec![batch, c_out, out_height, out_width], elements })
}
