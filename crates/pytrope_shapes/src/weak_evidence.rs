//! Findings whose evidence is weak, because the author of the code says so or the file is not Python as it stands.
//!
//! - A comment tells another checker that the very thing is on purpose: `# noqa: F821` beside a name, `# type: ignore[attr-defined]` beside
//!   an attribute. Somebody has looked at the line, and the name is put there by other means. What is so marked once is not reported
//!   elsewhere: an attribute in the whole run, a name in its file.
//! - Tests run (`shown_by_tests.rs`).
//! - Others change what is kept (`kept_values.rs`), and the builtin types (`builtin_types.rs`); a claim that is repeated refutes itself
//!   (`repeated_claims.rs`).
//! - A module stores another constructor in a class than the one that the class defines (`replaced_constructors.rs`).
//! - A module that has a library's name may be another one (`shadowed_modules.rs`), and a package may bind the name of a part of it to what the
//!   part holds (`called_modules.rs`).
//! - A metaclass may keep other values than the body of a class stores (`class_bodies.rs`), and code that a module gives a name as a text
//!   may bind it there (`named_by_text.rs`).
//! - Who asks the same twice expects the same answer (`same_conditions.rs`), and who asks what a value has before using it knows that there
//!   are several kinds (`guarded_values.rs`).
//! - A stub beside a file declares names that a compiled half or a loader puts into it.
//! - A template becomes Python when its fields are filled in. `{{name}}` is one of its fields: as Python it is a set with a set in
//!   it, which always raises. In a folder of templates names that nothing binds are fields, and if it is no package, nothing but errors of
//!   shapes is reported.

mod builtin_types;
mod called_modules;
mod class_bodies;
mod conditions;
mod guarded_values;
mod kept_values;
mod named_by_text;
mod operands;
mod origins;
mod repeated_claims;
mod replaced_constructors;
mod same_conditions;
mod shadowed_modules;
mod shown_by_tests;

use std::path::Path;
use std::sync::Arc;

use pytrope_diagnostics::{Finding, Severity};
use pytrope_eval::code::{Code, ScopeKind};
use pytrope_source::tree::{Context, ExprId, ExprKind};
use pytrope_source::{TextRange, probes};
use rustc_hash::{FxHashMap, FxHashSet};

use operands::operands_of_finding;

/// What other checkers call a name that nothing binds.
const NAME_MARKS: [&str; 5] =
    ["F821", "name-defined", "undefined-variable", "reportUndefinedVariable", "unresolved-reference"];

/// What they call an attribute that an object lacks.
const ATTRIBUTE_MARKS: [&str; 4] = ["attr-defined", "no-member", "reportAttributeAccessIssue", "unresolved-attribute"];

/// Types of values that Python writes as literals.
const PLAIN_TYPES: [&str; 10] = ["NoneType", "bool", "bytes", "complex", "dict", "float", "int", "list", "set", "str"];

/// What the evidence of findings is weighed by.
pub(crate) struct Evidence<'a> {
    pub codes: &'a [&'a Arc<Code>],
    /// Whether a name is that of a library, by models and tables.
    pub is_library: &'a dyn Fn(&str) -> bool,
    /// Whether it is that of a library outside the standard one.
    pub is_third_party: &'a dyn Fn(&str) -> bool,
    /// Whether the program gives builtin types attributes and operators that Python does not give them.
    pub opens_builtin_types: bool,
    /// What may fail is reported too.
    pub possible: bool,
}

/// Takes out findings that the author has marked, those in templates, and those that rest on what others may have changed.
pub(crate) fn drop_weak_findings(evidence: &Evidence<'_>, findings: &mut Vec<Finding>) {
    let Evidence { codes, is_library, is_third_party, opens_builtin_types, possible } = *evidence;
    let by_path: FxHashMap<&str, &Arc<Code>> = codes.iter().map(|code| (code.file.path(), *code)).collect();
    let mut templates: FxHashMap<String, bool> = FxHashMap::default();
    findings.retain(|finding| {
        let path = finding.primary.file.path();
        let is_template =
            *templates.entry(path.to_owned()).or_insert_with(|| by_path.get(path).is_some_and(|code| has_fields(code)));
        let is_field = !finding.rule.code.starts_with("PT2")
            && folder_of_templates(Path::new(path))
                .is_some_and(|folder| finding.rule.id == "undefined-name" || !is_package(folder));
        !is_template && !is_field
    });
    shown_by_tests::drop_what_tests_refute(&by_path, findings);
    findings.retain(|finding| !shadowed_modules::is_of_shadowed_module(finding, is_library));
    findings.retain(|finding| !opens_builtin_types || !builtin_types::is_of_builtin_type(finding));
    findings.retain(|finding| {
        let code = by_path.get(finding.primary.file.path());
        !code.is_some_and(|code| {
            same_conditions::is_bound_under_condition_asked_again(code, finding)
                || guarded_values::is_behind_question(&by_path, code, finding)
                || replaced_constructors::is_of_replaced_constructor(&by_path, code, finding)
                || class_bodies::is_of_class_namespace(code, finding)
                || named_by_text::is_named_by_text(&by_path, finding)
                || called_modules::is_of_package(&by_path, code, is_library, finding)
        })
    });
    findings.retain(|finding| !is_declared_in_stub(finding));
    findings.retain_mut(|finding| {
        let code = by_path.get(finding.primary.file.path());
        let is_weak = code.is_some_and(|code| kept_values::rests_on_kept_value(code, finding));
        if is_weak && possible {
            finding.severity = Severity::Warning;
            finding.message = format!("may fail, if nothing has changed what is kept here: {}", finding.message);
        }
        !is_weak || possible
    });
    repeated_claims::drop_repeated_claims(&by_path, is_third_party, findings);
    shown_by_tests::drop_claims_about_tested_values(&by_path, is_library, findings);
    let marked: FxHashSet<(String, String)> =
        findings.iter().filter(|finding| is_marked(finding)).filter_map(reach_of_mark).collect();
    if !marked.is_empty() {
        findings.retain(|finding| reach_of_mark(finding).is_none_or(|reach| !marked.contains(&reach)));
    }
}

/// Whether a finding is about a name that the stub beside the file declares: a compiled half, or a loader, puts it there.
fn is_declared_in_stub(finding: &Finding) -> bool {
    let path = Path::new(finding.primary.file.path());
    if finding.rule.id != "undefined-name" || path.extension().is_none_or(|extension| extension != "py") {
        return false;
    }
    let name = finding.primary.text();
    let is_declaration = |line: &str| {
        let rest =
            ["async def ", "def ", "class "].iter().find_map(|keyword| line.strip_prefix(keyword)).unwrap_or(line);
        rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let stub = probes::read(&path.with_extension("pyi"));
    stub.is_ok_and(|text| String::from_utf8_lossy(&text).lines().any(is_declaration))
}

/// Whether a finding says of a value, a name or a function that an operation on it certainly fails.
fn is_claim(finding: &Finding) -> bool {
    finding.severity == Severity::Error && finding.raises.is_some()
}

/// Whether a range lies in another.
fn contains(outer: TextRange, inner: TextRange) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether a name is stored to.
fn is_stored_at(code: &Code, id: ExprId) -> bool {
    matches!(code.tree[id].kind, ExprKind::Name { context: Context::Store, .. })
}

/// The names of the functions around a place.
fn function_names_around(code: &Code, range: TextRange) -> impl Iterator<Item = &str> {
    let around = code.scopes.iter().map(|(_, info)| info);
    let around = around.filter(move |info| info.kind == ScopeKind::Function && contains(info.range, range));
    around.filter_map(|info| info.name).map(|name| code.tree.text(name))
}

/// The expression at a place.
fn expression_at(code: &Code, range: TextRange) -> Option<ExprId> {
    code.tree.expr_ids().find(|&id| code.tree[id].range == range)
}

/// Attributes that plain values had in Python 2: tests that were never ported read them in many files.
const FORMER_ATTRIBUTES: [&str; 8] =
    ["decode", "encode", "has_key", "iteritems", "iterkeys", "itervalues", "next", "sort"];

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

/// The folder of templates that a file lies in.
fn folder_of_templates(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|folder| {
        let name = folder.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
        name.ends_with("template") || name.ends_with("templates")
    })
}

/// Whether a folder is a package: then it holds a program that works with templates.
fn is_package(folder: &Path) -> bool {
    probes::is_file(&folder.join("__init__.py"))
}
