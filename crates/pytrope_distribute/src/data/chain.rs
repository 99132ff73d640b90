//! tf.data pipelines, followed backwards from where they are read to the call that makes their samples.

use pytrope_source::tree::{ExprKind, StmtKind};
use rustc_hash::FxHashSet;

use super::{Chain, DATASET_METHODS, is_dataset_source, is_passing};
use crate::index::{Binding, Kind, Scope, expr_scope, scope_of};
use crate::project::ModuleId;
use crate::trace::{Def, Place, Trace, import_marker};

/// One walk: what was passed on the way from the reader to here.
pub(super) struct Walk<'a, 'p> {
    trace: &'a Trace<'p>,
    operations: Vec<(Place, String)>,
    /// Calls of project functions, and reads of properties, that were entered.
    through: Vec<Place>,
    seen: FxHashSet<(Place, Option<usize>, Option<Place>)>,
    out: Vec<Chain>,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(super) fn from(trace: &'a Trace<'p>, place: Place) -> Vec<Chain> {
        let mut walk =
            Self { trace, operations: Vec::new(), through: Vec::new(), seen: FxHashSet::default(), out: Vec::new() };
        walk.follow(place, None);
        walk.out
    }

    fn push(&mut self, source: Place) {
        let mut operations = self.operations.clone();
        operations.reverse();
        let chain = Chain { source, operations, through: self.through.clone() };
        if !self.out.contains(&chain) {
            self.out.push(chain);
        }
    }

    fn enter(&mut self, by: Place, def: Def, element: Option<usize>) {
        self.through.push(by);
        for value in self.trace.returns(def) {
            self.follow((def.0, value), element);
        }
        self.through.pop();
    }

    /// Follow an expression; of a tuple, only its `element`, or the first.
    fn follow(&mut self, place: Place, element: Option<usize>) {
        if self.seen.len() > 300 || !self.seen.insert((place, element, self.through.last().copied())) {
            return;
        }
        let (module, expr) = place;
        let trace = self.trace;
        let tree = trace.tree(module);
        match tree[expr].kind {
            ExprKind::Call { .. } => self.call(place, element),
            ExprKind::Tuple { elements, .. } => {
                let part = element.and_then(|i| tree[elements].get(i)).or_else(|| tree[elements].first());
                if let Some(&part) = part {
                    self.follow((module, part), None);
                }
            }
            ExprKind::Name { name, .. } => {
                let index = &trace.project.modules[module].index;
                if let Some((scope, _)) = index.lookup(tree, expr_scope(tree, expr), tree.text(name)) {
                    self.bindings(module, scope, index.reaching(expr), element);
                }
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let attribute = tree.text(attribute.name);
                if let Some(class) = trace.class_of((module, value)) {
                    if let Some(getter) = trace.property(class, attribute) {
                        return self.enter(place, getter, element);
                    }
                    let bindings = trace.project.modules[class.0].index.attribute(class.1, attribute);
                    let scope = bindings.first().and_then(|b| scope_of(trace.tree(class.0), b.stmt));
                    self.bindings(class.0, scope, bindings.iter().collect(), element);
                }
            }
            ExprKind::IfExp { body, orelse, .. } => {
                self.follow((module, body), element);
                self.follow((module, orelse), element);
            }
            _ => {}
        }
    }

    fn call(&mut self, place: Place, element: Option<usize>) {
        let (module, expr) = place;
        let trace = self.trace;
        let tree = trace.tree(module);
        let ExprKind::Call { arguments: given, .. } = tree[expr].kind else { return };
        let api = trace.called(place).unwrap_or_default();
        if api == "tf.data.Dataset.zip" {
            // The parts of a zip are cut together, after it.
            if tree.descendants(pytrope_source::Node::Expr(expr)).count() > 1 {
                self.push(place);
            }
            return;
        }
        if is_dataset_source(&api) {
            return self.push(place);
        }
        if let Some(def) = trace.callee(place) {
            if matches!(trace.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_)) {
                self.enter(place, def, element);
            }
            return;
        }
        if is_passing(&api) {
            if let Some(&first) = tree[given.positional].first() {
                self.follow((module, first), None);
            }
            return;
        }
        if let Some((receiver, method)) = trace.method(place)
            && (DATASET_METHODS.contains(&method) || method == "get_next")
        {
            self.operations.push((place, method.to_owned()));
            self.follow((module, receiver), None);
            self.operations.pop();
        }
    }

    fn bindings(&mut self, module: ModuleId, scope: Scope, bindings: Vec<&Binding>, element: Option<usize>) {
        let trace = self.trace;
        for binding in bindings {
            match &binding.kind {
                Kind::Value(value) => self.follow((module, *value), element),
                Kind::Element(value, i) => self.follow((module, *value), Some(*i)),
                Kind::Parameter(i) => {
                    let Some(function) = scope else { continue };
                    self.parameter((module, function), *i, element);
                }
                Kind::Import(origin) => {
                    if let Some((home, name)) = origin.rsplit_once('.')
                        && let Some(id) = trace.project.by_name(home)
                        && self.seen.insert(((module, import_marker(binding)), element, None))
                        && let Some((scope, found)) = trace.project.modules[id].index.lookup(trace.tree(id), None, name)
                    {
                        self.bindings(id, scope, found.iter().collect(), element);
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
    fn parameter(&mut self, def: Def, i: usize, element: Option<usize>) {
        let Some(at) = self.through.iter().rposition(|&call| self.trace.callee(call) == Some(def)) else {
            for given in self.trace.arguments_for(def, i) {
                self.follow(given, element);
            }
            return;
        };
        if let Some(given) = self.trace.argument_at(def, i, self.through[at]) {
            self.follow(given, element);
        }
    }
}
