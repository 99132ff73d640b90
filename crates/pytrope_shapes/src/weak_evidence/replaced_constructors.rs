//! Constructors that a module of the run replaces.
//!
//! ```python
//! setattr(Processor, "__init__", Processor.Init)      # behind the class, in its own module or another one
//! Processor(model_file="m.model")
//! ```

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_eval::code::Code;
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use rustc_hash::FxHashMap;

use super::expression_at;

const CONSTRUCTORS: [&str; 2] = ["__init__", "__new__"];

/// Whether a finding is about the arguments of a constructor, and some module stores another one in its class.
pub(super) fn is_of_replaced_constructor(codes: &FxHashMap<&str, &Arc<Code>>, code: &Code, finding: &Finding) -> bool {
    let is_about_constructor = CONSTRUCTORS.iter().any(|name| finding.message.contains(&format!("{name}()")));
    if finding.rule.id != "wrong-arguments" || !is_about_constructor {
        return false;
    }
    let Some(read) = expression_at(code, finding.primary.range) else { return false };
    let ExprKind::Call { function, .. } = code.tree[read].kind else { return false };
    let Some(class) = code.tree.dotted(function).and_then(|path| path.last().copied()) else { return false };
    codes.values().any(|code| code.str_of(class).is_some() && replaces_constructor(code, class))
}

/// Whether a module stores a constructor in a class of this name.
fn replaces_constructor(code: &Code, class: &str) -> bool {
    let tree = &code.tree;
    if CONSTRUCTORS.iter().all(|name| code.str_of(name).is_none()) {
        return false;
    }
    let is_class = |id: ExprId| tree.dotted(id).is_some_and(|path| path.last().copied() == Some(class));
    let is_constructor = |id: ExprId| match tree[id].kind {
        ExprKind::Attribute { value, attribute, .. } => {
            CONSTRUCTORS.contains(&tree.text(attribute.name)) && is_class(value)
        }
        _ => false,
    };
    let is_stored = tree.stmt_ids().any(|id| match tree[id].kind {
        StmtKind::Assign { targets, .. } => tree[targets].iter().any(|&target| is_constructor(target)),
        _ => false,
    });
    is_stored
        || tree.expr_ids().any(|id| match tree[id].kind {
            ExprKind::Call { function, arguments } => {
                let is_setattr = tree.as_name(function).is_some_and(|name| tree.text(name) == "setattr");
                let names_it = |id: ExprId| match tree[id].kind {
                    ExprKind::Str(text) => CONSTRUCTORS.contains(&tree.text(text)),
                    _ => false,
                };
                is_setattr
                    && matches!(&tree[arguments.positional], [target, name, _] if is_class(*target) && names_it(*name))
            }
            _ => false,
        })
}
