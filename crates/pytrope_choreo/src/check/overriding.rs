//! Overriding: a method that replaces another must look and act alike at every role.

use crate::declaration::{ChoreographicClass, World};
use crate::facts::LocationFacts;
use crate::report::{ChoreoRule, Extend, Report};
use crate::role::RoleId;

/// A method may do all that its overrides do: a caller does not know which of them it calls.
pub(super) fn widen_overridden_methods(world: &World, class: &ChoreographicClass, facts: &mut LocationFacts) {
    for method in class.methods.values().filter(|method| method.name != "__init__") {
        let Some(own) = facts.method_facts(class.id, &method.name) else { continue };
        let (communicates, may_raise, involved) = (own.communicates, own.may_raise, own.involved);
        let recovers = own.recovers;
        for (base, roles) in world.lineage(class.id).into_iter().skip(1) {
            if let Some(before) = facts.methods[base.0 as usize].get_mut(&method.name) {
                before.communicates |= communicates;
                before.may_raise |= may_raise;
                before.others_may_raise |= may_raise;
                before.recovers |= recovers;
                // A caller of the base's method calls it at every role that some override involves.
                let formal = (0..roles.len() as u8).map(RoleId);
                let taking_part = formal.filter(|role| involved.contains(roles[role.index()])).collect();
                before.involved = before.involved.union(taking_part);
            }
        }
    }
}

/// Checks each method of a class against the one it overrides.
pub(super) fn check_overrides(world: &World, class: &ChoreographicClass, facts: &LocationFacts, report: &mut Report) {
    let unit = world.unit(class.unit);
    for method in class.methods.values() {
        if method.name == "__init__" {
            continue;
        }
        let overridden = world
            .lineage(class.id)
            .into_iter()
            .skip(1)
            .find_map(|(base, roles)| Some((base, roles, world.class(base).methods.get(&method.name)?)));
        let Some((base, roles, before)) = overridden else {
            continue;
        };
        let base_class = world.class(base);
        let base_unit = world.unit(base_class.unit);
        let range = method.function.name.range;
        let span = base_unit.span(before.function.name.range);
        let shown = format!("{}.{}", base_class.name, method.name);
        let differs = method.parameters.len() != before.parameters.len()
            || method.parameters.iter().zip(&before.parameters).any(|(now, before)| {
                now.located.roles() != before.located.substitute_roles(&roles).roles() || now.name != before.name
            });
        if differs {
            report
                .add_error(
                    ChoreoRule::BadOverride,
                    unit,
                    range,
                    format!("{} takes other parameters, or at other roles, than {shown}", method.name),
                )
                .annotate_span(span, "overrides this");
            continue;
        }
        let (Some(now), Some(then)) =
            (facts.method_facts(class.id, &method.name), facts.method_facts(base, &method.name))
        else {
            continue;
        };
        if now.returns.roles() != then.returns.substitute_roles(&roles).roles() {
            let found = now.returns.describe_location(&class.roles, world);
            let required = then.returns.substitute_roles(&roles).describe_location(&class.roles, world);
            report
                .add_error(
                    ChoreoRule::BadOverride,
                    unit,
                    range,
                    format!("{shown} returns {required}; this returns {found}"),
                )
                .annotate_span(span, "overrides this");
            continue;
        }
        let allowed = then.involved.substitute_roles(&roles);
        if !before.plain && !now.involved.is_subset(allowed) {
            let extra = now.involved.without(allowed).describe_roles(&class.roles);
            report
                .add_error(ChoreoRule::BadOverride, unit, range, format!("{extra} would take part in this, but not in {shown}: a caller of {shown} does not call it there"))
                .annotate_span(span, "overrides this");
        } else if before.plain != method.plain {
            report
                .add_error(
                    ChoreoRule::BadOverride,
                    unit,
                    range,
                    format!("{shown} is plain code and this is not, or the other way round"),
                )
                .annotate_span(span, "overrides this");
        }
    }
}
