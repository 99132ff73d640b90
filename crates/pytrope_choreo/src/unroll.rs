//! Loops over channels, written out.
//!
//! In `for link in self.links: link.com(x)` every turn joins other roles, so no one body could say what a role does in it. Such
//! loops are written out in the text, one copy of the body for each channel, before the choreography is checked:
//!
//! ```python
//! self.links[0].com(x)
//! self.links[1].com(x)
//! ```
//!
//! Invariant: places in the longer text are shown to the user as those they were copied from ([`SourceMap`]).

use std::sync::Arc;

use pytrope_source::tree::{Context, ExprId, ExprKind, StmtId, StmtKind};
use pytrope_source::{Node, SourceFile, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declaration::{Unit, World};
use crate::facts::LocationFacts;
use crate::report::{ChoreoRule, Extend, Report, WITHOUT_ELSE};
use crate::scan::Modules;

/// What the targets of a loop stand for in one of its turns.
pub(crate) type Turn = Vec<(String, String)>;

/// A loop to be written out.
#[derive(Clone, Debug)]
pub(crate) struct Unrolling {
    pub stmt: StmtId,
    pub turns: Vec<Turn>,
}

/// Texts longer than this are not written.
const LIMIT: usize = 1 << 20;

/// Where the parts of a longer text come from.
#[derive(Clone)]
pub(crate) struct SourceMap {
    pub original: Arc<SourceFile>,
    pieces: Vec<CopiedPiece>,
}

/// A part of a text: `length` bytes at `start` are those at `origin`, or stand for the `covers` bytes there.
#[derive(Clone, Copy)]
struct CopiedPiece {
    start: u32,
    length: u32,
    origin: u32,
    covers: u32,
}

impl SourceMap {
    /// The place in the original that a place was copied from.
    pub fn original_range(&self, range: TextRange) -> TextRange {
        let start = self.original_offset(range.start, false);
        let end = self.original_offset(range.end, true);
        TextRange::new(start, end.max(start))
    }

    fn original_offset(&self, offset: u32, is_end: bool) -> u32 {
        let key = if is_end { offset.saturating_sub(1) } else { offset };
        let at = self.pieces.partition_point(|piece| piece.start <= key).saturating_sub(1);
        let Some(piece) = self.pieces.get(at) else { return offset };
        match (piece.length == piece.covers, is_end) {
            (true, _) => piece.origin + (offset - piece.start).min(piece.length),
            (false, true) => piece.origin + piece.covers,
            (false, false) => piece.origin,
        }
    }
}

/// The files of a project, some of them with loops written out.
pub(crate) struct Expanded<'a> {
    pub modules: &'a dyn Modules,
    pub files: FxHashMap<String, SourceMapped>,
}

/// A longer text and its map.
#[derive(Clone)]
pub(crate) struct SourceMapped {
    pub file: Arc<SourceFile>,
    pub map: SourceMap,
}

impl<'a> Expanded<'a> {
    pub fn without_expansions(modules: &'a dyn Modules) -> Self {
        Self { modules, files: FxHashMap::default() }
    }

    /// Writes out the loops that checking has found; false, with a finding, where one cannot be.
    pub fn write_out_loops(&mut self, world: &World, facts: &LocationFacts, report: &mut Report) -> bool {
        for unit in &world.units {
            let loops = &facts.unrollings.iter().filter(|(id, _)| *id == unit.id);
            let loops: Vec<Unrolling> = loops.clone().map(|(_, unrolling)| unrolling.clone()).collect();
            if loops.is_empty() {
                continue;
            }
            let Some(longer) = write_out(unit, &loops, report) else { return false };
            self.files.insert(unit.file.path().to_owned(), longer);
        }
        true
    }
}

impl Modules for Expanded<'_> {
    fn find_module(&self, from: &SourceFile, name: &str, level: u32) -> Option<Arc<SourceFile>> {
        let found = self.modules.find_module(from, name, level)?;
        Some(self.files.get(found.path()).map_or(found, |longer| Arc::clone(&longer.file)))
    }
}

/// Writes the loops of a file out; `None`, with a finding, where one cannot be.
fn write_out(unit: &Unit, loops: &[Unrolling], report: &mut Report) -> Option<SourceMapped> {
    let mut chosen: Vec<&Unrolling> = loops.iter().collect();
    chosen.sort_by_key(|unrolling| unit.tree[unrolling.stmt].range.start);
    let mut writer = UnrolledText { unit, text: String::new(), pieces: Vec::new() };
    let mut at = 0;
    for unrolling in chosen {
        let range = unit.tree[unrolling.stmt].range;
        if range.start < at {
            // Inside another one; its turn comes when that one is written out.
            continue;
        }
        if !is_writable(unit, unrolling, report) {
            return None;
        }
        writer.copy_range(TextRange::new(at, range.start));
        writer.write_turns(unrolling);
        at = range.end;
    }
    writer.copy_range(TextRange::new(at, unit.file.text().len() as u32));
    if writer.text.len() > LIMIT {
        let range = unit.tree[loops[0].stmt].range;
        report.add_error(ChoreoRule::Unsupported, unit, range, "this loop over channels is too long when written out");
        return None;
    }
    let UnrolledText { text, pieces, .. } = writer;
    let (original, pieces) = match &unit.source_map {
        None => (Arc::clone(&unit.file), pieces),
        // What was copied from a copy is shown where that was copied from.
        Some(before) => {
            let trace = |piece: CopiedPiece| {
                let found = before.original_range(TextRange::new(piece.origin, piece.origin + piece.covers));
                CopiedPiece { origin: found.start, covers: found.end - found.start, ..piece }
            };
            (Arc::clone(&before.original), pieces.into_iter().map(trace).collect())
        }
    };
    let file = SourceFile::from_text(unit.file.path(), text);
    Some(SourceMapped { file, map: SourceMap { original, pieces } })
}

/// Whether a loop means the same as its turns one after the other; reports why not.
fn is_writable(unit: &Unit, unrolling: &Unrolling, report: &mut Report) -> bool {
    let tree = &unit.tree;
    let StmtKind::For { body, orelse, .. } = tree[unrolling.stmt].kind else { return false };
    if !orelse.is_empty() {
        let message = "a loop over channels cannot have an else clause";
        report.add_error(ChoreoRule::Unsupported, unit, tree[unrolling.stmt].range, message).add_help(WITHOUT_ELSE);
        return false;
    }
    let leaves = tree.suite_nodes(body).into_iter().find_map(|node| match node {
        Node::Stmt(stmt) if matches!(tree[stmt].kind, StmtKind::Break | StmtKind::Continue) => {
            (innermost_loop(unit, stmt) == Some(unrolling.stmt)).then_some(stmt)
        }
        _ => None,
    });
    if let Some(stmt) = leaves {
        report
            .add_error(
                ChoreoRule::Unsupported,
                unit,
                tree[stmt].range,
                "a loop over channels runs all of its iterations",
            )
            .add_help("decide inside the iteration what is sent in it");
        return false;
    }
    let given: Vec<&str> =
        unrolling.turns.iter().flatten().flat_map(|(name, text)| [name.as_str(), text.as_str()]).collect();
    let body = body_range(unit, unrolling.stmt);
    let assigned = unit.exprs_within(body).find(|&expr| {
        let stored = matches!(
            tree[expr].kind,
            ExprKind::Name { context: Context::Store | Context::Del, .. }
                | ExprKind::Attribute { context: Context::Store | Context::Del, .. }
        );
        stored && given.iter().any(|text| begins_with_path(text, unit.expr_text(expr)))
    });
    if let Some(expr) = assigned {
        let message = format!("this loop iterates over `{}`, which its body assigns", unit.expr_text(expr));
        report.add_error(ChoreoRule::Unsupported, unit, tree[expr].range, message);
        return false;
    }
    true
}

/// Whether `self.links[0]` begins with `self.links`.
fn begins_with_path(text: &str, path: &str) -> bool {
    text.strip_prefix(path).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

pub(crate) fn innermost_loop(unit: &Unit, stmt: StmtId) -> Option<StmtId> {
    let tree = &unit.tree;
    let mut at = tree.enclosing(stmt);
    while let Some(outer) = at {
        if matches!(tree[outer].kind, StmtKind::For { .. } | StmtKind::While { .. }) {
            return Some(outer);
        }
        at = tree.enclosing(outer);
    }
    None
}

/// From the first statement of a loop's body to the end of the last.
fn body_range(unit: &Unit, stmt: StmtId) -> TextRange {
    let tree = &unit.tree;
    match tree[stmt].kind {
        StmtKind::For { body, .. } => match &tree[body] {
            [first, .., last] => TextRange::new(tree[*first].range.start, tree[*last].range.end),
            [only] => tree[*only].range,
            [] => TextRange::at(tree[stmt].range.end),
        },
        _ => tree[stmt].range,
    }
}

struct UnrolledText<'a> {
    unit: &'a Unit,
    text: String,
    pieces: Vec<CopiedPiece>,
}

impl UnrolledText<'_> {
    fn copy_range(&mut self, range: TextRange) {
        let length = range.end - range.start;
        self.pieces.push(CopiedPiece { start: self.text.len() as u32, length, origin: range.start, covers: length });
        self.text.push_str(self.unit.source_text(range));
    }

    fn replace_range(&mut self, range: TextRange, text: &str) {
        self.pieces.push(CopiedPiece {
            start: self.text.len() as u32,
            length: text.len() as u32,
            origin: range.start,
            covers: range.end - range.start,
        });
        self.text.push_str(text);
    }

    fn write_turns(&mut self, unrolling: &Unrolling) {
        let unit = self.unit;
        let source = unit.file.text();
        let stmt = unit.tree[unrolling.stmt].range;
        let indent = |offset: u32| {
            let line = source[..offset as usize].rfind('\n').map_or(0, |at| at + 1);
            offset as usize - line
        };
        let body = body_range(unit, unrolling.stmt);
        let depth = indent(stmt.start);
        let on_own_lines = source[stmt.start as usize..body.start as usize].contains('\n');
        let excess = if on_own_lines { indent(body.start) - depth } else { 0 };
        let locals = turn_locals(unit, unrolling.stmt, body);
        for (turn, given) in unrolling.turns.iter().enumerate() {
            let mut edits: Vec<(TextRange, String)> = dedent_edits(unit, body, excess);
            for expr in unit.exprs_within(body) {
                let ExprKind::Name { name, .. } = unit.tree[expr].kind else { continue };
                let name = unit.tree.text(name);
                let text = match given.iter().find(|(target, _)| target == name) {
                    Some((_, text)) => text.clone(),
                    None if turn > 0 && locals.contains(name) => fresh_name(unit, name, turn + 1),
                    None => continue,
                };
                edits.push((unit.tree[expr].range, text));
            }
            edits.sort_by_key(|(range, _)| range.start);
            let mut at = body.start;
            for (range, text) in edits {
                self.copy_range(TextRange::new(at, range.start));
                self.replace_range(range, &text);
                at = range.end;
            }
            self.copy_range(TextRange::new(at, body.end));
            if turn + 1 < unrolling.turns.len() {
                let gap = format!("\n{}", " ".repeat(depth));
                self.replace_range(TextRange::at(body.end), &gap);
            }
        }
        if unrolling.turns.is_empty() {
            self.replace_range(stmt, "pass");
        }
    }
}

/// The blanks to be taken from the beginnings of lines, but not of lines inside strings.
fn dedent_edits(unit: &Unit, body: TextRange, excess: usize) -> Vec<(TextRange, String)> {
    let source = unit.file.text();
    let mut found = Vec::new();
    for (at, _) in source[body.start as usize..body.end as usize].match_indices('\n') {
        let line = body.start + at as u32 + 1;
        let blanks = source[line as usize..].chars().take(excess).take_while(|c| *c == ' ' || *c == '\t').count();
        let in_string = unit.exprs_within(body).any(|expr| {
            let range = unit.tree[expr].range;
            let is_text =
                matches!(unit.tree[expr].kind, ExprKind::Str(_) | ExprKind::Bytes(_) | ExprKind::FString { .. });
            is_text && range.start < line && line <= range.end
        });
        if blanks > 0 && !in_string {
            found.push((TextRange::new(line, line + blanks as u32), String::new()));
        }
    }
    found
}

/// Variables of one turn: assigned first thing in the body, and mentioned nowhere else. Each turn has its own.
fn turn_locals(unit: &Unit, stmt: StmtId, body: TextRange) -> FxHashSet<&str> {
    let tree = &unit.tree;
    let StmtKind::For { body: stmts, .. } = tree[stmt].kind else { return FxHashSet::default() };
    let mut method = stmt;
    while let Some(outer) = tree.enclosing(method) {
        method = outer;
        if matches!(tree[outer].kind, StmtKind::FunctionDef(_)) {
            break;
        }
    }
    let mentions = |range: TextRange, name: &str| -> Vec<ExprId> {
        let named =
            |expr: &ExprId| matches!(tree[*expr].kind, ExprKind::Name { name: found, .. } if tree.text(found) == name);
        unit.exprs_within(range).filter(named).collect()
    };
    let mut found = FxHashSet::default();
    for &inner in &tree[stmts] {
        let (target, value) = match tree[inner].kind {
            StmtKind::Assign { targets, value } => match &tree[targets] {
                [target] => (*target, value),
                _ => continue,
            },
            StmtKind::AnnAssign { target, value: Some(value), .. } => (target, value),
            _ => continue,
        };
        let ExprKind::Name { name, .. } = tree[target].kind else { continue };
        let name = tree.text(name);
        let first = mentions(tree[method].range, name).first() == Some(&target);
        let inside = mentions(tree[method].range, name).iter().all(|&expr| body.contains_range(tree[expr].range));
        if first && inside && mentions(tree[value].range, name).is_empty() && !is_bound_deeper(unit, body, name) {
            found.insert(name);
        }
    }
    found
}

/// Whether a lambda, a comprehension or a nested function of the body has a name for itself.
fn is_bound_deeper(unit: &Unit, body: TextRange, name: &str) -> bool {
    let tree = &unit.tree;
    let in_expression = unit.exprs_within(body).any(|expr| match tree[expr].kind {
        ExprKind::Lambda { parameters, .. } => {
            let parameters = tree[parameters];
            let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
            lists.iter().flat_map(|&list| &tree[list]).any(|parameter| tree.text(parameter.name.name) == name)
        }
        ExprKind::ListComp { .. } | ExprKind::SetComp { .. } | ExprKind::DictComp { .. } | ExprKind::Generator { .. } => {
            unit.exprs_within(tree[expr].range).any(|inner| {
                matches!(tree[inner].kind, ExprKind::Name { name: found, context: Context::Store } if tree.text(found) == name)
            })
        }
        _ => false,
    });
    let nested = |stmt: StmtId| {
        matches!(tree[stmt].kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
            && body.contains_range(tree[stmt].range)
    };
    in_expression || tree.stmt_ids().any(nested)
}

/// A name that the file does not use.
fn fresh_name(unit: &Unit, name: &str, turn: usize) -> String {
    let mut found = format!("{name}_{turn}");
    while unit.tree.strings().any(|text| text == found) {
        found.push('_');
    }
    found
}
