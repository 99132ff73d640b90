//! Expressions of a role's program: source text, with messages in their places.

use pytrope_source::tree::{ExprId, ExprKind};
use pytrope_source::{Node as TreeNode, TextRange};

use super::Projector;
use crate::endpoint::{Block, EndpointNode, EndpointStmt};
use crate::facts::{Action, Argument};
use crate::located::Located;
use crate::report::{ChoreoRule, Extend};
use crate::site::site_argument;

/// The text of an expression at this role.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub text: String,
    /// Evaluating it receives a message or calls a choreographic method.
    pub acts: bool,
    /// Its value cannot be changed by what runs between it and its use.
    pub stable: bool,
}

impl Projector<'_> {
    /// Source text without role markers.
    pub(super) fn verbatim_text(&self, range: TextRange) -> String {
        self.render_text(range, &[])
    }

    /// Source text without role markers, some parts replaced.
    pub(super) fn render_text(&self, range: TextRange, replaced: &[(TextRange, String)]) -> String {
        self.note_emitted(range, replaced);
        let text = self.unit.file.text();
        let first = self.table.strips.partition_point(|strip| strip.start < range.start);
        let mut cuts: Vec<(TextRange, &str)> = replaced.iter().map(|(range, text)| (*range, text.as_str())).collect();
        for strip in self.table.strips[first..].iter().take_while(|strip| strip.start < range.end) {
            let inside = replaced.iter().any(|(range, _)| range.contains_range(*strip));
            if strip.end <= range.end && !inside {
                cuts.push((*strip, ""));
            }
        }
        if cuts.is_empty() {
            return range.of(text).to_owned();
        }
        cuts.sort_by_key(|(range, _)| range.start);
        let mut out = String::new();
        let mut at = range.start;
        for (cut, text_for_cut) in cuts {
            if cut.start < at {
                continue;
            }
            out.push_str(TextRange::new(at, cut.start).of(text));
            out.push_str(text_for_cut);
            at = cut.end;
        }
        out.push_str(TextRange::new(at, range.end).of(text));
        out
    }

    fn fresh_name(&mut self) -> String {
        loop {
            self.temporaries += 1;
            let name = format!("_{}", self.temporaries);
            if !self.known.locals.contains_key(&name) {
                return name;
            }
        }
    }

    /// Projects an expression: what has to run before it goes to `out`; `None` if its value is elsewhere.
    pub(super) fn project_expr(&mut self, expr: ExprId, out: &mut Block) -> Option<Piece> {
        let info = self.table.info_of(expr);
        if !info.rewritten {
            return info.located.is_at(self.role).then(|| Piece {
                text: self.verbatim_text(self.expr_range(expr)),
                acts: self.writes_kept(self.expr_range(expr)),
                stable: self.is_stable(expr),
            });
        }
        match self.table.action_of(expr).cloned() {
            Some(Action::Com { channel, sender, receiver, value, pattern }) => {
                let piece = self.project_expr(value, out);
                let channel = self.verbatim_text(self.expr_range(channel));
                let site = site_argument(self.unit.id, expr);
                if sender == self.role {
                    let text = piece.map_or_else(|| "None".to_owned(), |piece| piece.text);
                    let call = format!("{channel}.{}({}, {site})", pattern.sending_method(), strip_parentheses(&text));
                    let call = self.await_call(call, pattern.returns_to_sender());
                    if pattern.returns_to_sender() {
                        return Some(Piece { text: call, acts: true, stable: false });
                    }
                    out.push(EndpointStmt::new(EndpointNode::Line(call.into()), self.expr_range(expr)));
                    return None;
                }
                self.discard_value(piece, expr, out);
                (receiver == self.role).then(|| Piece {
                    text: self.await_call(format!("{channel}.{}({site})", pattern.receiving_method()), true),
                    acts: true,
                    stable: false,
                })
            }
            Some(Action::Select { .. }) => None,
            Some(Action::NameClass { class, roles }) => {
                let position = roles.iter().position(|&role| role == self.role)?;
                let text = self.world.class(class).projected_name(crate::role::RoleId(position as u8));
                Some(Piece { text, acts: false, stable: true })
            }
            Some(Action::Apply { function, roles, arguments }) => {
                let callee = self.project_expr(function, out);
                let before = out.len();
                let given = self.project_arguments(&arguments, out);
                let mut callee = callee?;
                if callee.acts {
                    self.hoist_pieces(before, vec![&mut callee], out, expr);
                }
                if !roles.contains(self.role) {
                    self.discard_value(Some(callee), expr, out);
                    return None;
                }
                let text = self.await_call(format!("{}({given})", callee.text), true);
                let piece = Piece { text, acts: true, stable: false };
                if info.located.is_at(self.role) {
                    return Some(piece);
                }
                self.discard_value(Some(piece), expr, out);
                None
            }
            Some(Action::Construct { class, roles, arguments, callee }) => {
                let given = self.project_arguments(&arguments, out);
                let init = self.world.find_method(class, "__init__").map(|(owner, _, _)| owner);
                if init.is_some_and(|owner| self.facts.is_coroutine(self.world, owner, "__init__")) {
                    let message = format!(
                        "{} communicates in its constructor, which cannot be awaited",
                        self.world.class(class).name
                    );
                    if let Some(finding) = self.report_refusal(ChoreoRule::Unsupported, self.expr_range(expr), message)
                    {
                        finding.add_help("communicate in a method that is called after the construction");
                    }
                }
                let position = roles.iter().position(|&role| role == self.role)?;
                let name = match callee {
                    Some(callee) => self.verbatim_text(self.expr_range(callee)),
                    None => self.world.class(class).projected_name(crate::role::RoleId(position as u8)),
                };
                Some(Piece { text: format!("{name}({given})"), acts: true, stable: false })
            }
            Some(Action::Invoke { receiver, class, method, roles, arguments }) => {
                let involved = self
                    .facts
                    .method_facts(class, &method)
                    .map_or(crate::role::RoleSet::EMPTY, |facts| facts.involved.substitute_roles(&roles));
                let object = match receiver {
                    None => Some(Piece { text: "super()".to_owned(), acts: false, stable: true }),
                    Some(receiver) => self.project_expr(receiver, out),
                };
                let before = out.len();
                let given = self.project_arguments(&arguments, out);
                let mut object = object?;
                if object.acts {
                    self.hoist_pieces(before, vec![&mut object], out, expr);
                }
                if !involved.contains(self.role) {
                    self.discard_value(Some(object), expr, out);
                    return None;
                }
                let callee = if method == "__call__" { object.text } else { format!("{}.{method}", object.text) };
                let call = format!("{callee}({given})");
                let coroutine = self.facts.is_coroutine(self.world, class, &method);
                let text = if coroutine { self.await_call(call, true) } else { call };
                let piece = Piece { text, acts: true, stable: false };
                if matches!(info.located, Located::Free(_)) || info.located.roles().contains(self.role) {
                    return Some(piece);
                }
                self.discard_value(Some(piece), expr, out);
                None
            }
            Some(Action::Locate { value }) => {
                let piece = self.project_expr(value, out);
                if info.located.is_at(self.role) {
                    return piece;
                }
                self.discard_value(piece, expr, out);
                None
            }
            Some(Action::Recover) | None => self.project_composite(expr, out),
        }
    }

    /// A call that waits for another role; `inside`: it may stand in a larger expression.
    pub(super) fn await_call(&self, call: String, inside: bool) -> String {
        match (self.facts.asynchronous, inside) {
            (false, _) => call,
            (true, false) => format!("await {call}"),
            (true, true) => format!("(await {call})"),
        }
    }

    /// The arguments of a choreographic call that are this role's, as text.
    fn project_arguments(&mut self, arguments: &[Argument], out: &mut Block) -> String {
        let mut kept: Vec<(Option<String>, Piece)> = Vec::new();
        for argument in arguments {
            let before = out.len();
            let piece = self.project_expr(argument.value, out);
            self.hoist_pieces(before, kept.iter_mut().map(|(_, piece)| piece).collect(), out, argument.value);
            let here = argument.located.is_at(self.role);
            match piece {
                Some(piece) if here => kept.push((argument.keyword.clone(), piece)),
                piece => self.discard_value(piece, argument.value, out),
            }
        }
        let texts: Vec<String> = kept
            .into_iter()
            .map(|(keyword, piece)| match keyword {
                Some(keyword) => format!("{keyword}={}", piece.text),
                None => piece.text,
            })
            .collect();
        texts.join(", ")
    }

    /// Puts pieces that were evaluated before new statements into variables before these statements.
    pub(super) fn hoist_pieces(&mut self, before: usize, pieces: Vec<&mut Piece>, out: &mut Block, expr: ExprId) {
        if out.len() == before {
            return;
        }
        let range = self.expr_range(expr);
        let mut at = before;
        for piece in pieces {
            if piece.stable {
                continue;
            }
            let name = self.fresh_name();
            let line = EndpointNode::Line(format!("{name} = {}", parenthesise_lines(&piece.text)).into());
            out.insert(at, EndpointStmt::new(line, range));
            at += 1;
            *piece = Piece { text: name, acts: false, stable: true };
        }
    }

    /// An expression without an action of its own, whose parts have some.
    pub(super) fn project_composite(&mut self, expr: ExprId, out: &mut Block) -> Option<Piece> {
        let unit = self.unit;
        let located = self.table.info_of(expr).located.clone();
        let mut pieces: Vec<(ExprId, Piece)> = Vec::new();
        let mut parts: Vec<(ExprId, bool)> = Vec::new();
        for child in unit.tree.children(TreeNode::Expr(expr)) {
            let TreeNode::Expr(child) = child else { continue };
            let before = out.len();
            let piece = self.project_expr(child, out);
            if !located.is_at(self.role) {
                self.discard_value(piece, child, out);
                continue;
            }
            self.hoist_pieces(before, pieces.iter_mut().map(|(_, piece)| piece).collect(), out, child);
            parts.push((child, piece.is_some()));
            if let Some(piece) = piece {
                pieces.push((child, piece));
            }
        }
        if !located.is_at(self.role) {
            return None;
        }
        let acts = pieces.iter().any(|(_, piece)| piece.acts) || self.write_kept(expr).is_some();
        if let (ExprKind::Tuple { .. }, Located::Tuple(_)) = (unit.tree[expr].kind, &located) {
            let mut pieces = pieces.into_iter();
            let texts: Vec<String> = parts
                .iter()
                .map(|&(child, present)| {
                    let piece = if present { pieces.next() } else { None };
                    let here = self.table.info_of(child).located.is_at(self.role);
                    match piece {
                        Some((_, piece)) if here => piece.text,
                        _ => "ELSEWHERE".to_owned(),
                    }
                })
                .collect();
            let comma = if texts.len() == 1 { "," } else { "" };
            return Some(Piece { text: format!("({}{comma})", texts.join(", ")), acts, stable: false });
        }
        let replaced: Vec<(TextRange, String)> =
            pieces.into_iter().map(|(child, piece)| (unit.tree[child].range, piece.text)).collect();
        Some(Piece { text: self.render_text(unit.tree[expr].range, &replaced), acts, stable: false })
    }

    /// Evaluates a value that this role does not use, for the messages in it.
    pub(super) fn discard_value(&mut self, piece: Option<Piece>, expr: ExprId, out: &mut Block) {
        if let Some(piece) = piece
            && piece.acts
        {
            out.push(EndpointStmt::new(
                EndpointNode::Line(parenthesise_lines(&piece.text).into()),
                self.expr_range(expr),
            ));
        }
    }

    fn is_stable(&self, expr: ExprId) -> bool {
        // What belongs to the module, such as `math.sqrt`, does not change between two messages.
        if let Some(&[first, ..]) = self.unit.tree.dotted(expr).as_deref()
            && !self.known.locals.contains_key(first)
            && self.unit.meanings.contains(first)
        {
            return true;
        }
        let kind = self.unit.tree[expr].kind;
        matches!(kind, ExprKind::Name { .. }) || kind.is_literal()
    }
}

/// Text that may go over lines, in parentheses where a statement needs them.
pub(super) fn parenthesise_lines(text: &str) -> String {
    if breaks_line(text) { format!("({text})") } else { text.to_owned() }
}

/// Text without parentheses around the whole of it, for places that have some of their own.
fn strip_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0i32;
    for c in inner.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            // A tuple or a generator needs its parentheses; quotes could hide anything.
            ',' | '\'' | '"' | '#' => return text,
            _ => {}
        }
        if depth < 0 {
            return text;
        }
    }
    if inner.contains(" for ") || inner.is_empty() { text } else { inner }
}

/// Whether a text has a line end outside brackets and strings.
fn breaks_line(text: &str) -> bool {
    if !text.contains('\n') {
        return false;
    }
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'\n' if depth == 0 => return true,
            b'#' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
                continue;
            }
            b'\\' => at += 1,
            quote @ (b'"' | b'\'') => {
                let triple = bytes[at..].starts_with(&[quote; 3]);
                let quotes = [quote; 3];
                let close = if triple { &quotes[..] } else { &quotes[..1] };
                at += close.len();
                while at < bytes.len() && !bytes[at..].starts_with(close) {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += close.len();
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    false
}
