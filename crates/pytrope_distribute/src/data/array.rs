//! Which values are arrays of samples: made by NumPy or torch, loaded, or computed from such.

use pytrope_source::tree::{ExprKind, StmtKind};
use rustc_hash::FxHashSet;

use super::DataFinder;
use crate::index::{Kind, expr_scope};
use crate::trace::ExprPlace;

impl DataFinder<'_, '_> {
    /// Whether a value is an array of samples: made by NumPy or torch, loaded, or computed from such.
    pub fn is_array(&self, place: ExprPlace, element: Option<usize>) -> bool {
        self.array_at(place, element, &mut FxHashSet::default())
    }

    fn array_at(
        &self,
        place: ExprPlace,
        element: Option<usize>,
        seen: &mut FxHashSet<(ExprPlace, Option<usize>)>,
    ) -> bool {
        let (module, expr) = place;
        let tree = self.trace.tree(module);
        // What was asked before on the way here has not been found to be one.
        if seen.len() > 500 || !seen.insert((place, element)) {
            return false;
        }
        match tree[expr].kind {
            ExprKind::Call { function, arguments } => {
                if let Some(def) = self.trace.project_callee(place) {
                    if !matches!(self.trace.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_))
                        || self.trace.is_generator(def)
                    {
                        return false;
                    }
                    return self.trace.returned_values(def).into_iter().any(|value| {
                        let t = self.trace.tree(def.0);
                        match (t[value].kind, element) {
                            (ExprKind::Tuple { elements, .. }, Some(i)) => {
                                t[elements].get(i).is_some_and(|&part| self.array_at((def.0, part), None, seen))
                            }
                            _ => self.array_at((def.0, value), element, seen),
                        }
                    });
                }
                if let Some(api) = self.trace.called_api(place) {
                    if makes_array(&api) {
                        return !(tree[arguments.positional].is_empty()
                            && tree[arguments.keywords].is_empty()
                            && api.contains("random"))
                            || api.ends_with("load_data");
                    }
                    if !api.starts_with("builtins.") && !api.starts_with("np.") {
                        return false;
                    }
                }
                let ExprKind::Attribute { value, .. } = tree[function].kind else { return false };
                let random = self.trace.value_roots((module, value)).iter().any(|r| {
                    self.trace.called_api((r.module, r.expr)).is_some_and(|api| {
                        matches!(
                            api.as_str(),
                            "np.random.default_rng" | "np.random.RandomState" | "np.random.Generator"
                        )
                    })
                });
                let sized = !arguments.positional.is_empty() || !arguments.keywords.is_empty();
                (random && sized) || self.array_at((module, value), None, seen)
            }
            ExprKind::BinOp { left, right, .. } => {
                self.array_at((module, left), None, seen) || self.array_at((module, right), None, seen)
            }
            ExprKind::UnaryOp { operand, .. } => self.array_at((module, operand), None, seen),
            ExprKind::Compare { left, .. } => self.array_at((module, left), None, seen),
            ExprKind::Subscript { value, index, .. } => {
                if matches!(tree[index].kind, ExprKind::Str(_)) {
                    // An archive of arrays.
                    return crate::identify::roots_call(self.trace, (module, value), &|api| api == "np.load");
                }
                // One item of a shape is a number; a slice of an array is an array.
                !matches!(tree[index].kind, ExprKind::Int(_) | ExprKind::Str(_))
                    && self.array_at((module, value), None, seen)
            }
            ExprKind::Attribute { value, attribute, .. } => {
                matches!(tree.text(attribute.name), "T" | "values" | "data" | "target" | "images" | "labels")
                    && (self.array_at((module, value), None, seen) || self.is_bunch((module, value)))
            }
            ExprKind::Name { name, .. } => {
                let index = &self.trace.project.modules[module].index;
                let Some((scope, bindings)) = index.lookup_name(tree, expr_scope(tree, expr), tree.text(name)) else {
                    return false;
                };
                bindings.iter().any(|binding| match &binding.kind {
                    Kind::Value(value) => *value != expr && self.array_at((module, *value), None, seen),
                    Kind::Element(value, i) => self.array_at((module, *value), Some(*i), seen),
                    Kind::Parameter(i) => scope.is_some_and(|f| {
                        self.trace
                            .arguments_for((module, f), *i)
                            .into_iter()
                            .any(|given| self.array_at(given, None, seen))
                    }),
                    _ => false,
                })
            }
            _ => false,
        }
    }

    fn is_bunch(&self, place: ExprPlace) -> bool {
        self.trace
            .value_roots(place)
            .iter()
            .any(|r| self.trace.called_api((r.module, r.expr)).is_some_and(|api| api.starts_with("sklearn.datasets.")))
    }
}

fn makes_array(api: &str) -> bool {
    const TORCH: &[&str] = &[
        "randn",
        "rand",
        "tensor",
        "from_numpy",
        "linspace",
        "arange",
        "randint",
        "cat",
        "stack",
        "zeros",
        "ones",
        "normal",
        "as_tensor",
        "FloatTensor",
        "LongTensor",
        "Tensor",
        "sin",
        "cos",
        "unsqueeze",
    ];
    const NUMPY_NOT: &[&str] = &[
        "random.default_rng",
        "random.RandomState",
        "random.seed",
        "load",
        "random.permutation",
        "prod",
        "sum",
        "mean",
        "log",
        "sqrt",
        "float32",
        "int64",
    ];
    if let Some(name) = api.strip_prefix("np.") {
        return name == "load" || !NUMPY_NOT.contains(&name);
    }
    if let Some(name) = api.strip_prefix("torch.") {
        return TORCH.contains(&name);
    }
    api.ends_with(".load_data")
        || api.ends_with("train_test_split")
        || api.starts_with("sklearn.datasets.")
        || api.ends_with("pad_sequences")
        || api.ends_with("to_categorical")
        || api == "pandas.read_csv"
}
