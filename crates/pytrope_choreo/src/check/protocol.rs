//! Protocols: a class that has the methods of a protocol serves where one is asked for, without being derived from it.
//!
//! A caller of a protocol's method does not know which class answers. So the method concerns every role that some class which is
//! used for the protocol involves, and each of these classes has the method at all of them.

use pytrope_source::tree::ExprId;

use super::Checker;
use crate::declaration::{ClassId, World};
use crate::facts::{Implementation, LocationFacts};
use crate::report::{ChoreoRule, Extend};
use crate::role::{RoleId, RoleSet};

impl Checker<'_> {
    /// Whether an instance of a class, over some roles, serves as a protocol; reports why not.
    pub(super) fn check_implements(
        &mut self,
        expr: ExprId,
        (class, roles): (ClassId, &[RoleId]),
        (protocol, places): (ClassId, &[RoleId]),
    ) -> bool {
        let world = self.world;
        let (found, wanted) = (world.class(class), world.class(protocol));
        let mut mapping = Vec::new();
        for &place in places {
            let Some(position) = roles.iter().position(|&role| role == place) else {
                let message = format!("{} takes no part in this {}", self.role_name(place), found.name);
                self.report_error(ChoreoRule::RoleMismatch, self.expr_range(expr), message);
                return false;
            };
            mapping.push(RoleId(position as u8));
        }
        match self.protocol_misfit(class, protocol, &mapping) {
            None => {
                let implementation = Implementation { class, protocol, roles: mapping };
                if !self.facts.implementations.contains(&implementation) {
                    self.facts.implementations.push(implementation);
                }
                true
            }
            Some(misfit) => {
                let message = format!("{} does not satisfy {}: {}", found.name, wanted.name, misfit.message);
                let span = world.unit(wanted.unit).span(misfit.range);
                self.report_error(ChoreoRule::BadOverride, self.expr_range(expr), message)
                    .annotate_span(span, "required here");
                false
            }
        }
    }

    /// What a class lacks of a protocol.
    fn protocol_misfit(&self, class: ClassId, protocol: ClassId, mapping: &[RoleId]) -> Option<Misfit> {
        let world = self.world;
        let names = &world.class(class).roles;
        for (base, formal) in world.lineage(protocol) {
            let base_roles: Vec<RoleId> = formal.iter().map(|role| mapping[role.index()]).collect();
            for wanted in world.class(base).methods.values() {
                let name = &wanted.name;
                let range = wanted.function.name.range;
                let misfit = |message: String| Some(Misfit { message, range });
                let Some((owner, own_roles, found)) = world.find_method(class, name) else {
                    return misfit(format!("it has no method {name}"));
                };
                let alike = found.parameters.len() == wanted.parameters.len()
                    && found.plain == wanted.plain
                    && found.kind == wanted.kind
                    && found.parameters.iter().zip(&wanted.parameters).all(|(found, wanted)| {
                        let required = wanted.located.substitute_roles(&base_roles);
                        found.name == wanted.name && found.located.substitute_roles(&own_roles).has_places_of(&required)
                    });
                if !alike {
                    return misfit(format!("its {name} takes other parameters, or at other roles"));
                }
                let (Some(found), Some(wanted)) =
                    (self.facts.method_facts(owner, name), self.facts.method_facts(base, name))
                else {
                    continue;
                };
                let required = wanted.returns.substitute_roles(&base_roles);
                if !found.returns.substitute_roles(&own_roles).has_places_of(&required) {
                    let required = required.describe_location(names, world);
                    return misfit(format!("the result of its {name} is not {required}"));
                }
                let known: RoleSet = mapping.iter().copied().collect();
                let others = found.involved.substitute_roles(&own_roles).without(known);
                if !others.is_empty() {
                    let others = others.describe_roles(names);
                    return misfit(format!("{others} takes part in its {name}, but is not a role of the protocol"));
                }
            }
            for (name, attribute) in &world.class(base).attributes {
                let required = attribute.located.substitute_roles(&base_roles);
                let found = self.facts.field_of_instance(world, class, name);
                if !found.is_some_and(|(field, own)| field.located.substitute_roles(&own).has_places_of(&required)) {
                    let message = format!("its {name} is not {}", required.describe_location(names, world));
                    return Some(Misfit { message, range: attribute.range });
                }
            }
        }
        None
    }
}

struct Misfit {
    message: String,
    /// What the protocol asks for.
    range: pytrope_source::TextRange,
}

/// Lets protocols do all that their implementations do, and implementations take part wherever the protocol does.
pub(super) fn widen_protocols(world: &World, facts: &mut LocationFacts) {
    for implementation in facts.implementations.clone() {
        let Implementation { class, protocol, roles } = implementation;
        for (base, formal) in world.lineage(protocol) {
            let base_roles: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
            for name in world.class(base).methods.keys() {
                let Some((owner, own_roles, _)) = world.find_method(class, name) else { continue };
                let (Some(found), Some(asked)) = (facts.method_facts(owner, name), facts.method_facts(base, name))
                else {
                    continue;
                };
                let communicates = found.communicates || asked.communicates;
                let may_raise = found.may_raise || asked.may_raise;
                let recovers = found.recovers || asked.recovers;
                let taking_part =
                    found.involved.substitute_roles(&own_roles).union(asked.involved.substitute_roles(&base_roles));
                let formal_roles = |given: &[RoleId]| {
                    (0..given.len() as u8)
                        .map(RoleId)
                        .filter(|role| taking_part.contains(given[role.index()]))
                        .collect()
                };
                let pairs: [(ClassId, RoleSet); 2] =
                    [(owner, formal_roles(&own_roles)), (base, formal_roles(&base_roles))];
                for (class, involved) in pairs {
                    let known = &mut facts.methods[class.0 as usize][name.as_str()];
                    known.communicates |= communicates;
                    known.may_raise |= may_raise;
                    known.others_may_raise |= may_raise;
                    known.recovers |= recovers;
                    known.involved = known.involved.union(involved);
                }
            }
        }
    }
}
