//! Which tests are about shapes: they read a shape, or names that were computed from one.

use std::collections::{BTreeMap, BTreeSet};

use pytrope_source::Tree;
use pytrope_source::tree::{ExprId, ExprKind, FunctionDefinition, StmtId, StmtKind};

/// Names of functions and, in each, the names that hold sizes.
#[derive(Default)]
pub struct ShapeNames {
    /// By file and function: the names that hold sizes or shapes.
    derived: BTreeMap<(usize, Option<StmtId>), BTreeSet<String>>,
}

impl ShapeNames {
    /// Reads the trees of all files that take part, until nothing new is found.
    pub fn of(trees: &[&Tree]) -> Self {
        let mut names = Self::default();
        let mut functions: BTreeMap<String, Vec<(usize, StmtId, FunctionDefinition)>> = BTreeMap::new();
        for (file, tree) in trees.iter().enumerate() {
            for stmt in tree.stmt_ids() {
                if let StmtKind::FunctionDef(function) = tree[stmt].kind {
                    functions.entry(tree.text(function.name.name).to_owned()).or_default().push((file, stmt, function));
                }
            }
        }
        // Sizes are passed through few calls; the bound only guards against surprises.
        for _ in 0..8 {
            let mut grown = false;
            for (file, tree) in trees.iter().enumerate() {
                grown |= names.collect_assignments(file, tree);
                grown |= names.collect_calls(file, tree, trees, &functions);
            }
            if !grown {
                break;
            }
        }
        names
    }

    /// Whether a test is about shapes.
    pub fn is_shape_test(&self, file: usize, tree: &Tree, test: ExprId) -> bool {
        self.is_shape_test_without(file, tree, test, &[])
    }

    /// Whether a test is about shapes even without some of its parts.
    pub fn is_shape_test_without(&self, file: usize, tree: &Tree, test: ExprId, gone: &[ExprId]) -> bool {
        let known = self.derived.get(&(file, function_of(tree, test)));
        let mut stack = vec![test];
        while let Some(id) = stack.pop() {
            if gone.contains(&id) {
                continue;
            }
            if reads_shape(tree, id) {
                return true;
            }
            if let ExprKind::Name { name, .. } = tree[id].kind
                && known.is_some_and(|known| known.contains(tree.text(name)))
            {
                return true;
            }
            stack.extend(child_expressions(tree, id));
        }
        false
    }

    fn add(&mut self, place: (usize, Option<StmtId>), name: &str) -> bool {
        self.derived.entry(place).or_default().insert(name.to_owned())
    }

    fn holds_sizes(&self, file: usize, tree: &Tree, id: ExprId) -> bool {
        if reads_shape(tree, id) {
            return true;
        }
        let known = |name| self.derived.get(&(file, function_of(tree, id))).is_some_and(|known| known.contains(name));
        match tree[id].kind {
            ExprKind::Name { name, .. } => known(tree.text(name)),
            ExprKind::BinOp { left, right, .. } => {
                self.holds_sizes(file, tree, left) || self.holds_sizes(file, tree, right)
            }
            ExprKind::UnaryOp { operand, .. } => self.holds_sizes(file, tree, operand),
            ExprKind::Subscript { value, .. } | ExprKind::Starred { value, .. } => self.holds_sizes(file, tree, value),
            ExprKind::IfExp { body, orelse, .. } => {
                self.holds_sizes(file, tree, body) || self.holds_sizes(file, tree, orelse)
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                tree[elements].iter().any(|element| self.holds_sizes(file, tree, *element))
            }
            ExprKind::Compare { left, comparators, .. } => {
                self.holds_sizes(file, tree, left)
                    || tree[comparators].iter().any(|id| self.holds_sizes(file, tree, *id))
            }
            ExprKind::Call { function, arguments } => {
                let plain = tree.as_name(function).is_some_and(|name| {
                    matches!(
                        tree.text(name),
                        "int" | "len" | "min" | "max" | "sum" | "abs" | "tuple" | "list" | "range" | "reversed"
                    )
                });
                plain && tree[arguments.positional].iter().any(|argument| self.holds_sizes(file, tree, *argument))
            }
            _ => false,
        }
    }

    fn collect_assignments(&mut self, file: usize, tree: &Tree) -> bool {
        let mut grown = false;
        for stmt in tree.stmt_ids() {
            let (targets, value): (Vec<ExprId>, ExprId) = match tree[stmt].kind {
                StmtKind::Assign { targets, value } => (tree[targets].to_vec(), value),
                StmtKind::AugAssign { target, value, .. } | StmtKind::AnnAssign { target, value: Some(value), .. } => {
                    (vec![target], value)
                }
                StmtKind::For { target, iter, .. } => (vec![target], iter),
                _ => continue,
            };
            if !self.holds_sizes(file, tree, value) {
                continue;
            }
            let place = (file, function_of(tree, value));
            for target in targets {
                for name in target_names(tree, target) {
                    grown |= self.add(place, &name);
                }
            }
        }
        grown
    }

    /// Parameters that receive sizes from some call.
    fn collect_calls(
        &mut self,
        file: usize,
        tree: &Tree,
        trees: &[&Tree],
        functions: &BTreeMap<String, Vec<(usize, StmtId, FunctionDefinition)>>,
    ) -> bool {
        let mut grown = false;
        for id in tree.expr_ids() {
            let ExprKind::Call { function, arguments } = tree[id].kind else { continue };
            let (callee, method) = match tree[function].kind {
                ExprKind::Name { name, .. } => (tree.text(name), false),
                ExprKind::Attribute { attribute, .. } => (tree.text(attribute.name), true),
                _ => continue,
            };
            let Some(candidates) = functions.get(callee) else { continue };
            for (other, stmt, definition) in candidates {
                let names: Vec<&str> = [
                    definition.parameters.positional_only,
                    definition.parameters.regular,
                    definition.parameters.keyword_only,
                ]
                .iter()
                .flat_map(|list| trees[*other][*list].iter())
                .map(|parameter| trees[*other].text(parameter.name.name))
                .collect();
                let skip = usize::from(method && names.first().is_some_and(|first| matches!(*first, "self" | "cls")));
                for (position, argument) in tree[arguments.positional].iter().enumerate() {
                    if let Some(name) = names.get(position + skip)
                        && self.holds_sizes(file, tree, *argument)
                    {
                        grown |= self.add((*other, Some(*stmt)), name);
                    }
                }
                for keyword in &tree[arguments.keywords] {
                    if let Some(name) = keyword.name
                        && names.contains(&tree.text(name.name))
                        && self.holds_sizes(file, tree, keyword.value)
                    {
                        grown |= self.add((*other, Some(*stmt)), tree.text(name.name));
                    }
                }
            }
        }
        grown
    }
}

/// `x.shape`, `x.ndim`, `x.size(…)`, `x.dim()`, `x.numel()`.
fn reads_shape(tree: &Tree, id: ExprId) -> bool {
    match tree[id].kind {
        ExprKind::Attribute { attribute, .. } => matches!(tree.text(attribute.name), "shape" | "ndim"),
        ExprKind::Call { function, .. } => match tree[function].kind {
            ExprKind::Attribute { attribute, .. } => {
                matches!(tree.text(attribute.name), "size" | "dim" | "numel" | "nelement" | "ndimension")
            }
            _ => false,
        },
        _ => false,
    }
}

/// The function definition an expression stands in.
fn function_of(tree: &Tree, id: ExprId) -> Option<StmtId> {
    let mut stmt = tree.stmt_of(id)?;
    loop {
        if matches!(tree[stmt].kind, StmtKind::FunctionDef(_)) {
            return Some(stmt);
        }
        stmt = tree.enclosing(stmt)?;
    }
}

fn target_names(tree: &Tree, target: ExprId) -> Vec<String> {
    match tree[target].kind {
        ExprKind::Name { name, .. } => vec![tree.text(name).to_owned()],
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            tree[elements].iter().flat_map(|element| target_names(tree, *element)).collect()
        }
        ExprKind::Starred { value, .. } => target_names(tree, value),
        _ => Vec::new(),
    }
}

/// The expressions directly inside an expression.
pub fn child_expressions(tree: &Tree, id: ExprId) -> Vec<ExprId> {
    match tree[id].kind {
        ExprKind::BoolOp { values, .. } => tree[values].to_vec(),
        ExprKind::Named { target, value } => vec![target, value],
        ExprKind::BinOp { left, right, .. } => vec![left, right],
        ExprKind::UnaryOp { operand, .. } => vec![operand],
        ExprKind::IfExp { test, body, orelse } => vec![test, body, orelse],
        ExprKind::Compare { left, comparators, .. } => {
            let mut all = vec![left];
            all.extend(&tree[comparators]);
            all
        }
        ExprKind::Call { function, arguments } => {
            let mut all = vec![function];
            all.extend(&tree[arguments.positional]);
            all.extend(tree[arguments.keywords].iter().map(|keyword| keyword.value));
            all
        }
        ExprKind::Attribute { value, .. }
        | ExprKind::Starred { value, .. }
        | ExprKind::Await { value }
        | ExprKind::YieldFrom { value } => vec![value],
        ExprKind::Subscript { value, index, .. } => vec![value, index],
        ExprKind::Slice { lower, upper, step } => [lower, upper, step].into_iter().flatten().collect(),
        ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } | ExprKind::Set { elements } => {
            tree[elements].to_vec()
        }
        ExprKind::Dict { items } => {
            tree[items].iter().flat_map(|item| item.key.into_iter().chain([item.value])).collect()
        }
        _ => Vec::new(),
    }
}
