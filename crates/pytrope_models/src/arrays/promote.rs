//! Element types of mixed operations, by NEP 50: `'int'`, `'float'`, `'complex'` are Python's own numbers.

use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::value::Value;

use super::sizes::nothing_known;

/// The kinds of numbers, in the order in which they widen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum DtypeKind {
    Bool,
    Unsigned,
    Signed,
    Float,
    Complex,
}

/// A dtype: its kind and its size in bits; no size for Python's own numbers.
type Dtype = (DtypeKind, Option<u32>);

fn parse(name: &str) -> Option<Dtype> {
    Some(match name {
        "bool" => (DtypeKind::Bool, Some(8)),
        "int" => (DtypeKind::Signed, None),
        "float" => (DtypeKind::Float, None),
        "complex" => (DtypeKind::Complex, None),
        _ => {
            let split = name.find(|c: char| c.is_ascii_digit())?;
            let bits: u32 = name[split..].parse().ok()?;
            let kind = match &name[..split] {
                "int" => DtypeKind::Signed,
                "uint" => DtypeKind::Unsigned,
                "float" => DtypeKind::Float,
                "complex" => DtypeKind::Complex,
                _ => return None,
            };
            (kind, Some(bits))
        }
    })
}

fn name((kind, bits): Dtype) -> String {
    match (kind, bits) {
        (DtypeKind::Bool, _) => "bool".to_owned(),
        (DtypeKind::Unsigned, Some(bits)) => format!("uint{bits}"),
        (DtypeKind::Unsigned | DtypeKind::Signed, None) => "int".to_owned(),
        (DtypeKind::Signed, Some(bits)) => format!("int{bits}"),
        (DtypeKind::Float, Some(bits)) => format!("float{bits}"),
        (DtypeKind::Float, None) => "float".to_owned(),
        (DtypeKind::Complex, Some(bits)) => format!("complex{bits}"),
        (DtypeKind::Complex, None) => "complex".to_owned(),
    }
}

/// The bits of a float that holds every value of a real type well enough for NumPy.
fn float_bits((kind, bits): (DtypeKind, u32)) -> u32 {
    match kind {
        DtypeKind::Bool => 16,
        DtypeKind::Unsigned | DtypeKind::Signed => match bits {
            8 => 16,
            16 => 32,
            _ => 64,
        },
        DtypeKind::Float => bits,
        DtypeKind::Complex => bits / 2,
    }
}

fn both_strong(a: (DtypeKind, u32), b: (DtypeKind, u32)) -> (DtypeKind, u32) {
    let (low, high) = if a.0 <= b.0 { (a, b) } else { (b, a) };
    match (low.0, high.0) {
        (DtypeKind::Bool, _) => high,
        (same, other) if same == other => (same, low.1.max(high.1)),
        (DtypeKind::Unsigned, DtypeKind::Signed) if low.1 < high.1 => high,
        (DtypeKind::Unsigned, DtypeKind::Signed) if low.1 < 64 => (DtypeKind::Signed, low.1 * 2),
        (DtypeKind::Unsigned, DtypeKind::Signed) => (DtypeKind::Float, 64),
        (_, DtypeKind::Float) => (DtypeKind::Float, float_bits(low).max(high.1)),
        (_, DtypeKind::Complex) => (DtypeKind::Complex, (2 * float_bits(low).max(32)).max(high.1)),
        _ => high,
    }
}

/// The type of a mixture; `None` if a name is not a number's.
pub(super) fn common_dtype(names: &[&str]) -> Option<String> {
    let parsed: Vec<Dtype> = names.iter().map(|name| parse(name)).collect::<Option<_>>()?;
    let strong = parsed.iter().filter_map(|(kind, bits)| bits.map(|bits| (*kind, bits))).reduce(both_strong);
    let weak = parsed.iter().filter(|(_, bits)| bits.is_none()).map(|(kind, _)| *kind).max();
    let result = match (strong, weak) {
        (None, None) => return None,
        (Some((kind, bits)), None) => (kind, Some(bits)),
        (None, Some(kind)) => (kind, None),
        (Some((kind, bits)), Some(weak)) => match weak {
            DtypeKind::Complex if kind < DtypeKind::Float => (DtypeKind::Complex, Some(128)),
            DtypeKind::Complex if kind == DtypeKind::Float => (DtypeKind::Complex, Some((2 * bits).max(64))),
            DtypeKind::Float if kind < DtypeKind::Float => (DtypeKind::Float, Some(64)),
            DtypeKind::Signed if kind == DtypeKind::Bool => (DtypeKind::Signed, Some(64)),
            _ => (kind, Some(bits)),
        },
    };
    Some(name(result))
}

/// Python's own numbers as the dtype of an array made of them.
pub(super) fn strong_name(name: &str) -> &str {
    match name {
        "int" => "int64",
        "float" => "float64",
        "complex" => "complex128",
        other => other,
    }
}

/// `promote(*dtypes)`: Unknown if one of them is.
pub(super) fn promote(_: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let names: Option<Vec<&str>> = args.positional.iter().map(Value::as_str).collect();
    let result = names.filter(|_| args.is_exact()).and_then(|names| common_dtype(&names));
    Ok(result.map_or_else(|| nothing_known("a common dtype"), |name| Value::str(&name)))
}

#[cfg(test)]
mod tests {
    use super::common_dtype;

    #[test]
    fn mixtures_are_numpys() {
        for (names, expected) in [
            (&["int8", "uint8"][..], "int16"),
            (&["int64", "uint64"], "float64"),
            (&["float32", "int16"], "float32"),
            (&["float32", "int32"], "float64"),
            (&["complex64", "float64"], "complex128"),
            (&["complex64", "int16"], "complex64"),
            (&["bool", "int"], "int64"),
            (&["float32", "float"], "float32"),
            (&["float16", "complex"], "complex64"),
            (&["int", "float"], "float"),
        ] {
            assert_eq!(common_dtype(names).as_deref(), Some(expected), "{names:?}");
        }
    }
}
