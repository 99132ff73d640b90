//! The gradual type rules of figure 3.

use super::{CalculusExpr, CalculusProgram, Conv2d, product};
use crate::gradual::{DimType, TensorType, apply_broadcasting};

/// The type that a program returns; `None` if it is ill-typed (ok-prog).
pub fn gradual_type(program: &CalculusProgram) -> Option<TensorType> {
    type_of(&program.result, &program.declarations)
}

fn type_of(expr: &CalculusExpr, declared: &[TensorType]) -> Option<TensorType> {
    match expr {
        // t-var
        CalculusExpr::Var(index) => declared.get(*index).cloned(),
        CalculusExpr::Reshape(inner, target) => {
            can_reshape(&type_of(inner, declared)?, target).then(|| TensorType::Dims(target.clone()))
        }
        // t-conv
        CalculusExpr::Conv2d(conv, inner) => {
            let dims = type_of(inner, declared)?.matching(4)?;
            calc_conv(conv, &dims)
        }
        // t-add
        CalculusExpr::Add(left, right) => {
            let (a, b) = (type_of(left, declared)?, type_of(right, declared)?);
            let (a, b) = apply_broadcasting(&a, &b);
            a.join_star(&b)
        }
    }
}

/// t-reshape-s, t-reshape-g and t-reshape in one: a static input that fits may exist.
///
/// With one size unknown on one side, the product of the other side must be a multiple of what is
/// known on this one. (The paper's rule has `∨` between both directions, which admits (4) → (Dyn, 8).)
/// With unknown sizes on both sides there is always a solution, unless the target's known part is 0,
/// which PyTorch refuses beside a -1.
fn can_reshape(from: &TensorType, target: &[DimType]) -> bool {
    let known = |dims: &[DimType]| product(dims.iter().filter_map(|dim| dim.size()));
    let Some(goal) = known(target) else {
        return false;
    };
    let open_target = target.iter().any(|dim| dim.is_dyn());
    if open_target && goal == 0 {
        return false;
    }
    let TensorType::Dims(dims) = from else {
        return true;
    };
    let Some(have) = known(dims) else {
        return false;
    };
    let open_input = dims.iter().any(|dim| dim.is_dyn());
    match (open_input, open_target) {
        (false, false) => have == goal,
        (false, true) => have % goal == 0,
        (true, false) if have == 0 => goal == 0,
        (true, false) => goal % have == 0,
        (true, true) => true,
    }
}

/// The output of a convolution; a `Dyn` size stays `Dyn` (appendix B, with output sizes at least 1).
fn calc_conv(conv: &Conv2d, dims: &[DimType]) -> Option<TensorType> {
    let [batch, channels, height, width] = dims else {
        return None;
    };
    if !channels.consistent(DimType::Size(conv.c_in)) {
        return None;
    }
    let out = |dim: DimType, kernel: u64| match dim {
        DimType::Dyn => Some(DimType::Dyn),
        DimType::Size(size) => size.checked_sub(kernel - 1).filter(|out| *out >= 1).map(DimType::Size),
    };
    Some(TensorType::Dims(vec![
        *batch,
        DimType::Size(conv.c_out),
        out(*height, conv.kernel.0)?,
        out(*width, conv.kernel.1)?,
    ]))
}
