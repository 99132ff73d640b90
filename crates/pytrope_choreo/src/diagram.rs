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
pub(crate) fn diagrams(world: &World, facts: &LocationFacts, unit: crate::declaration::UnitId) -> Vec<Diagram> {
    let mut found = Vec::new();
    for class in world.classes.iter().filter(|class| class.unit == unit) {
        for method in class.methods.values() {
            let communicates = facts.method(class.id, &method.name).is_some_and(|facts| facts.communicates);
            if !communicates {
                continue;
            }
            let mut drawing = Drawing { world, facts, open: Vec::new(), loops: 0 };
            let own: Vec<RoleId> = (0..class.roles.len() as u8).map(RoleId).collect();
            let events = drawing.method(class, method, &own);
            found.push(Diagram {
                name: format!("{}.{}", class.name, method.name),
                mermaid: mermaid::draw(&class.roles, &events),
                svg: svg::draw(&format!("{}.{}", class.name, method.name), &class.roles, &events),
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
    fn method(&mut self, class: &ChoreographicClass, method: &Method, roles: &[RoleId]) -> Vec<DiagramEvent> {
        self.open.push((class.id, method.name.clone()));
        let unit = Rc::clone(self.world.unit(class.unit));
        let loops = std::mem::take(&mut self.loops);
        let events = self.suite(&unit, method.function.body, roles);
        self.loops = loops;
        self.open.pop();
        events
    }

    fn suite(&mut self, unit: &Rc<Unit>, body: List<StmtId>, roles: &[RoleId]) -> Vec<DiagramEvent> {
        let mut events = Vec::new();
        for &stmt in &unit.tree[body] {
            self.stmt(unit, stmt, roles, &mut events);
        }
        events
    }

    fn stmt(&mut self, unit: &Rc<Unit>, stmt: StmtId, roles: &[RoleId], events: &mut Vec<DiagramEvent>) {
        let tree = &unit.tree;
        match tree[stmt].kind {
            StmtKind::If { test, body, clauses } => {
                self.expr(unit, test, roles, events);
                let mut arms = vec![(self.condition(unit, test, roles), self.suite(unit, body, roles))];
                for clause in &tree[clauses] {
                    let mut inner = Vec::new();
                    let condition = match clause.test {
                        Some(test) => {
                            self.expr(unit, test, roles, &mut inner);
                            self.condition(unit, test, roles)
                        }
                        None => "else".to_owned(),
                    };
                    inner.extend(self.suite(unit, clause.body, roles));
                    arms.push((condition, inner));
                }
                if arms.iter().any(|(_, inner)| is_told(inner)) {
                    events.push(DiagramEvent::Alternative(arms));
                }
            }
            StmtKind::Match { subject, cases } => {
                self.expr(unit, subject, roles, events);
                let arms: Vec<(String, Vec<DiagramEvent>)> = tree[cases]
                    .iter()
                    .map(|case| {
                        let head = format!("{} is {}", unit.expr_text(subject), unit.text(tree[case.pattern].range));
                        (head, self.suite(unit, case.body, roles))
                    })
                    .collect();
                if arms.iter().any(|(_, inner)| is_told(inner)) {
                    events.push(DiagramEvent::Alternative(arms));
                }
            }
            StmtKind::While { test, body, .. } => {
                let mut inner = Vec::new();
                self.expr(unit, test, roles, &mut inner);
                self.loops += 1;
                inner.extend(self.suite(unit, body, roles));
                self.loops -= 1;
                if is_told(&inner) {
                    events.push(DiagramEvent::Loop(format!("while {}", self.condition(unit, test, roles)), inner));
                }
            }
            StmtKind::For { target, iter, body, .. } => {
                self.expr(unit, iter, roles, events);
                self.loops += 1;
                let inner = self.suite(unit, body, roles);
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
                    self.expr(unit, value, roles, events);
                }
                if self.loops > 0 {
                    events.push(DiagramEvent::Exit("return"));
                }
            }
            _ => {
                for child in tree.children(Node::Stmt(stmt)) {
                    match child {
                        Node::Expr(expr) => self.expr(unit, expr, roles, events),
                        Node::Stmt(stmt) => self.stmt(unit, stmt, roles, events),
                    }
                }
            }
        }
    }

    /// A condition and who decides it.
    fn condition(&self, unit: &Unit, test: ExprId, roles: &[RoleId]) -> String {
        let text = short(unit.expr_text(test));
        let located = self.facts.table(unit.id).of(test).located.substitute(roles);
        match located {
            Located::At(at) if self.open.len() == 1 => {
                let names = self.open.first().map(|(class, _)| &self.world.class(*class).roles);
                names.map_or(text.clone(), |names| format!("{text} ({})", at.roles.show(names)))
            }
            _ => text,
        }
    }

    fn expr(&mut self, unit: &Rc<Unit>, expr: ExprId, roles: &[RoleId], events: &mut Vec<DiagramEvent>) {
        let info = self.facts.table(unit.id).of(expr);
        if !info.communicates {
            return;
        }
        let actual = |role: RoleId| roles.get(role.index()).copied().unwrap_or(role);
        for child in unit.tree.children(Node::Expr(expr)) {
            if let Node::Expr(child) = child {
                self.expr(unit, child, roles, events);
            }
        }
        match self.facts.table(unit.id).action(expr).cloned() {
            Some(Action::Com { sender, receiver, value, .. }) => {
                let text = sent_text(unit, self.facts, value);
                events.push(DiagramEvent::Message { from: actual(sender), to: actual(receiver), text, label: false });
            }
            Some(Action::Select { sender, receiver, label, .. }) => {
                events.push(DiagramEvent::Message {
                    from: actual(sender),
                    to: actual(receiver),
                    text: label.text(),
                    label: true,
                });
            }
            Some(Action::Invoke { class, method, roles: given, .. }) => {
                self.call(class, &method, &given, roles, events);
            }
            Some(Action::Construct { class, roles: given, .. }) => {
                if let Some((owner, formal, _)) = self.world.method(class, "__init__") {
                    let given: Vec<RoleId> = formal.iter().map(|role| given[role.index()]).collect();
                    self.call(owner, "__init__", &given, roles, events);
                }
            }
            Some(Action::Apply { function, roles: taking_part, .. }) => {
                let text = format!("{}(…)", short(unit.expr_text(function)));
                events.push(DiagramEvent::Note { roles: taking_part.substitute(roles), text });
            }
            Some(Action::Locate { .. } | Action::NameClass { .. } | Action::Recover) | None => {}
        }
    }

    fn call(
        &mut self,
        class: ClassId,
        method: &str,
        given: &[RoleId],
        roles: &[RoleId],
        events: &mut Vec<DiagramEvent>,
    ) {
        let Some(facts) = self.facts.method(class, method) else { return };
        if !facts.communicates {
            return;
        }
        let actual: Vec<RoleId> = given.iter().map(|role| roles.get(role.index()).copied().unwrap_or(*role)).collect();
        let declared = self.world.class(class);
        let again = self.open.iter().any(|(open, name)| *open == class && name == method);
        if again || self.open.len() >= DEPTH {
            let text = format!("{}.{method}", declared.name);
            events.push(DiagramEvent::Note { roles: facts.involved.substitute(&actual), text });
            return;
        }
        let inner = self.method(declared, &declared.methods[method], &actual);
        events.extend(inner);
    }
}

/// What is sent, as written; parts that were received just before are only hinted at.
fn sent_text(unit: &Unit, facts: &LocationFacts, value: ExprId) -> String {
    let table = facts.table(unit.id);
    if let Some(Action::Com { value, .. }) = table.action(value) {
        // Forwarded as it came.
        return sent_text(unit, facts, *value);
    }
    let text = unit.expr_text(value);
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let range = unit.tree[value].range;
    for inner in unit.within(range) {
        if inner != value
            && matches!(table.action(inner), Some(Action::Com { .. }))
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
    short(place.map_or(shown.as_str(), |at| &shown[..at]))
}

/// One line, not too long.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 48 {
        return line;
    }
    let cut: String = line.chars().take(47).collect();
    format!("{cut}…")
}
