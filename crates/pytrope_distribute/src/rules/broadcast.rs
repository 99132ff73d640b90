//! Broadcast: after the first step every rank takes rank 0's variables, model and optimizer alike.
//!
//! The broadcast stands outside compiled functions, after the statement that runs the step, so that a
//! second trace cannot lose it:
//!
//! ```python
//! for x, y in data:                    # broadcast_done = False
//!     train_step(x, y)                 # for x, y in data:
//!                                      #     train_step(x, y)
//!                                      #     if not broadcast_done:
//!                                      #         hvd.broadcast_variables(model.variables, root_rank=0)
//!                                      #         hvd.broadcast_variables(optimizer.variables(), root_rank=0)
//!                                      #         broadcast_done = True
//! ```

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use crate::identify::TrainingUpdate;
use crate::index::{Kind, Scope, class_of, expr_scope, loops_around, scope_of, self_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{Def, ExprPlace, Trace, keyword_argument, positional_argument};

const RULE: &str = "broadcast-variables";

/// Variables to broadcast after a statement.
struct BroadcastSite {
    module: ModuleId,
    stmt: StmtId,
    /// Texts of iterables of variables, valid at the statement.
    variables: Vec<String>,
}

pub fn broadcast_updated(rw: &mut Rewrite) {
    let mut sites: Vec<BroadcastSite> = Vec::new();
    for update in &rw.training.updates.clone() {
        let trained = rw.training.tapes.iter().any(|t| t.module == update.module)
            && (update.optimizer.is_some() || hand_made(rw, update));
        if !trained {
            continue;
        }
        match locate_broadcast(rw, update) {
            Ok(found) => {
                for site in found {
                    merge_sites(&mut sites, rw.trace, site);
                }
            }
            Err(Refusal { rule, place, message, help }) => {
                let range = rw.range(place);
                rw.refuse_at(rule, place.0, range, message, help);
            }
        }
    }
    sites.sort_by_key(|site| (site.module, rw.trace.tree(site.module)[site.stmt].range.start));
    let mut written: Vec<WrittenBroadcast> = Vec::new();
    for site in sites {
        write_broadcast(rw, &site, &mut written);
    }
}

/// A broadcast that stands, for later steps of the same variables.
struct WrittenBroadcast {
    module: ModuleId,
    scope: Scope,
    variables: Vec<String>,
    /// The flag that tells it is done; `None` where it always is.
    flag: Option<String>,
}

/// `w.assign_sub(rate * gradient)` on a variable that a tape trains.
fn hand_made(rw: &Rewrite, update: &TrainingUpdate) -> bool {
    update.variables.is_some_and(|v| {
        rw.trace
            .value_roots((update.module, v))
            .iter()
            .any(|r| r.iterated || rw.trace.called_api((r.module, r.expr)).as_deref() == Some("tf.Variable"))
    })
}

fn merge_sites(sites: &mut Vec<BroadcastSite>, trace: &Trace, site: BroadcastSite) {
    let tree = trace.tree(site.module);
    // Updates in one suite are broadcast together, after the last of them.
    let suite = tree.siblings(site.stmt).0;
    if let Some(known) = sites.iter_mut().find(|s| s.module == site.module && tree.siblings(s.stmt).0 == suite) {
        if tree[site.stmt].range.start > tree[known.stmt].range.start {
            known.stmt = site.stmt;
        }
        for text in site.variables {
            if !known.variables.contains(&text) {
                known.variables.push(text);
            }
        }
        return;
    }
    sites.push(site);
}

struct Refusal {
    rule: &'static str,
    place: ExprPlace,
    message: String,
    help: &'static str,
}

fn locate_broadcast(rw: &Rewrite, update: &TrainingUpdate) -> Result<Vec<BroadcastSite>, Refusal> {
    let place = (update.module, update.call);
    let refusal = |message: &str, help: &'static str| Refusal {
        rule: "untraceable-model",
        place,
        message: message.to_owned(),
        help,
    };
    let Some(variables) = update.variables else {
        return Err(refusal(
            "the variables that this call updates cannot be seen",
            "give the pairs as `zip(gradients, variables)`",
        ));
    };
    let mut texts = vec![variables_text(rw.trace, (update.module, variables))];
    if update.optimizer.is_none() {
        texts = vec![Text::new(rw.trace, (update.module, variables), "[", "]")];
    }
    if let Some(optimizer) = update.optimizer {
        texts.push(Text::new(rw.trace, (update.module, optimizer), "", ".variables()"));
    }
    let Some(stmt) = rw.stmt_of(place) else { return Ok(Vec::new()) };
    climb_to_loop(rw, update.module, stmt, texts, place, 8)
}

/// The names in a text: from, to, name.
type NameRanges = Vec<(usize, usize, String)>;

/// A text with the names in it that may have to be said otherwise at another place.
#[derive(Clone)]
#[expect(clippy::struct_field_names, reason = "a text has a text")]
struct Text {
    module: ModuleId,
    scope: Scope,
    text: String,
    /// Expressions of names inside, as ranges of `text`.
    names: NameRanges,
}

impl Text {
    fn new(trace: &Trace, place: ExprPlace, before: &str, after: &str) -> Self {
        let (module, expr) = place;
        let tree = trace.tree(module);
        let start = tree[expr].range.start as usize;
        let mut names = Vec::new();
        for node in tree.descendants(Node::Expr(expr)) {
            if let Node::Expr(e) = node
                && let Some(name) = tree.as_name(e)
            {
                let range = tree[e].range;
                let from = range.start as usize - start + before.len();
                names.push((from, from + range.len() as usize, tree.text(name).to_owned()));
            }
        }
        names.sort_unstable();
        let text = format!("{before}{}{after}", trace.text(place));
        Self { module, scope: expr_scope(tree, expr), text, names }
    }

    /// Replace each name by what `say` gives for it.
    fn map(
        &self,
        scope: Scope,
        module: ModuleId,
        say: &mut dyn FnMut(&str) -> Option<(String, NameRanges)>,
    ) -> Option<Self> {
        let mut text = String::new();
        let mut names = Vec::new();
        let mut at = 0;
        for (from, to, name) in &self.names {
            text.push_str(&self.text[at..*from]);
            let (said, inner) = say(name)?;
            let offset = text.len();
            names.extend(inner.into_iter().map(|(a, b, n)| (a + offset, b + offset, n)));
            text.push_str(&said);
            at = *to;
        }
        text.push_str(&self.text[at..]);
        Some(Self { module, scope, text, names })
    }
}

/// `model.trainable_variables` is broadcast as `model.variables`, so that statistics travel too.
fn variables_text(trace: &Trace, place: ExprPlace) -> Text {
    let (module, expr) = place;
    let tree = trace.tree(module);
    match tree[expr].kind {
        ExprKind::Attribute { value, attribute, .. }
            if matches!(
                tree.text(attribute.name),
                "trainable_variables" | "trainable_weights" | "weights" | "variables"
            ) =>
        {
            Text::new(trace, (module, value), "", ".variables")
        }
        ExprKind::Name { name, .. } => {
            let scope = expr_scope(tree, expr);
            let index = &trace.project.modules[module].index;
            if let Some((found, [binding])) = index.lookup_name(tree, scope, tree.text(name))
                && found == scope
                && let Kind::Value(value) = binding.kind
                && matches!(
                    tree[value].kind,
                    ExprKind::Attribute { .. } | ExprKind::Name { .. } | ExprKind::BinOp { .. }
                )
            {
                return variables_text(trace, (module, value));
            }
            Text::new(trace, place, "", "")
        }
        ExprKind::BinOp { left, op: pytrope_source::tree::BinaryOperator::Add, right } => {
            let mut both = variables_text(trace, (module, left));
            let right = variables_text(trace, (module, right));
            both.text.push_str(" + ");
            let offset = both.text.len();
            both.names.extend(right.names.into_iter().map(|(from, to, name)| (from + offset, to + offset, name)));
            both.text.push_str(&right.text);
            both
        }
        _ => Text::new(trace, place, "", ""),
    }
}

/// Go up through the callers until a statement stands in a loop and outside compiled code.
fn climb_to_loop(
    rw: &Rewrite,
    module: ModuleId,
    stmt: StmtId,
    texts: Vec<Text>,
    origin: ExprPlace,
    fuel: u32,
) -> Result<Vec<BroadcastSite>, Refusal> {
    let trace = rw.trace;
    let tree = trace.tree(module);
    let scope = scope_of(tree, stmt);
    let compiled = scope.is_some_and(|f| trace.is_compiled((module, f)));
    let loops = loops_around(tree, stmt);
    if compiled && loops.iter().any(|&l| !is_counted(trace, module, l)) {
        return Err(Refusal {
            rule: "untraceable-model",
            place: origin,
            message: "the whole training loop is compiled, so that no statement runs between its steps".to_owned(),
            help: "compile the step only, and loop over the data in Python",
        });
    }
    if !compiled && !loops.is_empty() {
        return Ok(vec![BroadcastSite { module, stmt, variables: texts.into_iter().map(|t| t.text).collect() }]);
    }
    let Some(function) = scope else {
        // One step, not in a loop: it is broadcast like any other.
        return Ok(vec![BroadcastSite { module, stmt, variables: texts.into_iter().map(|t| t.text).collect() }]);
    };
    let mut found = Vec::new();
    let mut failed = trace.calls_of((module, function)).len() > 32;
    // A step that is called from very many places is not followed to all of them.
    let calls = trace.calls_of((module, function));
    for &site in calls.iter().take(32) {
        let Some(at) = rw.stmt_of(site) else { continue };
        if in_comprehension(trace, site) {
            return Err(Refusal {
                rule: "update-position",
                place: site,
                message: "the steps run in a comprehension, where no broadcast can follow the first one".to_owned(),
                help: "run the steps in a `for` statement",
            });
        }
        let said: Option<Vec<Text>> =
            texts.iter().map(|text| translate_names(trace, text, (module, function), site)).collect();
        match said {
            Some(said) if fuel > 0 => match climb_to_loop(rw, site.0, at, said, origin, fuel - 1) {
                Ok(sites) => found.extend(sites),
                Err(refusal) => return Err(refusal),
            },
            _ => failed = true,
        }
    }
    if !found.is_empty() && !failed {
        return Ok(found);
    }
    if compiled {
        return Err(Refusal {
            rule: "untraceable-model",
            place: origin,
            message: "the model and optimizer of this compiled step cannot be named where the step is called"
                .to_owned(),
            help: "make them parameters, module-level names or attributes of `self`",
        });
    }
    Ok(vec![BroadcastSite { module, stmt, variables: texts.into_iter().map(|t| t.text).collect() }])
}

fn in_comprehension(trace: &Trace, (module, expr): ExprPlace) -> bool {
    let tree = trace.tree(module);
    let mut at = expr;
    while let Some(parent) = crate::index::parent_expr(tree, at) {
        if matches!(
            tree[parent].kind,
            ExprKind::ListComp { .. }
                | ExprKind::SetComp { .. }
                | ExprKind::DictComp { .. }
                | ExprKind::Generator { .. }
        ) {
            return true;
        }
        at = parent;
    }
    false
}

fn is_counted(trace: &Trace, module: ModuleId, stmt: StmtId) -> bool {
    match trace.tree(module)[stmt].kind {
        StmtKind::For { iter, .. } => trace.called_api((module, iter)).as_deref() == Some("builtins.range"),
        _ => false,
    }
}

/// The same variables, said at a call of the function that named them.
fn translate_names(trace: &Trace, text: &Text, function: Def, site: ExprPlace) -> Option<Text> {
    let tree = trace.tree(function.0);
    let site_tree = trace.tree(site.0);
    let site_scope = expr_scope(site_tree, site.1);
    let index = &trace.project.modules[function.0].index;
    let mut expanded = text.clone();
    // Local names first become what they were assigned, as long as that can be said again.
    for _ in 0..4 {
        let mut changed = false;
        expanded = expanded.map(text.scope, text.module, &mut |name| {
            let same = || Some((name.to_owned(), vec![(0, name.len(), name.to_owned())]));
            let Some((found, bindings)) = index.lookup_name(tree, Some(function.1), name) else { return same() };
            if found != Some(function.1) {
                return same();
            }
            match bindings {
                [binding] => match binding.kind {
                    Kind::Parameter(_) => same(),
                    Kind::Value(value) if !matches!(tree[value].kind, ExprKind::Lambda { .. }) => {
                        changed = true;
                        let inner = Text::new(trace, (function.0, value), "", "");
                        Some((inner.text, inner.names))
                    }
                    _ => None,
                },
                _ => None,
            }
        })?;
        if !changed {
            break;
        }
    }
    let StmtKind::FunctionDef(def) = tree[function.1].kind else { return None };
    let names = crate::index::parameter_names(tree, &def.parameters);
    let ExprKind::Call { function: called, arguments } = site_tree[site.1].kind else { return None };
    let receiver = self_of(tree, function.1).map(|(name, _)| name.to_owned());
    expanded.map(site_scope, site.0, &mut |name| {
        let found = index.lookup_name(tree, Some(function.1), name);
        match found {
            None => Some((name.to_owned(), Vec::new())),
            Some((scope, _)) if scope == Some(function.1) => {
                let place = names.iter().position(|n| *n == name)?;
                if receiver.as_deref() == Some(name) {
                    let ExprKind::Attribute { value, .. } = site_tree[called].kind else { return None };
                    return repeatable_text(trace, (site.0, value));
                }
                let shift = usize::from(receiver.is_some() && class_of(tree, function.1).is_some());
                let given = place
                    .checked_sub(shift)
                    .and_then(|p| positional_argument(site_tree, arguments, p))
                    .or_else(|| keyword_argument(site_tree, arguments, name))?;
                repeatable_text(trace, (site.0, given))
            }
            Some((scope, _)) => {
                // A name of an outer scope must mean the same at the call.
                if function.0 != site.0 {
                    return None;
                }
                let (there, _) = index.lookup_name(tree, site_scope, name)?;
                (there == scope).then(|| (name.to_owned(), vec![(0, name.len(), name.to_owned())]))
            }
        }
    })
}

/// A name or attribute can be said twice.
fn repeatable_text(trace: &Trace, place: ExprPlace) -> Option<(String, NameRanges)> {
    trace.tree(place.0).dotted(place.1)?;
    let text = Text::new(trace, place, "", "");
    Some((text.text, text.names))
}

fn write_broadcast(rw: &mut Rewrite, site: &BroadcastSite, written: &mut Vec<WrittenBroadcast>) {
    let module = site.module;
    let tree = rw.trace.tree(module);
    let range = tree[site.stmt].range;
    if !rw.is_simple(module, site.stmt) {
        rw.refuse_at(
            "update-position",
            module,
            range,
            "the step runs in the head of a compound statement, where no broadcast can follow it",
            "run the step in a statement of its own",
        );
        return;
    }
    let engine = rw.engine_name(module);
    let scope = scope_of(tree, site.stmt);
    let known = written.iter().find(|w| w.module == module && w.scope == scope && w.variables == site.variables);
    let shared = match known {
        Some(WrittenBroadcast { flag: None, .. }) => return,
        Some(WrittenBroadcast { flag: Some(flag), .. }) => Some(flag.clone()),
        None => None,
    };
    let first = shared.is_none();
    let flag = shared.unwrap_or_else(|| rw.edits[module].fresh_name("broadcast_done"));
    let mut lines = vec![format!("if not {flag}:")];
    for variables in &site.variables {
        lines.push(format!("    {engine}.broadcast_variables({variables}, root_rank=0)"));
    }
    lines.push(format!("    {flag} = True"));
    let loops = loops_around(tree, site.stmt);
    let function = scope_of(tree, site.stmt);
    let called_in_loop = function.is_some_and(|f| {
        rw.trace.calls_of((module, f)).iter().any(|&(m, call)| {
            rw.trace.tree(m).stmt_of(call).is_some_and(|s| !loops_around(rw.trace.tree(m), s).is_empty())
        })
    });
    let unconditional =
        tree.enclosing(site.stmt).is_none_or(|outer| matches!(tree[outer].kind, StmtKind::FunctionDef(_)));
    match (function, loops.last()) {
        _ if !first => {}
        (None, Some(&outermost)) => {
            rw.edits[module].insert_before(outermost, &format!("{flag} = False"));
        }
        (Some(_), Some(&outermost)) if !called_in_loop => {
            rw.edits[module].insert_before(outermost, &format!("{flag} = False"));
        }
        (None, None) => {
            lines = site.variables.iter().map(|v| format!("{engine}.broadcast_variables({v}, root_rank=0)")).collect();
        }
        (Some(function), _) => {
            global_flag(rw, module, function, &flag);
        }
    }
    let always = function.is_none() && loops.is_empty();
    if first && (!always || unconditional) {
        written.push(WrittenBroadcast {
            module,
            scope,
            variables: site.variables.clone(),
            flag: (!always).then_some(flag),
        });
    }
    // What returns the step's result is given a name first.
    if let StmtKind::Return { value: Some(value) } = tree[site.stmt].kind {
        let result = rw.edits[module].fresh_name("result");
        let head = pytrope_source::TextRange::new(range.start, tree[value].range.start);
        rw.edits[module].replace_range(head, format!("{result} = "));
        lines.push(format!("return {result}"));
    }
    rw.edits[module].insert_after(site.stmt, &lines.join("\n"));
    rw.log_change(RULE, module, range, "after the first step every rank takes rank 0's variables");
}

/// A flag that outlives the function: module-level, declared global in the function.
fn global_flag(rw: &mut Rewrite, module: ModuleId, function: StmtId, flag: &str) {
    let tree = rw.trace.tree(module);
    let mut outermost = function;
    while let Some(outer) = tree.enclosing(outermost) {
        outermost = outer;
    }
    rw.edits[module].insert_before(outermost, &format!("{flag} = False\n\n"));
    let StmtKind::FunctionDef(def) = tree[function].kind else { return };
    let body = &tree[def.body];
    let is_docstring = |stmt: StmtId| matches!(tree[stmt].kind, StmtKind::Expr { value } if matches!(tree[value].kind, ExprKind::Str(_)));
    let first = if is_docstring(body[0]) { body.get(1).copied() } else { Some(body[0]) };
    if let Some(first) = first {
        rw.edits[module].insert_before(first, &format!("global {flag}"));
    }
}

/// NameRanges used by other rules to find the statements that run a step.
pub fn step_statements(rw: &Rewrite, place: ExprPlace) -> Vec<(ModuleId, StmtId)> {
    let mut found = Vec::new();
    let mut todo: Vec<(ModuleId, ExprId)> = vec![place];
    let mut seen = Vec::new();
    while let Some(at) = todo.pop() {
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        let Some(stmt) = rw.stmt_of(at) else { continue };
        found.push((at.0, stmt));
        let tree = rw.trace.tree(at.0);
        let mut scope = scope_of(tree, stmt);
        while let Some(function) = scope {
            todo.extend(rw.trace.calls_of((at.0, function)));
            let nested = rw.trace.calls_of((at.0, function)).is_empty();
            scope = if nested { scope_of(tree, function) } else { None };
        }
    }
    found
}
