//! A choreographic class in one role's program.

use std::rc::Rc;

use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use rustc_hash::FxHashSet;

use crate::declaration::{ChoreographicClass, ClassId, Method, MethodKind, ParameterKind, Unit, World};
use crate::endpoint::{Block, EndpointNode};
use crate::facts::LocationFacts;
use crate::located::Located;
use crate::payload;
use crate::print::Printer;
use crate::project::project_body;
use crate::report::Report;
use crate::role::{RoleId, RoleSet};
use crate::type_text::TypeText;

/// A printed class and what it needs from elsewhere.
pub(crate) struct PrintedClass {
    pub text: String,
    pub offers: bool,
    /// Choreographic classes it mentions, at the roles it plays in them.
    pub classes: Vec<(ClassId, RoleId)>,
    /// Plain classes and enums it may receive.
    pub payloads: Vec<String>,
}

/// The roles that have a method: those it involves, and those of the method it overrides.
pub(crate) fn roles_of_method(
    world: &World,
    facts: &LocationFacts,
    class: &ChoreographicClass,
    method: &Method,
) -> RoleSet {
    let mut roles = facts.method_facts(class.id, &method.name).map_or(RoleSet::EMPTY, |facts| facts.involved);
    for (base, formal) in world.lineage(class.id).into_iter().skip(1) {
        if let Some(overridden) = facts.method_facts(base, &method.name) {
            roles = roles.union(overridden.involved.substitute_roles(&formal));
        }
    }
    roles
}

/// Prints a class for one of its roles.
pub(crate) fn print_class(
    world: &World,
    facts: &LocationFacts,
    class: &ChoreographicClass,
    role: RoleId,
    report: &mut Report,
) -> PrintedClass {
    let unit = Rc::clone(world.unit(class.unit));
    let mut printing = Printing { world, unit: &unit, class, role, classes: Vec::new(), printer: Printer::default() };
    printing.print_head();
    // A function has no suite around it that could be empty.
    let mut empty = !class.function;
    if let Some(docstring) = class.docstring {
        printing.print_docstring(1, docstring);
        empty = false;
    }
    let mut bodies: Vec<(&Method, Block)> = Vec::new();
    for method in class.methods.values() {
        if !method.plain && roles_of_method(world, facts, class, method).contains(role) {
            bodies.push((method, project_body(world, facts, class, method, role, report)));
        }
    }
    let used = printing.used_members(&bodies);
    empty &= !printing.print_attributes(facts, &used);
    for method in class.methods.values() {
        let projected = bodies.iter().find(|(found, _)| found.name == method.name);
        match projected {
            Some((_, body)) => printing.print_method(facts, method, body, !empty && !class.function),
            None if method.plain && printing.keeps_plain(method, &used) => printing.plain_method(method, !empty),
            None => continue,
        }
        empty = false;
    }
    if empty {
        printing.printer.print_line(1, "pass");
    }
    constructed_classes(world, facts, class, role, &printing.printer.out, &mut printing.classes);
    let payloads = payload::class_names(world, facts, &unit, class, role);
    let Printing { printer, classes, .. } = printing;
    PrintedClass { text: printer.out, offers: printer.offers, classes, payloads }
}

struct Printing<'a> {
    world: &'a World,
    unit: &'a Unit,
    class: &'a ChoreographicClass,
    role: RoleId,
    classes: Vec<(ClassId, RoleId)>,
    printer: Printer,
}

impl Printing<'_> {
    fn print_head(&mut self) {
        let tree = &self.unit.tree;
        let StmtKind::ClassDef(declared) = tree[self.class.stmt].kind else {
            return;
        };
        let comments = crate::comments::comments_around(self.unit, tree[self.class.stmt].range);
        for comment in comments.leading {
            self.printer.print_line(0, &comment);
        }
        for &decorator in &tree[declared.decorators] {
            self.printer.print_line(0, &format!("@{}", self.unit.expr_text(decorator)));
        }
        let mut bases = Vec::new();
        for base in &self.class.bases {
            if let Some(position) = base.roles.iter().position(|&role| role == self.role) {
                let formal = RoleId(position as u8);
                bases.push(self.world.class(base.class).projected_name(formal));
                self.classes.push((base.class, formal));
            }
        }
        bases.extend(self.class.plain_bases.iter().map(|&base| self.unit.expr_text(base).to_owned()));
        let name = self.class.projected_name(self.role);
        let head =
            if bases.is_empty() { format!("class {name}:") } else { format!("class {name}({}):", bases.join(", ")) };
        self.printer.print_line(0, &head);
    }

    fn print_docstring(&mut self, depth: usize, range: pytrope_source::TextRange) {
        let lines = crate::reindent::dedented_lines(self.unit, range, self.unit.source_text(range));
        self.raw_lines(depth, &lines);
    }

    fn raw_lines(&mut self, depth: usize, lines: &[String]) {
        for line in lines {
            match line.strip_prefix(crate::reindent::KEEP) {
                Some(kept) => {
                    self.printer.out.push_str(kept);
                    self.printer.out.push('\n');
                }
                None if line.is_empty() => self.printer.out.push('\n'),
                None => self.printer.print_line(depth, line),
            }
        }
    }

    /// Attributes of `self` that this role's methods mention, plain methods included as far as they are reached.
    fn used_members(&self, bodies: &[(&Method, Block)]) -> FxHashSet<String> {
        let mut text = String::new();
        for (method, body) in bodies {
            let mut printer = Printer::default();
            printer.print_block(0, body);
            text.push_str(&printer.out);
            for parameter in &method.parameters {
                if let Some(default) = parameter.default {
                    text.push_str(self.unit.expr_text(default));
                    text.push('\n');
                }
            }
        }
        let mut used: FxHashSet<String> = member_names(&text);
        loop {
            let before = used.len();
            for method in self.class.methods.values().filter(|method| method.plain) {
                if used.contains(&method.name) {
                    used.extend(member_names(self.unit.source_text(self.unit.tree[method.stmt].range)));
                }
            }
            if used.len() == before {
                break;
            }
        }
        used
    }

    /// A plain member that no method of the class uses is for the outside, and stays everywhere.
    fn used_anywhere(&self, name: &str) -> bool {
        let tree = &self.unit.tree;
        self.class.methods.values().filter(|method| method.name != name).any(|method| {
            self.unit
                .exprs_within(tree[method.stmt].range)
                .any(|expr| matches!(tree[expr].kind, ExprKind::Attribute { attribute, .. } if tree.text(attribute.name) == name))
        })
    }

    fn keeps_plain(&self, method: &Method, used: &FxHashSet<String>) -> bool {
        used.contains(&method.name) || !self.used_anywhere(&method.name)
    }

    fn print_attributes(&mut self, facts: &LocationFacts, used: &FxHashSet<String>) -> bool {
        let mut any = false;
        let fields = &facts.fields[self.class.id.0 as usize];
        for (name, attribute) in &self.class.attributes {
            let located = fields.get(name).map_or(&attribute.located, |field| &field.located);
            let here = match located {
                Located::Free(_) => self.class.dataclass || used.contains(name) || !self.used_anywhere(name),
                located => located.roles().contains(self.role),
            };
            if !here || (attribute.value.is_none() && attribute.annotation.is_none()) {
                continue;
            }
            let mut line = name.clone();
            let annotation = attribute.annotation.and_then(|annotation| self.project_annotation(annotation));
            match (annotation, attribute.annotation.is_some()) {
                (Some(text), _) => line.push_str(&format!(": {text}")),
                (None, true) => line.push_str(": object"),
                (None, false) => {}
            }
            if let Some(value) = attribute.value {
                line.push_str(&format!(" = {}", self.unit.expr_text(value)));
            }
            let comments = crate::comments::comments_around(self.unit, self.unit.tree[attribute.stmt].range);
            for comment in comments.leading {
                self.printer.print_line(1, &comment);
            }
            self.printer.print_line(1, &line);
            any = true;
        }
        any
    }

    fn print_method(&mut self, facts: &LocationFacts, method: &Method, body: &Block, gap: bool) {
        if gap {
            self.printer.out.push('\n');
        }
        let tree = &self.unit.tree;
        let depth = usize::from(!self.class.function);
        let comments = crate::comments::comments_around(self.unit, tree[method.stmt].range);
        for comment in comments.leading {
            self.printer.print_line(depth, &comment);
        }
        for &decorator in &tree[method.function.decorators] {
            self.printer.print_line(depth, &format!("@{}", self.unit.expr_text(decorator)));
        }
        let coroutine = facts.is_coroutine(self.world, self.class.id, &method.name);
        let head = self.print_signature(method);
        self.printer.print_line(depth, &if coroutine { format!("async {head}") } else { head });
        if let Some(docstring) = method.docstring {
            self.print_docstring(depth + 1, docstring);
        }
        self.printer.site = self.class.method_title(&method.name);
        let body = without_marks(body);
        if body.is_empty() && method.docstring.is_some() {
            return;
        }
        self.printer.print_suite(depth + 1, &body);
    }

    fn plain_method(&mut self, method: &Method, gap: bool) {
        if gap {
            self.printer.out.push('\n');
        }
        let range = self.unit.tree[method.stmt].range;
        let comments = crate::comments::comments_around(self.unit, range);
        for comment in comments.leading {
            self.printer.print_line(1, &comment);
        }
        let text = crate::compatible::compatible_text(self.unit, range);
        let lines = crate::reindent::dedented_lines(self.unit, range, &text);
        self.raw_lines(1, &lines);
    }

    fn print_signature(&mut self, method: &Method) -> String {
        let mut parts: Vec<String> = Vec::new();
        if method.kind != MethodKind::Static {
            parts.push(crate::declare::self_name(self.unit, method).unwrap_or("self").to_owned());
        }
        let mut kind = ParameterKind::PositionalOnly;
        let mut positional_only = false;
        for parameter in &method.parameters {
            if !parameter.located.is_at(self.role) {
                continue;
            }
            if positional_only && parameter.kind > ParameterKind::PositionalOnly {
                parts.push("/".to_owned());
                positional_only = false;
            }
            positional_only |= parameter.kind == ParameterKind::PositionalOnly;
            if parameter.kind == ParameterKind::KeywordOnly && kind < ParameterKind::Spread {
                parts.push("*".to_owned());
            }
            kind = parameter.kind;
            let stars = match parameter.kind {
                ParameterKind::Spread => "*",
                ParameterKind::KeywordSpread => "**",
                ParameterKind::PositionalOnly | ParameterKind::Regular | ParameterKind::KeywordOnly => "",
            };
            let mut text = format!("{stars}{}", parameter.name);
            let annotation = parameter.annotation.and_then(|annotation| self.project_annotation(annotation));
            if let Some(annotation) = &annotation {
                text.push_str(&format!(": {annotation}"));
            }
            if let Some(default) = parameter.default {
                let default = self.default_text(default);
                text.push_str(&if annotation.is_some() { format!(" = {default}") } else { format!("={default}") });
            }
            parts.push(text);
        }
        if positional_only {
            parts.push("/".to_owned());
        }
        let returns = match (&method.returns, method.function.returns) {
            (Some(located), Some(annotation)) if located.is_at(self.role) => self.project_annotation(annotation),
            (Some(_), _) => Some("None".to_owned()),
            (None, _) => None,
        };
        let returns = returns.map_or_else(String::new, |returns| format!(" -> {returns}"));
        let name = if self.class.function { self.class.projected_name(self.role) } else { method.name.clone() };
        format!("def {name}({}){returns}:", parts.join(", "))
    }

    /// A default value, without its role marker.
    fn default_text(&self, default: ExprId) -> String {
        let mut at = default;
        while let ExprKind::BinOp { left, op: pytrope_source::tree::BinaryOperator::MatMult, .. } =
            self.unit.tree[at].kind
        {
            at = left;
        }
        self.unit.expr_text(at).to_owned()
    }

    /// The type a role sees: `At[T, R]` is `T`, a choreographic class is its projection.
    fn project_annotation(&mut self, expr: ExprId) -> Option<String> {
        TypeText { world: self.world, class: self.class, role: self.role }.project_type(self.unit, expr, &Vec::new())
    }
}

/// The names behind a dot in some code.
fn member_names(text: &str) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    for part in text.split('.').skip(1) {
        let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if !name.is_empty() {
            found.insert(name);
        }
    }
    found
}

/// Nested functions carry marks for lines inside strings; those lines keep their place.
fn without_marks(body: &Block) -> Block {
    let mut body = body.clone();
    for stmt in &mut body {
        if let EndpointNode::Verbatim(lines) = &mut stmt.node {
            for line in lines {
                if let Some(kept) = line.strip_prefix(crate::reindent::KEEP) {
                    *line = kept.to_owned();
                }
            }
        }
    }
    body
}

/// The choreographic classes a printed class instantiates, found by their projected names.
fn constructed_classes(
    world: &World,
    facts: &LocationFacts,
    class: &ChoreographicClass,
    role: RoleId,
    printed: &str,
    found: &mut Vec<(ClassId, RoleId)>,
) {
    let unit = world.unit(class.unit);
    let table = facts.file_table(class.unit);
    for expr in unit.exprs_within(unit.tree[class.stmt].range) {
        if let Some(
            crate::facts::Action::Construct { class, roles, .. } | crate::facts::Action::NameClass { class, roles },
        ) = table.action_of(expr)
        {
            let Some(position) = roles.iter().position(|&actual| actual == role) else {
                continue;
            };
            let formal = RoleId(position as u8);
            if printed.contains(&world.class(*class).projected_name(formal)) {
                found.push((*class, formal));
            }
        }
    }
}
