//! Sites: the number that each communication carries at both of its roles.
//!
//! A communication has one number in the whole projection; its send and its receive name it, so that a role that has drifted
//! off is noticed at its next message. What a role cannot tell apart is one site: where merging makes one statement of two,
//! that statement keeps the marks of both, and [`number_sites`] gives all communications that share a statement one number.
//!
//! Until then a program's text has marks in place of numbers. A mark is a Python name, so that the text can be parsed.

use std::fmt::Write as _;

use pytrope_source::tree::{ExprId, StmtKind};
use rustc_hash::FxHashMap;

use crate::declaration::{Unit, UnitId, World};
use crate::facts::{Action, LocationFacts};
use crate::module::RoleModule;

/// Begins every part of a mark; a letter that identifiers of real programs do not have.
const SIGN: char = 'ꙮ';

/// A communication: the call of `com` or `select` in its file.
type CommunicationSite = (u32, usize);

/// The mark of a communication, as an argument of its call: `site=…`.
pub(crate) fn site_argument(unit: UnitId, expr: ExprId) -> String {
    format!("site={SIGN}{}_{}", unit.0, expr.index())
}

/// The text of a program; two texts are the same if they differ in marks only.
#[derive(Clone, Debug)]
pub(crate) struct MarkedText(String);

impl MarkedText {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as a reader knows it from the choreography, without sites.
    pub fn without_sites(&self) -> String {
        without_sites(&self.0)
    }

    /// One text for two that are the same: each mark stands for what both marks in its place stand for.
    pub fn unite_marks(&self, other: &Self) -> Self {
        let mut united = String::new();
        let mut theirs = marks(&other.0).into_iter();
        let mut at = 0;
        for (start, end) in marks(&self.0) {
            united.push_str(&self.0[at..end]);
            if let Some((from, to)) = theirs.next()
                && self.0[start..end] != other.0[from..to]
            {
                united.push_str(&other.0[from..to]);
            }
            at = end;
        }
        united.push_str(&self.0[at..]);
        Self(united)
    }
}

impl<T: Into<String>> From<T> for MarkedText {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl PartialEq for MarkedText {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || without_sites(&self.0) == without_sites(&other.0)
    }
}

impl Eq for MarkedText {}

/// The byte ranges of marks in a text.
fn marks(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(SIGN).map(|start| at + start) {
        let length =
            text[start..].find(|c: char| c != SIGN && c != '_' && !c.is_ascii_digit()).unwrap_or(text.len() - start);
        found.push((start, start + length));
        at = start + length;
    }
    found
}

fn without_sites(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (start, end) in marks(text) {
        let before = &text[at..start];
        let kept = before.strip_suffix(", site=").or_else(|| before.strip_suffix("site=")).unwrap_or(before);
        out.push_str(kept);
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

/// The communications that a mark stands for.
fn sites_of(mark: &str) -> impl Iterator<Item = CommunicationSite> + '_ {
    mark.split(SIGN).filter_map(|part| {
        let (unit, expr) = part.split_once('_')?;
        Some((unit.parse().ok()?, expr.parse().ok()?))
    })
}

/// Sets of communications that share a number: each points at an earlier one of its set, the first at itself.
#[derive(Default)]
struct Classes(FxHashMap<CommunicationSite, CommunicationSite>);

impl Classes {
    fn find_first(&self, site: CommunicationSite) -> CommunicationSite {
        let mut at = site;
        while let Some(&next) = self.0.get(&at).filter(|&&next| next != at) {
            at = next;
        }
        at
    }

    fn unite_marks(&mut self, a: CommunicationSite, b: CommunicationSite) {
        let (a, b) = (self.find_first(a), self.find_first(b));
        self.0.insert(a.max(b), a.min(b));
    }
}

/// Replaces the marks in all modules by numbers, from 1 on in the order of the source, imported files first,
/// and gives each module the table that says where its file's sites are.
pub(crate) fn number_sites(world: &World, facts: &LocationFacts, modules: &mut [(UnitId, RoleModule)]) {
    let mut classes = Classes::default();
    for (_, module) in &*modules {
        for (start, end) in marks(&module.source) {
            let mut sites = sites_of(&module.source[start..end]);
            let Some(first) = sites.next() else { continue };
            for site in sites {
                classes.unite_marks(first, site);
            }
        }
    }
    let mut numbers: FxHashMap<CommunicationSite, usize> = FxHashMap::default();
    let mut tables: Vec<String> = Vec::new();
    for unit in &world.units {
        let mut places: Vec<(usize, ExprId)> = Vec::new();
        for expr in unit.order.iter().copied() {
            if !matches!(facts.file_table(unit.id).action_of(expr), Some(action) if action.is_communication()) {
                continue;
            }
            let first = classes.find_first((unit.id.0, expr.index()));
            let next = numbers.len() + 1;
            let number = *numbers.entry(first).or_insert(next);
            places.push((number, expr));
        }
        tables.push(site_table(unit, &places));
    }
    for (unit, module) in modules {
        let mut out = String::new();
        let mut at = 0;
        for (start, end) in marks(&module.source) {
            let number = sites_of(&module.source[start..end])
                .next()
                .and_then(|site| numbers.get(&classes.find_first(site)).copied());
            let Some(number) = number else { continue };
            out.push_str(&module.source[at..start]);
            let _ = write!(out, "{number}");
            at = end;
        }
        out.push_str(&module.source[at..]);
        module.source = out.replacen(TABLE, &tables[unit.0 as usize], 1);
    }
}

/// Stands in a module's text where its table of sites will be.
pub(crate) const TABLE: &str = "ꙮTABLE\n";

/// `SITES = {1: "Shop.buy, shop.py:27"}`: for each number of a file, where its communications are written.
fn site_table(unit: &Unit, places: &[(usize, ExprId)]) -> String {
    if places.is_empty() {
        return String::new();
    }
    let tree = &unit.tree;
    let file = unit.file.path().rsplit('/').next().unwrap_or_default();
    let mut rows: Vec<(usize, String)> = Vec::new();
    for &(number, expr) in places {
        let span = unit.span(tree[expr].range);
        let line = span.file.line_column(span.range.start).line;
        match rows.iter_mut().find(|(known, _)| *known == number) {
            Some((_, text)) if text.ends_with(&format!(":{line}")) || text.ends_with(&format!(", {line}")) => {}
            Some((_, text)) => {
                let _ = write!(text, ", {line}");
            }
            None => rows.push((number, format!("{}, {file}:{line}", method_around(unit, expr)))),
        }
    }
    rows.sort_unstable();
    let mut out = "SITES = {\n".to_owned();
    for (number, place) in rows {
        let _ = writeln!(out, "    {number}: {place:?},");
    }
    out.push_str("}\n");
    out
}

/// `Class.method` of the statement that an expression stands in.
fn method_around(unit: &Unit, expr: ExprId) -> String {
    let tree = &unit.tree;
    let mut names = Vec::new();
    let mut at = tree.stmt_of(expr);
    while let Some(stmt) = at {
        match tree[stmt].kind {
            StmtKind::FunctionDef(function) => names.push(tree.text(function.name.name)),
            StmtKind::ClassDef(class) => names.push(tree.text(class.name.name)),
            _ => {}
        }
        at = tree.enclosing(stmt);
    }
    names.reverse();
    names.join(".")
}

impl Action {
    /// Whether a message passes here, other than in a called method.
    fn is_communication(&self) -> bool {
        matches!(self, Self::Com { .. } | Self::Select { .. } | Self::Recover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_in_marks_are_united() {
        let left = MarkedText::from(format!("x = ch.recv(site={SIGN}0_4)"));
        let right = MarkedText::from(format!("x = ch.recv(site={SIGN}0_9)"));
        assert_eq!(left, right);
        assert_eq!(left.without_sites(), "x = ch.recv()");
        let united = left.unite_marks(&right);
        let (start, end) = marks(&united.0)[0];
        assert_eq!(sites_of(&united.0[start..end]).collect::<Vec<_>>(), [(0, 4), (0, 9)]);
        assert_eq!(united.unite_marks(&left).without_sites(), "x = ch.recv()");
        assert_ne!(left, MarkedText::from("x = other.recv()"));
    }
}
