//! Gradual shape types and their relations: precision, consistency, matching, joins, broadcasting.
//!
//! After "Generalizing Shape Analysis with Gradual Types", section 3 and appendix B; the rules
//! keep the paper's names. Deviations are said where they occur.

use std::fmt;

/// A dimension of a type: a number, or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DimType {
    Dyn,
    Size(u64),
}

/// The type of a tensor: of unknown rank, or with a list of dimensions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TensorType {
    Dyn,
    Dims(Vec<DimType>),
}

impl DimType {
    pub fn size(self) -> Option<u64> {
        match self {
            Self::Dyn => None,
            Self::Size(size) => Some(size),
        }
    }

    pub fn is_dyn(self) -> bool {
        self == Self::Dyn
    }

    /// `self ⊑ other`: the other is this one with perhaps more known (c-refl-d, refl-dyn-1).
    pub fn less_precise(self, other: Self) -> bool {
        self.is_dyn() || self == other
    }

    /// `self ~ other`: equal as far as both are known.
    pub fn consistent(self, other: Self) -> bool {
        self.is_dyn() || other.is_dyn() || self == other
    }

    /// `self ⊔ other`, the least type above both; `None` if they are not consistent.
    pub fn join(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Dyn, known) | (known, Self::Dyn) => Some(known),
            (Self::Size(a), Self::Size(b)) => (a == b).then_some(self),
        }
    }
}

impl TensorType {
    /// A type all of whose dimensions are known.
    pub fn of_sizes(sizes: &[u64]) -> Self {
        Self::Dims(sizes.iter().copied().map(DimType::Size).collect())
    }

    pub fn rank(&self) -> Option<usize> {
        self.dims().map(<[DimType]>::len)
    }

    pub fn dims(&self) -> Option<&[DimType]> {
        match self {
            Self::Dyn => None,
            Self::Dims(dims) => Some(dims),
        }
    }

    /// The sizes, if nothing is unknown.
    pub fn sizes(&self) -> Option<Vec<u64>> {
        self.dims()?.iter().map(|dim| dim.size()).collect()
    }

    pub fn is_static(&self) -> bool {
        self.sizes().is_some()
    }

    /// `self ⊑ other` (refl-t, refl-dyn-2, p-tensor).
    pub fn less_precise(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyn, _) => true,
            (Self::Dims(_), Self::Dyn) => false,
            (Self::Dims(a), Self::Dims(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.less_precise(*b)),
        }
    }

    /// `self ~ other` (c-refl-t, t-refl-dyn, c-tensor): symmetric and reflexive, not transitive.
    pub fn consistent(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyn, _) | (_, Self::Dyn) => true,
            (Self::Dims(a), Self::Dims(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.consistent(*b)),
        }
    }

    /// `self ▷ⁿ dims`: the dimensions of a type that is used at rank `n`.
    pub fn matching(&self, n: usize) -> Option<Vec<DimType>> {
        match self {
            Self::Dyn => Some(vec![DimType::Dyn; n]),
            Self::Dims(dims) => (dims.len() == n).then(|| dims.clone()),
        }
    }

    /// `self ⊔ other`; `None` if they are not consistent.
    pub fn join(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Dyn, known) | (known, Self::Dyn) => Some(known.clone()),
            (Self::Dims(a), Self::Dims(b)) => {
                if a.len() != b.len() {
                    return None;
                }
                let dims = a.iter().zip(b).map(|(a, b)| a.join(*b)).collect::<Option<_>>()?;
                Some(Self::Dims(dims))
            }
        }
    }

    /// `self ⊔* other`: as `⊔`, but a type of unknown rank makes the result unknown, because
    /// broadcasting against it can give any rank.
    pub fn join_star(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Dyn, _) | (_, Self::Dyn) => Some(Self::Dyn),
            (Self::Dims(_), Self::Dims(_)) => self.join(other),
        }
    }
}

/// Both types as broadcasting would make them, before they are compared (appendix B).
pub fn apply_broadcasting(a: &TensorType, b: &TensorType) -> (TensorType, TensorType) {
    let (TensorType::Dims(left), TensorType::Dims(right)) = (a, b) else {
        return (a.clone(), b.clone());
    };
    let rank = left.len().max(right.len());
    let padded = |dims: &[DimType]| {
        let mut all = vec![DimType::Size(1); rank - dims.len()];
        all.extend(dims);
        all
    };
    let (left, right) = (padded(left), padded(right));
    let stretched = |one: &[DimType], other: &[DimType]| {
        let stretch = |(one, other): (&DimType, &DimType)| {
            if *one == DimType::Size(1) { *other } else { *one }
        };
        TensorType::Dims(one.iter().zip(other).map(stretch).collect())
    };
    (stretched(&left, &right), stretched(&right, &left))
}

impl fmt::Display for DimType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dyn => write!(f, "Dyn"),
            Self::Size(size) => write!(f, "{size}"),
        }
    }
}

/// As the hint is written: `Dyn`, `TensorType([1, Dyn])`.
impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dyn => write!(f, "Dyn"),
            Self::Dims(dims) => {
                write!(f, "TensorType([")?;
                for (index, dim) in dims.iter().enumerate() {
                    if index > 0 {
                        write!(f, ", ")?;
                    }
                    write!(f, "{dim}")?;
                }
                write!(f, "])")
            }
        }
    }
}
