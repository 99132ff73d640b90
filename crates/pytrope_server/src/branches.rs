//! Code actions on an `if`: the document without the branches that the condition decides, where it holds and where it does not.
//!
//! The question is put to the same analysis as `pytrope prune`, with the enclosing function or model as its entry, so that an action is
//! offered only where the branch goes away for every input that is assumed.

use std::collections::HashMap;
use std::sync::Arc;

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Range, TextEdit, Url, WorkspaceEdit};
use pytrope_source::tree::{ExprId, StmtId, StmtKind};
use pytrope_source::{SourceFile, Span, TextRange, Tree, parse};

use crate::analyzer::BranchQuestion;
use crate::places::Places;

/// The methods that run when an object is called.
const CALLED: [&str; 3] = ["forward", "__call__", "call"];

/// What can be asked about the branches whose tests touch a range, with the titles of the actions.
pub(crate) fn branch_questions(
    file: &Arc<SourceFile>,
    uri: &Url,
    range: Range,
    places: Places<'_>,
) -> Vec<(String, BranchQuestion)> {
    let tree = parse(file).tree;
    let is_meant = |test: ExprId| {
        let location = places.location_of(&Span::new(file, tree[test].range));
        location.is_some_and(|location| {
            location.uri == *uri && location.range.start.line <= range.end.line && range.start <= location.range.end
        })
    };
    let mut questions = Vec::new();
    for stmt in tree.stmt_ids() {
        let StmtKind::If { test, clauses, .. } = tree[stmt].kind else { continue };
        let others = tree[clauses].iter().filter_map(|clause| clause.test);
        for test in std::iter::once(test).chain(others).filter(|test| is_meant(*test)) {
            let Some(entry) = entry_around(&tree, stmt) else { continue };
            let (condition, test) = (tree[test].range.of(file.text()), tree[test].range);
            let assumptions = [
                ("Prune the branches that shapes decide".to_owned(), None),
                (format!("Prune for `{condition}`"), Some(condition.to_owned())),
                (format!("Prune for `not ({condition})`"), Some(format!("not ({condition})"))),
            ];
            let asked = assumptions
                .into_iter()
                .map(|(title, assume)| (title, BranchQuestion { entry: entry.clone(), assume, test }));
            questions.extend(asked);
        }
    }
    questions
}

/// The entry whose run reaches a statement: the function of the module, or the class of the method, that it stands in.
fn entry_around(tree: &Tree, stmt: StmtId) -> Option<String> {
    let around: Vec<StmtId> = std::iter::successors(tree.enclosing(stmt), |at| tree.enclosing(*at)).collect();
    let definitions: Vec<StmtKind> = around
        .iter()
        .map(|at| tree[*at].kind)
        .filter(|kind| matches!(kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_)))
        .collect();
    match definitions.as_slice() {
        [StmtKind::FunctionDef(function)] => Some(tree.text(function.name.name).to_owned()),
        [StmtKind::FunctionDef(method), StmtKind::ClassDef(class)] => {
            CALLED.contains(&tree.text(method.name.name)).then(|| format!("{}()", tree.text(class.name.name)))
        }
        _ => None,
    }
}

/// The action that makes a document into its pruned text, by one edit of the lines that differ.
pub(crate) fn prune_action(
    file: &Arc<SourceFile>,
    title: String,
    pruned: &str,
    places: Places<'_>,
) -> Option<CodeActionOrCommand> {
    let (range, text) = changed_lines(file.text(), pruned)?;
    let location = places.location_of(&Span::new(file, range))?;
    let changes = HashMap::from([(location.uri, vec![TextEdit::new(location.range, text.to_owned())])]);
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::REFACTOR_REWRITE),
        edit: Some(WorkspaceEdit::new(changes)),
        ..CodeAction::default()
    }))
}

/// The lines of `old` between the first and the last that differ from `new`, and what `new` has there.
fn changed_lines<'a>(old: &str, new: &'a str) -> Option<(TextRange, &'a str)> {
    let same = |(x, y): &(&str, &str)| x == y;
    let length = |lines: &[(&str, &str)]| lines.iter().map(|(line, _)| line.len()).sum::<usize>();
    let pairs: Vec<(&str, &str)> = old.split_inclusive('\n').zip(new.split_inclusive('\n')).collect();
    let before = length(&pairs.iter().copied().take_while(same).collect::<Vec<_>>());
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (old_rest.split_inclusive('\n').collect(), new_rest.split_inclusive('\n').collect());
    let pairs: Vec<(&str, &str)> = old_lines.into_iter().rev().zip(new_lines.into_iter().rev()).collect();
    let after = length(&pairs.into_iter().take_while(same).collect::<Vec<_>>());
    let end = old.len() - after;
    let range = TextRange { start: u32::try_from(before).ok()?, end: u32::try_from(end).ok()? };
    (old != new).then(|| (range, &new[before..new.len() - after]))
}

#[cfg(test)]
mod tests {
    use super::changed_lines;

    #[test]
    fn an_edit_covers_the_lines_that_differ() {
        let edit = |old: &str, new: &str| {
            changed_lines(old, new).map(|(range, text)| (range.of(old).to_owned(), text.to_owned()))
        };
        let found = |old: &str, new: &str| Some((old.to_owned(), new.to_owned()));
        assert_eq!(edit("a\nb\nc\n", "a\nc\n"), found("b\n", ""));
        assert_eq!(edit("a\nb\nc\n", "a\nx\ny\nc\n"), found("b\n", "x\ny\n"));
        assert_eq!(edit("a\na\n", "a\n"), found("a\n", ""));
        assert_eq!(edit("a\n", "a\n"), None);
    }
}
