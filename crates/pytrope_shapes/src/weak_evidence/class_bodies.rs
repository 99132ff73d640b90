//! Claims about names in the body of a class.
//!
//! ```python
//! class Words(Lexer):
//!     NAME = "[a-z]+"
//!     NAME["if"] = IF          # the metaclass of `Lexer` has given a namespace that keeps objects of its own
//! ```
//!
//! A metaclass makes the namespace that the body of a class fills (`__prepare__`), and what is stored in it may come back as something
//! else. Below a base or with keywords, what a name of the body is says what such a namespace has made of it.

use pytrope_diagnostics::Finding;
use pytrope_eval::code::{Code, ScopeKind};
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use super::{contains, expression_at, is_claim, operands_of_finding};

/// Whether a finding says of a name that the body of a class binds what its value is, and the class has a base or keywords.
pub(super) fn is_of_class_namespace(code: &Code, finding: &Finding) -> bool {
    let is_of_value = matches!(
        finding.rule.id,
        "bad-operand" | "index-range" | "missing-attribute" | "missing-key" | "not-callable" | "not-iterable"
    );
    if !is_of_value || !is_claim(finding) {
        return false;
    }
    let around = code.scopes.iter().map(|(_, info)| info);
    let around = around.filter(|info| info.kind != ScopeKind::Module && contains(info.range, finding.primary.range));
    let Some(body) = around.min_by_key(|info| info.range.end - info.range.start) else { return false };
    let Some(StmtKind::ClassDef(class)) = body.stmt.map(|stmt| code.tree[stmt].kind) else { return false };
    let is_object = |base: &ExprId| code.tree.as_name(*base).is_some_and(|name| code.tree.text(name) == "object");
    let has_bases = class.arguments.is_some_and(|arguments| {
        !code.tree[arguments.keywords].is_empty() || !code.tree[arguments.positional].iter().all(is_object)
    });
    let Some(read) = expression_at(code, finding.primary.range).filter(|_| has_bases) else { return false };
    operands_of_finding(code, finding, read).into_iter().any(|operand| match code.tree[operand].kind {
        ExprKind::Name { name, .. } => body.binds(name),
        _ => false,
    })
}
