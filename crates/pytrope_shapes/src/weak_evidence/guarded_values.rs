//! Claims about a value behind a test of the same value.
//!
//! ```python
//! if hasattr(sequence, "__len__") and len(sequence) == 0: ...
//! ```
//!
//! An author who asks what an object has before it is used knows that there are objects of several kinds; that the one at hand passes the
//! test and fails behind it shows that the analysis has misread the test. An attribute of a class of the program that the file of the
//! class asks for (`if not hasattr(self, "dialect"): self.dialect = …`) may be there already.

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_eval::code::Code;
use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use rustc_hash::FxHashMap;

use super::conditions::conditions_around;
use super::{PLAIN_TYPES, expression_at, is_claim, operands_of_finding};

/// Whether what a finding is about is asked for by `hasattr` or `callable` around it, or by the file of the class that it blames.
pub(super) fn is_behind_question(codes: &FxHashMap<&str, &Arc<Code>>, code: &Code, finding: &Finding) -> bool {
    if !is_claim(finding)
        || !matches!(finding.rule.id, "bad-operand" | "missing-attribute" | "not-callable" | "not-iterable")
    {
        return false;
    }
    is_asked_by_class(codes, finding) || is_asked_around(code, finding)
}

fn is_asked_around(code: &Code, finding: &Finding) -> bool {
    let Some(read) = expression_at(code, finding.primary.range) else { return false };
    let operands = operands_of_finding(code, finding, read);
    let texts: Vec<&str> = operands.iter().map(|&id| code.file.slice(code.tree[id].range)).collect();
    let asks = |id: ExprId| match asked_value(code, id) {
        Some((asked, _)) => texts.contains(&code.file.slice(code.tree[asked].range)),
        None => false,
    };
    conditions_around(code, Node::Expr(read)).into_iter().any(|(test, _)| {
        code.tree.descendants(Node::Expr(test)).any(|node| match node {
            Node::Expr(id) => asks(id),
            Node::Stmt(_) => false,
        })
    })
}

/// What `hasattr(object, "name")` and `callable(object)` ask about, and the name.
fn asked_value(code: &Code, id: ExprId) -> Option<(ExprId, Option<&str>)> {
    let tree = &code.tree;
    let ExprKind::Call { function, arguments } = tree[id].kind else { return None };
    let name = tree.text(tree.as_name(function)?);
    let asked = match &tree[arguments.positional] {
        [asked] if name == "callable" => return Some((*asked, None)),
        [asked, text] if name == "hasattr" => (*asked, *text),
        _ => return None,
    };
    match tree[asked.1].kind {
        ExprKind::Str(text) => Some((asked.0, Some(tree.text(text)))),
        _ => Some((asked.0, None)),
    }
}

/// Whether a file that defines the class which is said to lack an attribute asks for that attribute.
fn is_asked_by_class(codes: &FxHashMap<&str, &Arc<Code>>, finding: &Finding) -> bool {
    let mut quoted = finding.message.split('\'').skip(1).step_by(2);
    let (class, attribute) = (quoted.next().unwrap_or_default(), quoted.next().unwrap_or_default());
    if finding.rule.id != "missing-attribute" || attribute.is_empty() || PLAIN_TYPES.contains(&class) {
        return false;
    }
    let defines = |code: &Code| {
        code.str_of(class).is_some()
            && code.tree.stmt_ids().any(|id| match code.tree[id].kind {
                StmtKind::ClassDef(definition) => code.tree.text(definition.name.name) == class,
                _ => false,
            })
    };
    let asks = |code: &Code| {
        code.str_of("hasattr").is_some()
            && code.str_of(attribute).is_some()
            && code.tree.expr_ids().any(|id| asked_value(code, id).is_some_and(|(_, name)| name == Some(attribute)))
    };
    codes.values().any(|code| asks(code) && defines(code))
}
