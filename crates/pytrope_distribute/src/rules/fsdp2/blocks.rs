//! Which parts of a module are repeated blocks that a forward pass calls one after another.

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use crate::index::exprs_in;
use crate::rewrite::Rewrite;
use crate::trace::{Def, ExprPlace, argument_of};

/// Paths below a module, such as `encoder.layers`, whose elements are blocks.
pub fn repeated_blocks(rw: &Rewrite, at: ExprPlace) -> Vec<String> {
    let mut paths = Vec::new();
    if let Some(class) = rw.trace.class_of(at) {
        collect_blocks(rw, class, "", 3, &mut paths);
    }
    paths
}

fn collect_blocks(rw: &Rewrite, class: Def, prefix: &str, fuel: u32, paths: &mut Vec<String>) {
    let (module, stmt) = class;
    let tree = rw.trace.tree(module);
    for node in tree.descendants(Node::Stmt(stmt)) {
        let Node::Stmt(assign) = node else { continue };
        let StmtKind::Assign { targets, value } = tree[assign].kind else { continue };
        let [target] = tree[targets][..] else { continue };
        let ExprKind::Attribute { value: owner, attribute, .. } = tree[target].kind else { continue };
        if rw.trace.self_class((module, owner)) != Some(stmt) {
            continue;
        }
        let name = tree.text(attribute.name);
        let api = rw.trace.called_api((module, value)).unwrap_or_default();
        match api.as_str() {
            "torch.nn.ModuleList" if calls_elements(rw, class, name) => paths.push(format!("{prefix}{name}")),
            "torch.nn.Sequential" if is_repetition(rw, (module, value)) => paths.push(format!("{prefix}{name}")),
            "torch.nn.TransformerEncoder" | "torch.nn.TransformerDecoder" => {
                paths.push(format!("{prefix}{name}.layers"));
            }
            "torch.nn.Transformer" => {
                paths.extend(["encoder", "decoder"].map(|part| format!("{prefix}{name}.{part}.layers")));
            }
            _ => {
                if let Some(inner) = rw.trace.project_callee((module, value)).filter(|_| fuel > 0)
                    && matches!(rw.trace.tree(inner.0)[inner.1].kind, StmtKind::ClassDef(_))
                {
                    collect_blocks(rw, inner, &format!("{prefix}{name}."), fuel - 1, paths);
                }
            }
        }
    }
}

/// Whether a class has a loop `for block in self.NAME:` that calls `block(...)`.
fn calls_elements(rw: &Rewrite, (module, class): Def, name: &str) -> bool {
    let tree = rw.trace.tree(module);
    let is_list = |e: ExprId| {
        matches!(tree[e].kind, ExprKind::Attribute { value, attribute, .. }
        if tree.text(attribute.name) == name && rw.trace.self_class((module, value)) == Some(class))
    };
    tree.descendants(Node::Stmt(class)).any(|node| {
        let Node::Stmt(l) = node else { return false };
        let StmtKind::For { target, iter, .. } = tree[l].kind else { return false };
        let reads = tree.descendants(Node::Expr(iter)).any(|n| matches!(n, Node::Expr(e) if is_list(e)));
        reads && calls_target(rw, module, l, target)
    })
}

fn calls_target(rw: &Rewrite, module: usize, l: StmtId, target: ExprId) -> bool {
    let tree = rw.trace.tree(module);
    let names: Vec<&str> = tree
        .descendants(Node::Expr(target))
        .filter_map(|n| match n {
            Node::Expr(e) => tree.as_name(e).map(|name| tree.text(name)),
            Node::Stmt(_) => None,
        })
        .collect();
    exprs_in(tree, l).any(|e| match tree[e].kind {
        ExprKind::Call { function, .. } => tree.as_name(function).is_some_and(|n| names.contains(&tree.text(n))),
        _ => false,
    })
}

/// `nn.Sequential(*[Block(n) for _ in range(6)])`.
fn is_repetition(rw: &Rewrite, (module, call): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    argument_of(tree, call, "", 0).is_some_and(|first| match tree[first].kind {
        ExprKind::Starred { value, .. } => {
            matches!(tree[value].kind, ExprKind::ListComp { .. } | ExprKind::Generator { .. })
        }
        _ => false,
    })
}
