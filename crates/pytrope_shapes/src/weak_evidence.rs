//! Findings whose evidence is weak, because the author of the code says so or the file is not Python as it stands.
//!
//! - A comment tells another checker that the very thing is on purpose: `# noqa: F821` beside a name, `# type: ignore[attr-defined]` beside
//!   an attribute. Somebody has looked at the line, and the name is put there by other means. What is so marked once is not reported
//!   elsewhere: an attribute in the whole run, a name in its file.
//! - A template becomes Python when its fields are filled in. `{{name}}` is one of its fields: as Python it is a set with a set in
//!   it, which always raises. In a folder of templates names that nothing binds are fields.

use std::path::Path;
use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_eval::code::Code;
use pytrope_source::tree::{ExprId, ExprKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What other checkers call a name that nothing binds.
const NAME_MARKS: [&str; 5] =
    ["F821", "name-defined", "undefined-variable", "reportUndefinedVariable", "unresolved-reference"];

/// What they call an attribute that an object lacks.
const ATTRIBUTE_MARKS: [&str; 4] = ["attr-defined", "no-member", "reportAttributeAccessIssue", "unresolved-attribute"];

/// Takes out findings that the author has marked, and those in templates.
pub(crate) fn drop_weak_findings(codes: &[&Arc<Code>], findings: &mut Vec<Finding>) {
    let by_path: FxHashMap<&str, &Arc<Code>> = codes.iter().map(|code| (code.file.path(), *code)).collect();
    let mut templates: FxHashMap<String, bool> = FxHashMap::default();
    findings.retain(|finding| {
        let path = finding.primary.file.path();
        let is_template =
            *templates.entry(path.to_owned()).or_insert_with(|| by_path.get(path).is_some_and(|code| has_fields(code)));
        let is_field = finding.rule.id == "undefined-name" && is_among_templates(Path::new(path));
        !is_template && !is_field
    });
    let marked: FxHashSet<(String, String)> =
        findings.iter().filter(|finding| is_marked(finding)).filter_map(reach_of_mark).collect();
    if !marked.is_empty() {
        findings.retain(|finding| reach_of_mark(finding).is_none_or(|reach| !marked.contains(&reach)));
    }
}

/// Where a mark holds, and for what.
fn reach_of_mark(finding: &Finding) -> Option<(String, String)> {
    match finding.rule.id {
        "undefined-name" => Some((finding.primary.file.path().to_owned(), finding.message.clone())),
        "missing-attribute" => Some((String::new(), finding.message.clone())),
        _ => None,
    }
}

/// Whether a comment on the line of a finding, or one for the whole file, names what the finding is about.
fn is_marked(finding: &Finding) -> bool {
    let marks: &[&str] = match finding.rule.id {
        "undefined-name" => &NAME_MARKS,
        "missing-attribute" => &ATTRIBUTE_MARKS,
        _ => return false,
    };
    let names_it = |line: &str| {
        let comment = line.find('#').map(|at| &line[at..]);
        comment.is_some_and(|comment| marks.iter().any(|mark| comment.contains(mark)))
    };
    let (text, range) = (finding.primary.file.text(), finding.primary.range);
    let start = text[..range.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end as usize..].find('\n').map_or(text.len(), |at| range.end as usize + at);
    let is_for_file = |line: &str| {
        let line = line.trim_start();
        line.starts_with('#') && (line.contains("noqa") || line.contains("disable")) && names_it(line)
    };
    names_it(&text[start..end]) || text.lines().any(is_for_file)
}

/// Whether a module has `{{name}}` in it.
fn has_fields(code: &Code) -> bool {
    let only_element = |id: ExprId| match code.tree[id].kind {
        ExprKind::Set { elements } => match code.tree[elements] {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    };
    let is_field = |id: ExprId| matches!(code.tree[id].kind, ExprKind::Name { .. });
    code.tree.expr_ids().any(|id| only_element(id).and_then(only_element).is_some_and(is_field))
}

/// Whether a file lies in a folder of templates.
fn is_among_templates(path: &Path) -> bool {
    let folders = path.parent().into_iter().flat_map(Path::components);
    folders.filter_map(|folder| folder.as_os_str().to_str()).any(|folder| {
        let folder = folder.to_ascii_lowercase();
        folder.ends_with("template") || folder.ends_with("templates")
    })
}
