//! Methods without roles: each role that calls one has its own, and what it keeps from call to call comes to differ.

use crate::declaration::{Method, Unit, World};
use crate::effects::{self, Effects};
use crate::report::{ChoreoRule, Extend, Report};

/// Refuses a method that changes the default of a parameter, which is made once in every process.
///
/// ```python
/// def put(self, n: int, seen: list[int] = []) -> int:
///     seen.append(n)  # A and B each have a list of what they called it with
///     return len(seen)
/// ```
pub(super) fn refuse_kept_state(world: &World, effects: &Effects, unit: &Unit, method: &Method, report: &mut Report) {
    for (name, default) in effects::changed_defaults(world, effects, (unit.id, method.stmt)) {
        report
            .add_error(
                ChoreoRule::UnequalCopies,
                unit,
                default,
                format!(
                    "`{}` changes the default of {name}, and each role that calls it has a default of its own",
                    method.name
                ),
            )
            .add_help("make it in the method: None as the default");
    }
}
