//! What the values of module variables lead to besides: `table = {"a": log}` holds the list of `log`, which a change through
//! `table` changes too.
//!
//! Invariant: what a variable holds only grows while the summaries are computed, and holds what its parts hold.

use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use super::body::{EffectCollector, Share};
use super::{Effects, ParameterSet};
use crate::declaration::World;

impl Effects {
    /// The variable of a number with all that its value may lead to.
    pub(super) fn with_held(&self, number: usize) -> ParameterSet {
        let own = ParameterSet::of_variable(number);
        self.held.borrow().get(&number).map_or(own, |held| own.union(*held))
    }

    /// How much has been learned of what variables hold, and of which are changed.
    pub(super) fn count_learned(&self) -> u32 {
        let held: u32 = self.held.borrow().values().map(|held| held.0.count_ones()).sum();
        let unordered = (self.unordered_attributes.borrow().len() + self.unshown_attributes.borrow().len()) as u32;
        held + self.changed.get().0.count_ones() + unordered
    }

    /// The value of every variable of a set may lead to some state from now on.
    fn hold_state(&self, holders: ParameterSet, state: ParameterSet) {
        let count = self.variables.borrow().len();
        let mut all = state.outside_part();
        for number in (0..count).filter(|&number| state.has_variable(number)) {
            all = all.union(self.with_held(number));
        }
        let mut held = self.held.borrow_mut();
        for number in (0..count).filter(|&number| holders.has_variable(number)) {
            let known = held.entry(number).or_default();
            *known = known.union(all);
        }
    }

    /// What the statements of modules put into variables: `table = {"a": log}`, `table["b"] = log`, `table.append(log)`.
    pub(super) fn learn_module_holdings(&self, world: &World) {
        for unit in &world.units {
            let tree = &unit.tree;
            let collector = EffectCollector::new(world, self, unit);
            for &stmt in &tree[tree.body()] {
                match tree[stmt].kind {
                    StmtKind::Assign { targets, value } => {
                        for &target in &tree[targets] {
                            collector.hold_value(target, collector.shared_state(value));
                            collector.hold_together(target);
                        }
                    }
                    StmtKind::AnnAssign { target, value: Some(value), .. }
                    | StmtKind::AugAssign { target, value, .. } => {
                        collector.hold_value(target, collector.shared_state(value));
                    }
                    StmtKind::Expr { value } => {
                        if let ExprKind::Call { function, arguments } = tree[value].kind
                            && let ExprKind::Attribute { value: receiver, .. } = tree[function].kind
                        {
                            collector.hold_value(receiver, collector.arguments_share(arguments));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

impl EffectCollector<'_> {
    /// `put, size = make([])`: what one value is unpacked into may share state.
    fn hold_together(&self, target: ExprId) {
        let tree = &self.unit.tree;
        let (ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. }) = tree[target].kind else { return };
        let states = tree[elements].iter().map(|&element| self.root_state(element));
        let all = Share::of_parts(states.fold(ParameterSet::NONE, ParameterSet::union));
        tree[elements].iter().for_each(|&element| self.hold_value(element, all));
    }

    /// The variable that a target or a receiver begins with holds a value from now on.
    pub(super) fn hold_value(&self, holder: ExprId, value: Share) {
        let state = value.whole.union(value.items).outside_part();
        if state == ParameterSet::NONE {
            return;
        }
        self.effects.hold_state(self.root_state(holder), state);
    }
}
