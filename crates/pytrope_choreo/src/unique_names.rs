//! Names that must mean one thing: classes of a file, their bases, and private names along a line of classes.

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprKind, StmtKind};
use rustc_hash::FxHashMap;

use crate::declaration::{ChoreographicClass, Unit, World};
use crate::report::{ChoreoRule, Extend, Report};

/// Refuses a class that is defined twice, or whose base is defined below it.
///
/// Projected programs keep definitions by name, so that a second one would take the place of the first everywhere; Python would use
/// the first until it runs the second.
pub(crate) fn refuse_ambiguous_classes(unit: &Unit, report: &mut Report) {
    let tree = &unit.tree;
    let mut defined: FxHashMap<&str, (TextRange, bool)> = FxHashMap::default();
    for &stmt in &tree[tree.body()] {
        let (name, is_class) = match tree[stmt].kind {
            StmtKind::ClassDef(class) => (class.name, true),
            StmtKind::FunctionDef(function) => (function.name, false),
            _ => continue,
        };
        let text = tree.text(name.name);
        if let Some((first, was_class)) = defined.insert(text, (name.range, is_class))
            && (is_class || was_class)
        {
            report
                .add_error(
                    ChoreoRule::Unsupported,
                    unit,
                    name.range,
                    format!("{text} is defined twice: each use could mean either"),
                )
                .annotate_span(unit.span(first), "defined here first")
                .add_help("give one of them another name");
        }
    }
    for (at, &stmt) in tree[tree.body()].iter().enumerate() {
        let StmtKind::ClassDef(class) = tree[stmt].kind else { continue };
        let bases = class.arguments.map_or(&[][..], |arguments| &tree[arguments.positional]);
        for &base in bases {
            let head = match tree[base].kind {
                ExprKind::Subscript { value, .. } => value,
                _ => base,
            };
            let Some(name) = tree.as_name(head).map(|name| tree.text(name)) else { continue };
            let declared = |stmt: &pytrope_source::tree::StmtId| matches!(tree[*stmt].kind, StmtKind::ClassDef(found) if tree.text(found.name.name) == name);
            let above = tree[tree.body()][..at].iter().any(declared);
            let below = tree[tree.body()][at..].iter().any(declared);
            if below && !above {
                let own = tree.text(class.name.name);
                let message = if own == name {
                    format!("{own} is its own base")
                } else {
                    format!("{name}, a base of {own}, is defined below it")
                };
                report
                    .add_error(ChoreoRule::Unsupported, unit, tree[base].range, message)
                    .add_help("define a base above the classes that derive from it");
            }
        }
    }
}

/// Refuses a private name (`__name`) that a class and one of its bases both use: Python gives each of them its own.
pub(crate) fn refuse_shared_private_names(world: &World, report: &mut Report) {
    for class in &world.classes {
        let own = private_names(world, class);
        for (base, _) in world.lineage(class.id).into_iter().skip(1) {
            let base = world.class(base);
            let theirs = private_names(world, base);
            for (name, range) in &own {
                let Some((_, first)) = theirs.iter().find(|(known, _)| known == name) else { continue };
                let span = world.unit(base.unit).span(*first);
                report
                    .add_error(
                        ChoreoRule::Unsupported,
                        world.unit(class.unit),
                        *range,
                        format!("{name} is private: {} has its own, distinct from that of {}", class.name, base.name),
                    )
                    .annotate_span(span, format!("{} uses the name here", base.name))
                    .add_help(format!("call it {}, which both classes share", name.trim_start_matches('_')));
            }
        }
    }
}

/// The private names that a class uses, each where it is used first.
fn private_names(world: &World, class: &ChoreographicClass) -> Vec<(String, TextRange)> {
    let unit = world.unit(class.unit);
    let tree = &unit.tree;
    let mut found: Vec<(String, TextRange)> = Vec::new();
    let mut note = |name: &str, range: TextRange| {
        if name.starts_with("__") && !name.ends_with("__") && !found.iter().any(|(known, _)| known == name) {
            found.push((name.to_owned(), range));
        }
    };
    for method in class.methods.values() {
        note(&method.name, method.function.name.range);
    }
    for expr in unit.exprs_within(tree[class.stmt].range) {
        if let ExprKind::Attribute { attribute, .. } = tree[expr].kind {
            note(tree.text(attribute.name), attribute.range);
        }
    }
    found
}
