//! Writes dimensions as Python expressions, with names given by the caller.

use std::fmt;

use super::{Atom, Dim, Monomial};
use crate::symbol::Sym;

/// A dimension together with the names of its symbols; made by [`Dim::display`].
pub struct DimDisplay<'a> {
    dim: &'a Dim,
    name: &'a dyn Fn(Sym) -> String,
}

impl Dim {
    pub fn display<'a>(&'a self, name: &'a dyn Fn(Sym) -> String) -> DimDisplay<'a> {
        DimDisplay { dim: self, name }
    }
}

impl fmt::Display for DimDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_sum(f, self.dim, self.name)
    }
}

/// Symbols as `s0`, `s1`, …: for debugging and tests.
impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_sum(f, self, &|sym| format!("s{}", sym.0))
    }
}

type Namer<'a> = &'a dyn Fn(Sym) -> String;

fn write_sum(f: &mut fmt::Formatter<'_>, dim: &Dim, name: Namer<'_>) -> fmt::Result {
    let constant = dim.constant_term();
    if dim.terms().is_empty() {
        return write!(f, "{constant}");
    }
    if let Some((numerator, divisor, rest)) = as_modulo(dim) {
        write_operand(f, &numerator, name)?;
        write!(f, " % ")?;
        write_operand(f, &divisor, name)?;
        return match rest.as_const() {
            Some(0) => Ok(()),
            Some(k) if k < 0 => write!(f, " - {}", k.unsigned_abs()),
            _ => {
                write!(f, " + ")?;
                write_sum(f, &rest, name)
            }
        };
    }
    // A positive term goes first where there is one: `m - n`, not `-n + m`.
    let first = dim.terms().iter().position(|(_, c)| *c > 0).unwrap_or(0);
    let ordered = std::iter::once(&dim.terms()[first])
        .chain(dim.terms().iter().enumerate().filter(|(index, _)| *index != first).map(|(_, term)| term));
    for (index, (monomial, coefficient)) in ordered.enumerate() {
        match (index, *coefficient < 0) {
            (0, false) => {}
            (0, true) => write!(f, "-")?,
            (_, false) => write!(f, " + ")?,
            (_, true) => write!(f, " - ")?,
        }
        let size = coefficient.unsigned_abs();
        if size != 1 {
            write!(f, "{size}*")?;
        }
        write_product(f, monomial, size == 1 && !(index == 0 && *coefficient < 0), name)?;
    }
    match constant {
        0 => Ok(()),
        k if k < 0 => write!(f, " - {}", k.unsigned_abs()),
        k => write!(f, " + {k}"),
    }
}

/// `n - d*(n//d) + rest`, which is how `n % d + rest` is represented.
fn as_modulo(dim: &Dim) -> Option<(Dim, Dim, Dim)> {
    dim.terms().iter().find_map(|(monomial, coefficient)| {
        let (atom, _) = monomial.factors().iter().find(|(atom, _)| matches!(atom, Atom::Floor(_)))?;
        let Atom::Floor(parts) = atom else {
            return None;
        };
        let (numerator, divisor) = (&parts.0, &parts.1);
        if *coefficient >= 0 {
            return None;
        }
        let whole = divisor.times(&Dim::atom(atom.clone()))?;
        let rest = dim.plus(&whole)?.minus(numerator)?;
        (rest.terms().len() + 2 <= dim.terms().len() + usize::from(numerator.terms().len() < 2))
            .then(|| (numerator.clone(), divisor.clone(), rest))
            .filter(|(_, _, rest)| !rest.terms().iter().any(|(m, _)| m == monomial))
    })
}

fn write_product(f: &mut fmt::Formatter<'_>, monomial: &Monomial, unscaled: bool, name: Namer<'_>) -> fmt::Result {
    for (index, (atom, exponent)) in monomial.factors().iter().enumerate() {
        if index > 0 {
            write!(f, "*")?;
        }
        let alone = unscaled && monomial.factors().len() == 1 && *exponent == 1;
        write_atom(f, atom, alone, name)?;
        if *exponent > 1 {
            write!(f, "**{exponent}")?;
        }
    }
    Ok(())
}

fn write_atom(f: &mut fmt::Formatter<'_>, atom: &Atom, alone: bool, name: Namer<'_>) -> fmt::Result {
    match atom {
        Atom::Sym(sym) => write!(f, "{}", name(*sym)),
        Atom::Floor(parts) => {
            // `a*(n//2)` needs the parentheses: `a*n//2` is another number.
            if !alone {
                write!(f, "(")?;
            }
            write_operand(f, &parts.0, name)?;
            write!(f, "//")?;
            write_operand(f, &parts.1, name)?;
            if !alone {
                write!(f, ")")?;
            }
            Ok(())
        }
        Atom::Min(choices) => write_call(f, "min", choices, name),
        Atom::Max(choices) => write_call(f, "max", choices, name),
    }
}

fn write_call(f: &mut fmt::Formatter<'_>, function: &str, choices: &[Dim], name: Namer<'_>) -> fmt::Result {
    write!(f, "{function}(")?;
    for (index, choice) in choices.iter().enumerate() {
        if index > 0 {
            write!(f, ", ")?;
        }
        write_sum(f, choice, name)?;
    }
    write!(f, ")")
}

fn write_operand(f: &mut fmt::Formatter<'_>, dim: &Dim, name: Namer<'_>) -> fmt::Result {
    let simple = match dim.as_const() {
        Some(value) => value >= 0,
        None => matches!(dim.as_atom(), Some(Atom::Sym(_) | Atom::Min(_) | Atom::Max(_))),
    };
    if simple {
        write_sum(f, dim, name)
    } else {
        write!(f, "(")?;
        write_sum(f, dim, name)?;
        write!(f, ")")
    }
}
