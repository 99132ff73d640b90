//! Names that a module gives to other code as a text.
//!
//! ```python
//! @fixture(unpack_into="size, model")       # a library puts `size` and `model` into this module
//! def prepared(): ...
//! ```

use std::path::Path;
use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_eval::code::Code;
use pytrope_source::tree::{ExprId, ExprKind};
use rustc_hash::FxHashMap;

/// Whether a finding is about a name that a module lacks, and the module gives that name to a call as a text.
pub(super) fn is_named_by_text(codes: &FxHashMap<&str, &Arc<Code>>, finding: &Finding) -> bool {
    if finding.rule.id != "missing-attribute" || !finding.message.starts_with("cannot import name") {
        return false;
    }
    let mut quoted = finding.message.split('\'').skip(1).step_by(2);
    let (Some(name), Some(module)) = (quoted.next(), quoted.next()) else { return false };
    let Some(last) = module.rsplit('.').next() else { return false };
    codes.iter().any(|(path, code)| is_module(Path::new(path), last) && gives_text_with(code, name))
}

/// Whether a file is that of a module, by the last part of its name.
fn is_module(path: &Path, last: &str) -> bool {
    let stem = path.file_stem().and_then(std::ffi::OsStr::to_str);
    let folder = || path.parent().and_then(Path::file_name).and_then(std::ffi::OsStr::to_str);
    stem == Some(last) || stem == Some("__init__") && folder() == Some(last)
}

fn gives_text_with(code: &Code, name: &str) -> bool {
    let tree = &code.tree;
    let holds = |id: ExprId| match tree[id].kind {
        ExprKind::Str(text) => {
            tree.text(text).split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
        }
        _ => false,
    };
    tree.expr_ids().any(|id| match tree[id].kind {
        ExprKind::Call { arguments, .. } => {
            tree[arguments.positional].iter().any(|&given| holds(given))
                || tree[arguments.keywords].iter().any(|keyword| holds(keyword.value))
        }
        _ => false,
    })
}
