//! Which name a trained module is wrapped under, where the code that makes its optimizer knows it by another one.

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use crate::index::{Kind, NameBinding, Scope, exprs_in, parent_expr, scope_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{Def, ExprPlace};

/// The calls of a function that only makes an optimizer, each with what it is given for the module: the module is wrapped there,
/// because what the function names is lost when it returns.
///
/// ```python
/// def make(net, rate):
///     return optim.Adam(net.parameters(), lr=rate)
///
/// optimizer = make(model, 0.1)     # model = DDP(model)
/// ```
pub fn made_for_callers(
    rw: &Rewrite,
    optimizer: ExprPlace,
    module: ModuleId,
    scope: Scope,
    bindings: &[NameBinding],
) -> Option<Vec<(ExprPlace, ExprPlace)>> {
    let function = scope?;
    let [NameBinding { kind: Kind::Parameter(parameter), .. }] = bindings else { return None };
    let def = (module, function);
    let returned = rw.trace.returned_values(def).into_iter().any(|value| {
        rw.trace.tree(module).descendants(Node::Expr(value)).any(|node| {
            let Node::Expr(e) = node else { return false };
            (module, e) == optimizer
                || rw.trace.value_roots((module, e)).iter().any(|r| (r.module, r.expr) == optimizer)
        })
    });
    if !returned || !only_gives_parameters(rw, def, *parameter) {
        return None;
    }
    let sites = rw.trace.calls_of(def);
    let given: Vec<(ExprPlace, ExprPlace)> =
        sites.iter().filter_map(|&site| Some((site, rw.trace.argument_at(def, *parameter, site)?))).collect();
    (!given.is_empty() && given.len() == sites.len()).then_some(given)
}

/// Whether a function reads nothing of a parameter but `parameters()`, which a wrapper has too.
fn only_gives_parameters(rw: &Rewrite, (module, function): Def, parameter: usize) -> bool {
    let tree = rw.trace.tree(module);
    let StmtKind::FunctionDef(def) = tree[function].kind else { return false };
    let names = crate::index::parameter_names(tree, &def.parameters);
    let Some(&name) = names.get(parameter) else { return false };
    exprs_in(tree, function).all(|e| {
        let reads = tree.as_name(e).is_some_and(|n| tree.text(n) == name);
        let call = parent_expr(tree, e).and_then(|attribute| parent_expr(tree, attribute));
        !reads
            || call.is_some_and(|call| {
                rw.trace.called_method((module, call)).is_some_and(|(of, method)| of == e && method == "parameters")
            })
    })
}

/// The attribute of `self` that a module is kept under before its optimizer is made, with its class.
pub fn kept_as_attribute(
    rw: &Rewrite,
    module: ModuleId,
    scope: Scope,
    optimizer: StmtId,
    name: &str,
) -> Option<(StmtId, ExprId)> {
    let tree = rw.trace.tree(module);
    let (suite, place) = tree.siblings(optimizer);
    tree[suite][..place].iter().rev().find_map(|&stmt| {
        let StmtKind::Assign { targets, value } = tree[stmt].kind else { return None };
        let [target] = tree[targets] else { return None };
        let ExprKind::Attribute { value: owner, .. } = tree[target].kind else { return None };
        let class = rw.trace.self_class((module, owner))?;
        let is_name = |e: ExprId| tree.as_name(e).is_some_and(|n| tree.text(n) == name);
        let moved = rw
            .trace
            .called_method((module, value))
            .is_some_and(|(receiver, method)| is_name(receiver) && super::placement::moves_in_place(method));
        (scope_of(tree, stmt) == scope && (is_name(value) || moved)).then_some((class, target))
    })
}
