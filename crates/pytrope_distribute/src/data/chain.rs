//! tf.data pipelines, followed backwards from where they are read to the call that makes their samples.

use pytrope_source::tree::{ExprKind, StmtKind};
use rustc_hash::FxHashSet;

use super::{Chain, DATASET_METHODS, is_dataset_source, is_passing};
use crate::index::{Kind, NameBinding, Scope, expr_scope, scope_of};
use crate::project::ModuleId;
use crate::trace::{Def, ExprPlace, Trace, import_marker};

/// One walk: what was passed on the way from the reader to here.
pub(super) struct Walk<'a, 'p> {
    trace: &'a Trace<'p>,
    operations: Vec<(ExprPlace, String)>,
    /// Calls of project functions, and reads of properties, that were entered.
    through: Vec<ExprPlace>,
    seen: FxHashSet<(ExprPlace, Option<usize>, Option<ExprPlace>)>,
    out: Vec<Chain>,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(super) fn from(trace: &'a Trace<'p>, place: ExprPlace) -> Vec<Chain> {
        let mut walk =
            Self { trace, operations: Vec::new(), through: Vec::new(), seen: FxHashSet::default(), out: Vec::new() };
        walk.follow_expr(place, None);
        walk.out
    }

    fn push_chain(&mut self, source: ExprPlace) {
        let mut operations = self.operations.clone();
        operations.reverse();
        let chain = Chain { source, operations, through: self.through.clone() };
        if !self.out.contains(&chain) {
            self.out.push(chain);
        }
    }

    fn enter_function(&mut self, by: ExprPlace, def: Def, element: Option<usize>) {
        self.through.push(by);
        for value in self.trace.returned_values(def) {
            self.follow_expr((def.0, value), element);
        }
        self.through.pop();
    }

    /// Follow an expression; of a tuple, only its `element`, or the first.
    fn follow_expr(&mut self, place: ExprPlace, element: Option<usize>) {
        if self.seen.len() > 300 || !self.seen.insert((place, element, self.through.last().copied())) {
            return;
        }
        let (module, expr) = place;
        let trace = self.trace;
        let tree = trace.tree(module);
        match tree[expr].kind {
            ExprKind::Call { .. } => self.follow_call(place, element),
            ExprKind::Tuple { elements, .. } => {
                let part = element.and_then(|i| tree[elements].get(i)).or_else(|| tree[elements].first());
                if let Some(&part) = part {
                    self.follow_expr((module, part), None);
                }
            }
            ExprKind::Name { name, .. } => {
                let index = &trace.project.modules[module].index;
                if let Some((scope, _)) = index.lookup_name(tree, expr_scope(tree, expr), tree.text(name)) {
                    self.follow_bindings(module, scope, index.reaching_bindings(expr), element);
                }
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let attribute = tree.text(attribute.name);
                if let Some(class) = trace.class_of((module, value)) {
                    if let Some(getter) = trace.property_getter(class, attribute) {
                        return self.enter_function(place, getter, element);
                    }
                    let bindings = trace.project.modules[class.0].index.attribute_bindings(class.1, attribute);
                    let scope = bindings.first().and_then(|b| scope_of(trace.tree(class.0), b.stmt));
                    self.follow_bindings(class.0, scope, bindings.iter().collect(), element);
                }
            }
            ExprKind::IfExp { body, orelse, .. } => {
                self.follow_expr((module, body), element);
                self.follow_expr((module, orelse), element);
            }
            _ => {}
        }
    }

    fn follow_call(&mut self, place: ExprPlace, element: Option<usize>) {
        let (module, expr) = place;
        let trace = self.trace;
        let tree = trace.tree(module);
        let ExprKind::Call { arguments: given, .. } = tree[expr].kind else { return };
        let api = trace.called_api(place).unwrap_or_default();
        if api == "tf.data.Dataset.zip" {
            // The parts of a zip are cut together, after it.
            if tree.descendants(pytrope_source::Node::Expr(expr)).count() > 1 {
                self.push_chain(place);
            }
            return;
        }
        if is_dataset_source(&api) {
            return self.push_chain(place);
        }
        if let Some(def) = trace.project_callee(place) {
            if matches!(trace.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_)) {
                self.enter_function(place, def, element);
            }
            return;
        }
        if is_passing(&api) {
            if let Some(&first) = tree[given.positional].first() {
                self.follow_expr((module, first), None);
            }
            return;
        }
        if let Some((receiver, method)) = trace.called_method(place)
            && (DATASET_METHODS.contains(&method) || method == "get_next")
        {
            self.operations.push((place, method.to_owned()));
            self.follow_expr((module, receiver), None);
            self.operations.pop();
        }
    }

    fn follow_bindings(&mut self, module: ModuleId, scope: Scope, bindings: Vec<&NameBinding>, element: Option<usize>) {
        let trace = self.trace;
        for binding in bindings {
            match &binding.kind {
                Kind::Value(value) => self.follow_expr((module, *value), element),
                Kind::Element(value, i) => self.follow_expr((module, *value), Some(*i)),
                Kind::Parameter(i) => {
                    let Some(function) = scope else { continue };
                    self.follow_parameter((module, function), *i, element);
                }
                Kind::Import(origin) => {
                    if let Some((home, name)) = origin.rsplit_once('.')
                        && let Some(id) = trace.project.by_name(home)
                        && self.seen.insert(((module, import_marker(binding)), element, None))
                        && let Some((scope, found)) =
                            trace.project.modules[id].index.lookup_name(trace.tree(id), None, name)
                    {
                        self.follow_bindings(id, scope, found.iter().collect(), element);
                    }
                }
                Kind::Context(_)
                | Kind::Augmented(_)
                | Kind::Function
                | Kind::Class
                | Kind::Opaque
                | Kind::Iteration(..) => {}
            }
        }
    }

    /// What a parameter stands for: what the call gives that was entered, else what any call gives.
    fn follow_parameter(&mut self, def: Def, i: usize, element: Option<usize>) {
        let Some(at) = self.through.iter().rposition(|&call| self.trace.project_callee(call) == Some(def)) else {
            for given in self.trace.arguments_for(def, i) {
                self.follow_expr(given, element);
            }
            return;
        };
        if let Some(given) = self.trace.argument_at(def, i, self.through[at]) {
            self.follow_expr(given, element);
        }
    }
}
