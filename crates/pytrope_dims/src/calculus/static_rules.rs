//! The static type rules of appendix A.

use super::{CalculusExpr, CalculusProgram, product};

/// The shape that a static program returns; `None` if it is ill-typed or not static (ok-prog-s).
pub fn static_type(program: &CalculusProgram) -> Option<Vec<u64>> {
    let declared: Vec<Vec<u64>> = program.declarations.iter().map(super::TensorType::sizes).collect::<Option<_>>()?;
    shape_of_expr(&program.result, &declared)
}

fn shape_of_expr(expr: &CalculusExpr, declared: &[Vec<u64>]) -> Option<Vec<u64>> {
    match expr {
        // t-var
        CalculusExpr::Var(index) => declared.get(*index).cloned(),
        // t-reshape-s
        CalculusExpr::Reshape(inner, target) => {
            let sizes = shape_of_expr(inner, declared)?;
            let target: Vec<u64> = target.iter().map(|dim| dim.size()).collect::<Option<_>>()?;
            (product(sizes)? == product(target.iter().copied())?).then_some(target)
        }
        // t-conv
        CalculusExpr::Conv2d(conv, inner) => {
            let sizes = shape_of_expr(inner, declared)?;
            let [batch, channels, height, width] = sizes.as_slice() else {
                return None;
            };
            if *channels != conv.c_in {
                return None;
            }
            let out = |size: &u64, kernel: u64| size.checked_sub(kernel - 1).filter(|out| *out >= 1);
            Some(vec![*batch, conv.c_out, out(height, conv.kernel.0)?, out(width, conv.kernel.1)?])
        }
        // t-add
        CalculusExpr::Add(left, right) => {
            let (a, b) = (shape_of_expr(left, declared)?, shape_of_expr(right, declared)?);
            let rank = a.len().max(b.len());
            let at =
                |sizes: &[u64], axis: usize| (axis + sizes.len()).checked_sub(rank).map_or(1, |index| sizes[index]);
            (0..rank)
                .map(|axis| match (at(&a, axis), at(&b, axis)) {
                    (1, size) | (size, 1) => Some(size),
                    (x, y) => (x == y).then_some(x),
                })
                .collect()
        }
    }
}
