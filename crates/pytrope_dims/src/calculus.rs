//! The gradual tensor calculus of the paper (section 3, appendices A to F): the reference model.
//!
//! A program declares tensors and returns an expression of `reshape`, `Conv2D` and `add`. There are
//! four readings of it here, and the tests hold them against each other:
//!
//! - [`static_type`]: appendix A, for programs without `Dyn`;
//! - [`gradual_type`]: figure 3, with `Dyn`;
//! - [`run`]: appendix C, on tensors of numbers;
//! - [`Generation`]: figures 4 and 5 with appendix E, as constraints whose solutions are the migrations.
//!
//! The rules are the paper's with its slips corrected; `docs/theory.md` lists them. In one line each:
//! a reshape with one unknown size needs divisibility in the direction that an integer size exists;
//! a convolution's output sizes are at least 1, as in PyTorch; the sizes of an addition are checked
//! up to the longer rank; a size of 0 broadcasts against 1 to 0.

mod generate;
mod gradual_rules;
mod interpret;
mod static_rules;

use std::fmt;

use crate::gradual::{DimType, TensorType};

pub use generate::Generation;
pub use gradual_rules::gradual_type;
pub use interpret::{Tensor, run};
pub use static_rules::static_type;

/// `decl* return e`. Declarations are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalculusProgram {
    pub declarations: Vec<TensorType>,
    pub result: CalculusExpr,
}

/// An expression of the calculus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CalculusExpr {
    Var(usize),
    /// At most one target dimension is `Dyn` (PyTorch's -1).
    Reshape(Box<Self>, Vec<DimType>),
    Conv2d(Conv2d, Box<Self>),
    Add(Box<Self>, Box<Self>),
}

/// The parameters of a convolution, all at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conv2d {
    pub c_in: u64,
    pub c_out: u64,
    pub kernel: (u64, u64),
}

impl CalculusProgram {
    /// Whether neither a declaration nor a reshape has a `Dyn`.
    pub fn is_static(&self) -> bool {
        self.declarations.iter().all(TensorType::is_static) && self.result.is_static()
    }

    /// `self ⊑ other` (p-prog, p-decl, p-refl): only declarations may differ.
    pub fn less_precise(&self, other: &Self) -> bool {
        self.result == other.result
            && self.declarations.len() == other.declarations.len()
            && self.declarations.iter().zip(&other.declarations).all(|(mine, theirs)| mine.less_precise(theirs))
    }
}

impl CalculusExpr {
    fn is_static(&self) -> bool {
        match self {
            Self::Var(_) => true,
            Self::Reshape(inner, target) => inner.is_static() && target.iter().all(|dim| !dim.is_dyn()),
            Self::Conv2d(_, inner) => inner.is_static(),
            Self::Add(left, right) => left.is_static() && right.is_static(),
        }
    }
}

impl fmt::Display for CalculusProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, declared) in self.declarations.iter().enumerate() {
            writeln!(f, "x{index}: {declared}")?;
        }
        write!(f, "return {}", self.result)
    }
}

impl fmt::Display for CalculusExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Var(index) => write!(f, "x{index}"),
            Self::Reshape(inner, target) => {
                write!(f, "reshape({inner}, {})", TensorType::Dims(target.clone()))
            }
            Self::Conv2d(conv, inner) => write!(f, "Conv2D({}, {}, {:?}, {inner})", conv.c_in, conv.c_out, conv.kernel),
            Self::Add(left, right) => write!(f, "add({left}, {right})"),
        }
    }
}

/// The product of sizes; `None` past `u64`.
fn product(sizes: impl IntoIterator<Item = u64>) -> Option<u64> {
    sizes.into_iter().try_fold(1u64, u64::checked_mul)
}
