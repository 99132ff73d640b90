//! Sequence diagrams of choreographies: who sends what to whom, with alternatives and loops.

mod mermaid;
mod svg;

use std::rc::Rc;

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, List, StmtId, StmtKind};

use crate::declaration::{ChoreographicClass, ClassId, Method, Unit, World};
use crate::facts::{Action, LocationFacts};
use crate::located::Located;
use crate::role::{RoleId, RoleSet};

/// The diagram of one method.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// `Class.method`.
    pub name: String,
    pub mermaid: String,
    pub svg: String,
}

/// What a diagram shows, in order.
#[derive(Clone, Debug, PartialEq)]
enum DiagramEvent {
    Message {
        from: RoleId,
        to: RoleId,
        text: String,
        label: bool,
    },
    /// Arms with their conditions.
    Alternative(Vec<(String, Vec<DiagramEvent>)>),
    Loop(String, Vec<DiagramEvent>),
    Note {
        roles: RoleSet,
        text: String,
    },
    /// The way out of a loop, or round it.
    Exit(&'static str),
}

/// Whether anything passes between roles; an exit alone is of no interest.
fn is_told(events: &[DiagramEvent]) -> bool {
    events.iter().any(|event| match event {
        DiagramEvent::Message { .. } | DiagramEvent::Note { .. } => true,
        DiagramEvent::Alternative(arms) => arms.iter().any(|(_, inner)| is_told(inner)),
        DiagramEvent::Loop(_, inner) => is_told(inner),
        DiagramEvent::Exit(_) => false,
    })
}

/// Calls are drawn where they are made, up to this depth; recursion is a note.
const DEPTH: usize = 6;

/// The diagrams of all methods of a file that communicate, in source order.
pub(crate) fn draw_diagrams(world: &World, facts: &LocationFacts, unit: crate::declaration::UnitId) -> Vec<Diagram> {
    let mut found = Vec::new();
    for class in world.classes.iter().filter(|class| class.unit == unit) {
        for method in class.methods.values() {
            let communicates = facts.method_facts(class.id, &method.name).is_some_and(|facts| facts.communicates);
            if !communicates {
                continue;
            }
            let mut drawing = Drawing { world, facts, open: Vec::new(), loops: 0 };
            let own: Vec<RoleId> = (0..class.roles.len() as u8).map(RoleId).collect();
            let events = drawing.draw_method(class, method, &own);
            found.push(Diagram {
                name: class.method_title(&method.name),
                mermaid: mermaid::draw_mermaid(&class.roles, &events),
                svg: svg::draw_svg(&class.method_title(&method.name), &class.roles, &events),
            });
        }
    }
    found
}

struct Drawing<'a> {
    world: &'a World,
    facts: &'a LocationFacts,
    open: Vec<(ClassId, String)>,
    /// The loops of the method at hand around the statement at hand.
    loops: usize,
}

impl Drawing<'_> {
    fn draw_method(&mut self, class: &ChoreographicClass, method: &Method, roles: &[RoleId]) -> Vec<DiagramEvent> {
        self.open.push((class.id, method.name.clone()));
        let unit = Rc::clone(self.world.unit(class.unit));
        let loops = std::mem::take(&mut self.loops);
        let events = self.draw_suite(&unit, method.function.body, roles);
        self.loops = loops;
        self.open.pop();
        events
    }

    fn draw_suite(&mut self, unit: &Rc<Unit>, body: List<StmtId>, roles: &[RoleId]) -> Vec<DiagramEvent> {
        let mut events = Vec::new();
        for &stmt in &unit.tree[body] {
            self.draw_stmt(unit, stmt, roles, &mut events);
        }
        events
    }

    fn draw_stmt(&mut self, unit: &Rc<Unit>, stmt: StmtId, roles: &[RoleId], events: &mut Vec<DiagramEvent>) {
        let tree = &unit.tree;
        match tree[stmt].kind {
            StmtKind::If { test, body, clauses } => {
                self.draw_expr(unit, test, roles, events);
                let mut arms = vec![(self.describe_condition(unit, test, roles), self.draw_suite(unit, body, roles))];
                for clause in &tree[clauses] {
                    let mut inner = Vec::new();
                    let condition = match clause.test {
                        Some(test) => {
                            self.draw_expr(unit, test, roles, &mut inner);
                            self.describe_condition(unit, test, roles)
                        }
                        None => "else".to_owned(),
                    };
                    inner.extend(self.draw_suite(unit, clause.body, roles));
                    arms.push((condition, inner));
                }
                if arms.iter().any(|(_, inner)| is_told(inner)) {
                    events.push(DiagramEvent::Alternative(arms));
                }
            }
            StmtKind::Match { subject, cases } => {
                self.draw_expr(unit, subject, roles, events);
                let arms: Vec<(String, Vec<DiagramEvent>)> = tree[cases]
                    .iter()
                    .map(|case| {
                        let head =
                            format!("{} is {}", unit.expr_text(subject), unit.source_text(tree[case.pattern].range));
                        (head, self.draw_suite(unit, case.body, roles))
                    })
                    .collect();
                if arms.iter().any(|(_, inner)| is_told(inner)) {
                    events.push(DiagramEvent::Alternative(arms));
                }
            }
            StmtKind::While { test, body, .. } => {
                let mut inner = Vec::new();
                self.draw_expr(unit, test, roles, &mut inner);
                self.loops += 1;
                inner.extend(self.draw_suite(unit, body, roles));
                self.loops -= 1;
                if is_told(&inner) {
                    events.push(DiagramEvent::Loop(
                        format!("while {}", self.describe_condition(unit, test, roles)),
                        inner,
                    ));
                }
            }
            StmtKind::For { target, iter, body, .. } => {
                self.draw_expr(unit, iter, roles, events);
                self.loops += 1;
                let inner = self.draw_suite(unit, body, roles);
                self.loops -= 1;
                if is_told(&inner) {
                    let head = format!("for {} in {}", unit.expr_text(target), unit.expr_text(iter));
                    events.push(DiagramEvent::Loop(head, inner));
                }
            }
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {}
            StmtKind::Break => events.push(DiagramEvent::Exit("leave the loop")),
            StmtKind::Continue => events.push(DiagramEvent::Exit("next round")),
            StmtKind::Return { value } => {
                if let Some(value) = value {
                    self.draw_expr(unit, value, roles, events);
                }
                if self.loops > 0 {
                    events.push(DiagramEvent::Exit("return"));
                }
            }
            _ => {
                for child in tree.children(Node::Stmt(stmt)) {
                    match child {
                        Node::Expr(expr) => self.draw_expr(unit, expr, roles, events),
                        Node::Stmt(stmt) => self.draw_stmt(unit, stmt, roles, events),
                    }
                }
            }
        }
    }

    /// A condition and who decides it.
    fn describe_condition(&self, unit: &Unit, test: ExprId, roles: &[RoleId]) -> String {
        let text = shorten_label(unit.expr_text(test));
        let located = self.facts.file_table(unit.id).info_of(test).located.substitute_roles(roles);
        match located {
            Located::At(at) if self.open.len() == 1 => {
                let names = self.open.first().map(|(class, _)| &self.world.class(*class).roles);
                names.map_or(text.clone(), |names| format!("{text} ({})", at.roles.describe_roles(names)))
            }
            _ => text,
        }
    }

    fn draw_expr(&mut self, unit: &Rc<Unit>, expr: ExprId, roles: &[RoleId], events: &mut Vec<DiagramEvent>) {
        let info = self.facts.file_table(unit.id).info_of(expr);
        if !info.communicates {
            return;
        }
        let actual = |role: RoleId| roles.get(role.index()).copied().unwrap_or(role);
        for child in unit.tree.children(Node::Expr(expr)) {
            if let Node::Expr(child) = child {
                self.draw_expr(unit, child, roles, events);
            }
        }
        match self.facts.file_table(unit.id).action_of(expr).cloned() {
            Some(Action::Com { sender, receiver, value, .. }) => {
                let text = sent_text(unit, self.facts, value);
                events.push(DiagramEvent::Message { from: actual(sender), to: actual(receiver), text, label: false });
            }
            Some(Action::Select { sender, receiver, label, .. }) => {
                events.push(DiagramEvent::Message {
                    from: actual(sender),
                    to: actual(receiver),
                    text: label.source_text(),
                    label: true,
                });
            }
            Some(Action::Invoke { class, method, roles: given, .. }) => {
                self.draw_call(class, &method, &given, roles, events);
            }
            Some(Action::Construct { class, roles: given, .. }) => {
                if let Some((owner, formal, _)) = self.world.find_method(class, "__init__") {
                    let given: Vec<RoleId> = formal.iter().map(|role| given[role.index()]).collect();
                    self.draw_call(owner, "__init__", &given, roles, events);
                }
            }
            Some(Action::Apply { function, roles: taking_part, .. }) => {
                let text = format!("{}(…)", shorten_label(unit.expr_text(function)));
                events.push(DiagramEvent::Note { roles: taking_part.substitute_roles(roles), text });
            }
            Some(Action::Locate { .. } | Action::NameClass { .. } | Action::Recover) | None => {}
        }
    }

    fn draw_call(
        &mut self,
        class: ClassId,
        method: &str,
        given: &[RoleId],
        roles: &[RoleId],
        events: &mut Vec<DiagramEvent>,
    ) {
        let Some(facts) = self.facts.method_facts(class, method) else { return };
        if !facts.communicates {
            return;
        }
        let actual: Vec<RoleId> = given.iter().map(|role| roles.get(role.index()).copied().unwrap_or(*role)).collect();
        let declared = self.world.class(class);
        let again = self.open.iter().any(|(open, name)| *open == class && name == method);
        if again || self.open.len() >= DEPTH {
            let text = declared.method_title(method);
            events.push(DiagramEvent::Note { roles: facts.involved.substitute_roles(&actual), text });
            return;
        }
        let inner = self.draw_method(declared, &declared.methods[method], &actual);
        events.extend(inner);
    }
}

/// What is sent, as written; parts that were received just before are only hinted at.
fn sent_text(unit: &Unit, facts: &LocationFacts, value: ExprId) -> String {
    let table = facts.file_table(unit.id);
    if let Some(Action::Com { value, .. }) = table.action_of(value) {
        // Forwarded as it came.
        return sent_text(unit, facts, *value);
    }
    let text = unit.expr_text(value);
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let range = unit.tree[value].range;
    for inner in unit.exprs_within(range) {
        if inner != value
            && matches!(table.action_of(inner), Some(Action::Com { .. }))
            && matches!(unit.tree[inner].kind, ExprKind::Call { .. })
        {
            let found = unit.tree[inner].range;
            let cut = ((found.start - range.start) as usize, (found.end - range.start) as usize);
            if !cuts.iter().any(|&(start, end)| start <= cut.0 && cut.1 <= end) {
                cuts.push(cut);
            }
        }
    }
    let mut shown = String::new();
    let mut at = 0;
    for (start, end) in cuts {
        shown.push_str(&text[at..start]);
        shown.push('…');
        at = end;
    }
    shown.push_str(&text[at..]);
    let place = shown.rfind(" @ ").filter(|&at| shown[at..].ends_with(')') || shown[at..].ends_with(']'));
    shorten_label(place.map_or(shown.as_str(), |at| &shown[..at]))
}

/// One line, not too long.
fn shorten_label(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 48 {
        return line;
    }
    let cut: String = line.chars().take(47).collect();
    format!("{cut}…")
}
