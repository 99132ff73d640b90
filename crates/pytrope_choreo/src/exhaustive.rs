//! Whether a `match` statement has a case for every value that its subject can have.

use pytrope_source::tree::{Case, ExprId, ExprKind, List, PatternId, PatternKind};
use rustc_hash::FxHashSet;

use crate::declaration::{Surface, Unit};
use crate::surface;

/// What follows where no case fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoCase {
    /// The last case takes everything.
    Impossible,
    /// The cases name all values of the declared type, an enum or `bool`.
    Undeclared,
    /// The statement does nothing.
    Nothing,
}

/// What happens to a subject that no case takes.
pub(crate) fn find_no_case(unit: &Unit, subject: ExprId, cases: List<Case>) -> NoCase {
    let tree = &unit.tree;
    let takes_all =
        |case: &Case| case.guard.is_none() && matches!(tree[case.pattern].kind, PatternKind::As { pattern: None, .. });
    if tree[cases].last().is_some_and(takes_all) {
        return NoCase::Impossible;
    }
    let mut taken = FxHashSet::default();
    for case in tree[cases].iter().filter(|case| case.guard.is_none()) {
        collect_values(unit, case.pattern, &mut taken);
    }
    match declared_values(unit, subject) {
        Some(values) if values.iter().all(|value| taken.contains(value)) => NoCase::Undeclared,
        _ => NoCase::Nothing,
    }
}

/// The values that a pattern takes whole: members of enums as written, `True` and `False`.
fn collect_values(unit: &Unit, pattern: PatternId, taken: &mut FxHashSet<String>) {
    let tree = &unit.tree;
    match tree[pattern].kind {
        PatternKind::Value(expr) => taken.extend(unit.dotted_path(expr)),
        PatternKind::Singleton(Some(value)) => {
            taken.insert(value.to_string());
        }
        PatternKind::Or(parts) => tree[parts].iter().for_each(|&part| collect_values(unit, part, taken)),
        PatternKind::As { pattern: Some(pattern), .. } => collect_values(unit, pattern, taken),
        PatternKind::Singleton(None)
        | PatternKind::As { pattern: None, .. }
        | PatternKind::Sequence(_)
        | PatternKind::Mapping { .. }
        | PatternKind::Class { .. }
        | PatternKind::Star(_) => {}
    }
}

/// All values of the type that a variable is declared with, if that type has few.
fn declared_values(unit: &Unit, subject: ExprId) -> Option<Vec<String>> {
    let tree = &unit.tree;
    let annotations = unit.annotations_of(subject);
    let [annotation] = annotations.as_slice() else { return None };
    let payload = match tree[*annotation].kind {
        ExprKind::Subscript { value, index, .. } if surface::surface_of_expr(unit, value) == Some(Surface::At) => {
            *surface::subscript_elements(unit, index).first()?
        }
        _ => *annotation,
    };
    let name = unit.dotted_path(payload)?;
    if name == "bool" {
        return Some(vec!["true".to_owned(), "false".to_owned()]);
    }
    let found = unit.enums.get(&name).filter(|found| found.closed)?;
    let own = found.members.iter().filter(|member| !found.aliases.iter().any(|(alias, _)| alias == *member));
    Some(own.map(|member| format!("{name}.{member}")).collect())
}
