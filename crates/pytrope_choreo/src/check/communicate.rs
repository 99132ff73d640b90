//! `com` and `select`: who sends, who receives, and what may be sent.

use std::rc::Rc;

use pytrope_source::tree::{Arguments, BinaryOperator, ExprId, ExprKind};

use super::{Checker, LocatedValue};
use crate::declaration::Meaning;
use crate::facts::{Action, CensusOperation, Label};
use crate::located::{Channel, ChannelShape, Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::{RoleId, RoleSet};

impl Checker<'_> {
    /// `channel.com(value)` or `channel.select(label)`.
    pub(super) fn on_channel(
        &mut self,
        expr: ExprId,
        channel_expr: ExprId,
        channel: Channel,
        name: &str,
        arguments: Arguments,
    ) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let range = self.expr_range(expr);
        if !is_channel_path(&unit.tree, channel_expr) {
            self.report_error(
                ChoreoRule::BadChannel,
                self.expr_range(channel_expr),
                "a channel is used through its name or field, so that both ends agree on which one it is",
            )
            .add_help("keep it in a field first: `self.channel = …`, then `self.channel.com(…)`");
            return LocatedValue::of_unknown();
        }
        let &[argument] = &unit.tree[arguments.positional] else {
            self.report_error(
                ChoreoRule::BadCall,
                range,
                format!("{name} takes one value, found {}", arguments.positional.len() + arguments.keywords.len()),
            );
            return LocatedValue::of_unknown();
        };
        if !arguments.keywords.is_empty() || matches!(unit.tree[argument].kind, ExprKind::Starred { .. }) {
            self.report_error(ChoreoRule::BadCall, range, format!("{name} takes one value and no keywords"));
            return LocatedValue::of_unknown();
        }
        if let Some(barrier) = self.barrier {
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                range,
                format!("no message may pass inside {barrier}"),
            )
            .add_help("communicate before it, and use the received value in it");
        }
        if channel.shape != ChannelShape::Pair {
            return self.on_family_channel(expr, channel_expr, channel, name, argument);
        }
        match name {
            "com" => self.check_com(expr, channel_expr, channel, argument),
            "select" => self.check_selection(expr, channel_expr, channel, argument),
            _ => {
                let help = match name {
                    "send" | "recv" => "a choreography writes both sides at once: receiver = channel.com(value)",
                    _ => "a channel has com and select",
                };
                self.report_error(ChoreoRule::BadChannel, range, format!("a channel has no method {name}"))
                    .add_help(help);
                LocatedValue::of_unknown()
            }
        }
    }

    fn check_com(&mut self, expr: ExprId, channel_expr: ExprId, channel: Channel, argument: ExprId) -> LocatedValue {
        let value = self.check_expr(argument);
        let range = self.expr_range(argument);
        let Some(plain) = value.located.as_plain() else {
            if value.located != Located::Unknown {
                let found = self.describe_location(&value.located);
                self.report_error(
                    ChoreoRule::BadChannel,
                    range,
                    format!("only a value at one role can be sent, found {found}"),
                );
            }
            return LocatedValue::of_unknown();
        };
        let Some(sender) = self.sending_end(range, channel, &plain, "this value") else {
            return LocatedValue::of_unknown();
        };
        let receiver = channel.other_end(sender);
        let action =
            Action::Com { channel: channel_expr, sender, receiver, value: argument, pattern: CensusOperation::Point };
        self.facts.table_mut(self.unit.id).actions.insert(expr, action);
        // A copy arrives: the receiver's own, whatever the sender's is part of.
        LocatedValue::newly_created(Located::at(RoleSet::of_role(receiver), Traits { ordered: true, ..plain.traits() }))
    }

    /// The end that sends a value: the one where it lives.
    fn sending_end(
        &mut self,
        range: pytrope_source::TextRange,
        channel: Channel,
        value: &Located,
        what: &str,
    ) -> Option<RoleId> {
        let (from, to) = (self.role_name(channel.from).to_owned(), self.role_name(channel.to).to_owned());
        let (from_place, to_place) = (self.place_marker(channel.from), self.place_marker(channel.to));
        match value {
            Located::Free(_) if channel.directed => Some(channel.from),
            Located::Free(_) => {
                let text = range.of(self.unit.file.text());
                let text = if text.len() > 20 || text.contains(' ') { "(…)".to_owned() } else { text.to_owned() };
                self.report_error(
                    ChoreoRule::NoRole,
                    range,
                    format!("{what} has no role: {from} or {to} could send it"),
                )
                .add_help(format!("write `{text} @ {from_place}` or `{text} @ {to_place}`"));
                None
            }
            Located::At(at) => {
                let ends = at.roles.intersection(channel.ends());
                if channel.directed && !ends.contains(channel.from) {
                    let found = at.roles.describe_roles(&self.class.roles);
                    self.report_error(
                        ChoreoRule::BadChannel,
                        range,
                        format!("this channel goes from {from} to {to}; {what} is at {found}"),
                    )
                    .add_help(format!(
                        "a Channel[…, {from}, {to}] goes both ways; a DiChannel[…, {to}, {from}] goes back"
                    ));
                    return None;
                }
                if channel.directed {
                    return Some(channel.from);
                }
                match ends.len() {
                    0 => {
                        let found = at.roles.describe_roles(&self.class.roles);
                        self.report_error(
                            ChoreoRule::BadChannel,
                            range,
                            format!("this channel joins {from} and {to}; {what} is at {found}"),
                        );
                        None
                    }
                    1 => ends.iter().next(),
                    _ => {
                        self.report_error(
                            ChoreoRule::BadChannel,
                            range,
                            format!("{what} is at both ends of the channel already"),
                        )
                        .add_help(format!("name the sender: `value @ {from_place}` or `value @ {to_place}`"));
                        None
                    }
                }
            }
            _ => None,
        }
    }

    /// How one writes that something is at a role: a type parameter is no value.
    pub(super) fn place_marker(&self, role: RoleId) -> String {
        let name = self.role_name(role);
        if self.class.role_positions.is_some() { format!("On[{name}]") } else { format!("{name}()") }
    }

    pub(super) fn check_selection(
        &mut self,
        expr: ExprId,
        channel_expr: ExprId,
        channel: Channel,
        argument: ExprId,
    ) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let value = self.check_expr(argument);
        let mut label_expr = argument;
        while let ExprKind::BinOp { left, op: BinaryOperator::MatMult, right } = unit.tree[label_expr].kind {
            if self.marker_roles(right).is_none() {
                break;
            }
            label_expr = left;
        }
        let range = self.expr_range(argument);
        if let Some((class, member, members)) = self.unknown_label(label_expr) {
            self.report_error(ChoreoRule::BadLabel, range, format!("{class} has no member {member}"))
                .add_help(format!("its members are {members}"));
            return LocatedValue::of_unknown();
        }
        if let Some((alias, first)) = self.aliased_label(label_expr) {
            self.report_error(
                ChoreoRule::BadLabel,
                range,
                format!("{alias} and {first} have the same value, so they are one member and one label"),
            )
            .add_help("give each member a value of its own, such as auto()");
            return LocatedValue::of_unknown();
        }
        let Some(label) = self.read_label(label_expr) else {
            self.report_error(
                ChoreoRule::BadLabel,
                range,
                format!("select takes a literal label, found `{}`", unit.expr_text(label_expr)),
            )
            .add_help("write a member of an Enum of this choreography: `Answer.OK @ A()`; a value is sent with com");
            return LocatedValue::of_unknown();
        };
        let Some(plain) = value.located.as_plain() else {
            return LocatedValue::of_unknown();
        };
        let Some(sender) = self.sending_end(range, channel, &plain, "this label") else {
            return LocatedValue::of_unknown();
        };
        if self.unused != Some(expr) {
            self.report_error(
                ChoreoRule::BadLabel,
                self.expr_range(expr),
                "select is a statement of its own: the label decides how the receiver goes on",
            );
        }
        let action = Action::Select { channel: channel_expr, sender, receiver: channel.other_end(sender), label };
        self.facts.table_mut(self.unit.id).actions.insert(expr, action);
        LocatedValue::newly_created(Located::Nothing)
    }

    /// A member that an enum has not: the enum, what was written, and what there is.
    fn unknown_label(&self, expr: ExprId) -> Option<(String, String, String)> {
        let unit = &self.unit;
        let ExprKind::Attribute { value, attribute, .. } = unit.tree[expr].kind else {
            return None;
        };
        let class = unit.dotted_path(value)?;
        let members = &unit.enums.get(&class)?.members;
        let member = unit.tree.text(attribute.name).to_owned();
        (!members.is_empty() && !members.contains(&member)).then(|| (class, member, members.join(", ")))
    }

    /// A member that is another's second name.
    fn aliased_label(&self, expr: ExprId) -> Option<(String, String)> {
        let unit = &self.unit;
        let ExprKind::Attribute { value, attribute, .. } = unit.tree[expr].kind else {
            return None;
        };
        let member = unit.tree.text(attribute.name);
        let known = unit.enums.get(&unit.dotted_path(value)?)?;
        known.aliases.iter().find(|(alias, first)| alias == member || first == member).cloned()
    }

    /// `Answer.OK`, where `Answer` is an enum and has the member.
    fn read_label(&mut self, expr: ExprId) -> Option<Label> {
        let unit = Rc::clone(&self.unit);
        let ExprKind::Attribute { value, attribute, .. } = unit.tree[expr].kind else {
            return None;
        };
        let class = unit.dotted_path(value)?;
        let first = class.split('.').next().unwrap_or_default();
        if self.locals.contains_key(first) || unit.meanings.get(&class) != Some(&Meaning::Enum) {
            return None;
        }
        let member = unit.tree.text(attribute.name);
        let members = &unit.enums.get(&class)?.members;
        if !members.iter().any(|known| known == member) {
            return None;
        }
        Some(Label { class, member: member.to_owned() })
    }
}

/// `ch`, `self.ch`, `self.links[0]`: the same channel whenever it is evaluated.
fn is_channel_path(tree: &pytrope_source::Tree, expr: ExprId) -> bool {
    match tree[expr].kind {
        ExprKind::Subscript { value, index, .. } => {
            matches!(tree[index].kind, ExprKind::Int(_)) && is_channel_path(tree, value)
        }
        _ => tree.dotted(expr).is_some(),
    }
}
