//! Functions that calls of a choreography hand on: `sorted(xs, key=rank)`, `apply(double, x)`.

use pytrope_source::tree::{ExprId, ExprKind};

use super::Checker;
use super::effect::{CallEffect, root_of};
use crate::effects::{self, Callee, HandedValue};
use crate::located::Traits;

impl Checker<'_> {
    /// A function that is passed on is called: what it depends on, the call depends on.
    pub(super) fn pass_functions(
        &self,
        effect: &mut CallEffect,
        given: &[ExprId],
        local: &dyn Fn(&str) -> bool,
        traits: &dyn Fn(ExprId) -> Traits,
    ) {
        let tree = &self.unit.tree;
        for &argument in given {
            match tree[argument].kind {
                ExprKind::Lambda { .. } => {
                    for inner in self.unit.exprs_within(tree[argument].range) {
                        if let ExprKind::Call { function, arguments } = tree[inner].kind {
                            let found = self.call_effect(inner, function, arguments, local, traits);
                            effect.varies = effect.varies.take().or(found.varies);
                            if !found.changed.is_empty() {
                                // It may be a parameter of the lambda, which is called with what is handed on besides.
                                effect.changed.extend(given.iter().filter(|&&other| other != argument));
                            }
                        }
                    }
                }
                // `xs.append` is called with what is handed on besides.
                ExprKind::Attribute { value, attribute, .. } if root_of(tree, argument).is_none_or(local) => {
                    let name = tree.text(attribute.name);
                    let methods = self.effects.methods_named(name).iter();
                    for summary in methods.filter_map(|&key| self.effects.of_function(key)) {
                        effect.varies = effect.varies.take().or_else(|| summary.varies.clone());
                        if summary.calls != effects::ParameterSet::NONE {
                            effect.add_variation(self, tree[argument].range, "calls what it is given out of sight");
                        }
                    }
                    if self.effects.is_changing_name(name) {
                        effect.changed.push(value);
                    }
                }
                ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                    match self.effects.resolve_callee(self.world, &self.unit, argument) {
                        Callee::Function(key) => {
                            let Some(summary) = self.effects.of_function(key) else { continue };
                            effect.varies = effect.varies.take().or_else(|| summary.varies.clone());
                            if summary.calls != effects::ParameterSet::NONE {
                                effect.add_variation(self, tree[argument].range, "calls what it is given out of sight");
                            }
                            if summary.changes != effects::ParameterSet::NONE {
                                effect.changed.extend(given.iter().filter(|&&other| other != argument));
                            }
                        }
                        Callee::Builtin(name) if !effects::is_same_builtin(&name) => {
                            effect.add_variation(self, tree[argument].range, format!("uses {name}"));
                        }
                        Callee::Library(path) if !effects::gives_same(&path) && !self.names_type(argument) => {
                            effect.add_variation(self, tree[argument].range, format!("uses {path}"));
                        }
                        // `list.pop`, a method of a class by the name of the class.
                        Callee::Unknown => {
                            let ExprKind::Attribute { value, attribute, .. } = tree[argument].kind else { continue };
                            let name = tree.text(attribute.name);
                            let of_builtin = matches!(
                                self.effects.resolve_callee(self.world, &self.unit, value),
                                Callee::Builtin(_)
                            );
                            if of_builtin && !effects::is_reading_method(name) {
                                effect.add_variation(
                                    self,
                                    tree[argument].range,
                                    format!("uses {}", self.unit.expr_text(argument)),
                                );
                                effect.changed.extend(given.iter().filter(|&&other| other != argument));
                            }
                        }
                        Callee::Class(class) if !self.names_type(argument) => {
                            let made = self.effects.summarize_handed_class(self.world, class);
                            effect.varies = effect.varies.take().or(made.varies);
                        }
                        Callee::Builtin(_) | Callee::Class(_) | Callee::Enum | Callee::Library(_) => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// What functions and methods that are given to a call do when they are called there, with what else is given.
    pub(super) fn add_handed(
        &self,
        effect: &mut CallEffect,
        handed: &[ExprId],
        given: &[ExprId],
        local: &dyn Fn(&str) -> bool,
        traits: &dyn Fn(ExprId) -> Traits,
    ) {
        let rest: Vec<ExprId> = given.iter().copied().filter(|given| !handed.contains(given)).collect();
        for &value in handed {
            match self.effects.classify_handed(self.world, &self.unit, value, local) {
                // What it has captured, and the object of a method, may change.
                HandedValue::Known if self.unit.tree[value].kind.is_literal() => {}
                HandedValue::Known => effect.changed.push(value),
                HandedValue::Parts(parts) => {
                    self.pass_functions(effect, &parts, local, traits);
                    self.add_handed(effect, &parts, &rest, local, traits);
                }
                HandedValue::Local => match self.local_function_effect(value, &rest, local, traits) {
                    Some(found) => effect.varies = effect.varies.take().or(found.varies),
                    None => self.call_unknown(effect, value, &rest),
                },
                HandedValue::Unknown => self.call_unknown(effect, value, &rest),
            }
        }
    }

    /// What is not known is called with what is given: it may change all of that and what it has captured.
    fn call_unknown(&self, effect: &mut CallEffect, function: ExprId, given: &[ExprId]) {
        let text = self.unit.expr_text(function);
        effect.add_variation(self, self.expr_range(function), format!("calls {text}, which is not known"));
        effect.changed.extend(given);
        effect.changed.push(function);
    }
}
