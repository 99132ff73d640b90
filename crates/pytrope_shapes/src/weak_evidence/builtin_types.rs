//! Claims about values of builtin types in programs that change these types.
//!
//! A library that writes into the dictionary behind `object.__dict__`, or into the slots of a type by `ctypes`, gives strings operators
//! and functions items. Attributes of such values are not judged where they are read; here are the operators.

use pytrope_diagnostics::Finding;

use super::{PLAIN_TYPES, is_claim};

/// Whether a finding says that a builtin type, or a value of one, has no such operator or attribute.
pub(super) fn is_of_builtin_type(finding: &Finding) -> bool {
    let mut quoted = finding.message.split('\'').skip(1).step_by(2);
    let is_builtin = |name: &str| {
        name != "NoneType" && PLAIN_TYPES.contains(&name) || matches!(name, "function" | "object" | "tuple" | "type")
    };
    is_claim(finding)
        && match finding.rule.id {
            "bad-operand" | "not-callable" | "not-iterable" => quoted.any(is_builtin),
            "missing-attribute" => finding.message.starts_with("type object") && quoted.next().is_some_and(is_builtin),
            _ => false,
        }
}
