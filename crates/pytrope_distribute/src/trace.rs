//! Following names to where their values are made: imports, assignments, parameters, attributes, returns, files.

use pytrope_source::Node;
use std::cell::{Cell, RefCell};

use pytrope_source::tree::{Arguments, ExprId, ExprKind, StmtId, StmtKind, Tree, UnaryOperator};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::index::{Kind, NameBinding, Scope, expr_scope, parameter_names, scope_of, self_of};
use crate::project::{ModuleId, Project};

/// A function or class of the project.
pub type Def = (ModuleId, StmtId);

/// An expression of the project.
pub type ExprPlace = (ModuleId, ExprId);

/// Where a value is made; `element` when the name was unpacked from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Root {
    pub module: ModuleId,
    pub expr: ExprId,
    pub element: Option<usize>,
    /// The value is one item of an iteration over the expression.
    pub iterated: bool,
}

pub struct Trace<'a> {
    pub project: &'a Project,
    /// Calls of each function; a class' calls are those of its `__init__` too.
    sites: FxHashMap<Def, Vec<ExprPlace>>,
    callees: FxHashMap<ExprPlace, Def>,
    /// Functions handed on as values, such as `tf.app.run(main)`.
    pub handed: Vec<(Def, ExprPlace)>,
    /// How deep questions for classes are nested: `node = node.next` asks for itself.
    depth: Cell<u32>,
    /// Answers to outermost questions for classes, once all calls are known.
    classes: RefCell<FxHashMap<ExprPlace, Option<Def>>>,
}

impl<'a> Trace<'a> {
    pub fn new(project: &'a Project) -> Self {
        let mut trace = Self {
            project,
            sites: FxHashMap::default(),
            callees: FxHashMap::default(),
            handed: Vec::new(),
            depth: Cell::new(0),
            classes: RefCell::default(),
        };
        // Methods of other objects need roots, and roots need the calls that are plain.
        for round in 0..2 {
            let mut found = Vec::new();
            for (id, module) in project.modules.iter().enumerate() {
                for expr in module.parsed.tree.expr_ids() {
                    if let ExprKind::Call { function, .. } = module.parsed.tree[expr].kind
                        && !trace.callees.contains_key(&(id, expr))
                        && let Some(def) = trace.callable_definition((id, function), round == 1)
                    {
                        found.push(((id, expr), def));
                    }
                }
            }
            trace.classes.borrow_mut().clear();
            for (place, def) in found {
                trace.callees.insert(place, def);
                trace.sites.entry(def).or_default().push(place);
            }
        }
        trace.find_handed();
        trace.classes.borrow_mut().clear();
        trace
    }

    fn find_handed(&mut self) {
        let mut handed = Vec::new();
        for (id, module) in self.project.modules.iter().enumerate() {
            let tree = &module.parsed.tree;
            for call in tree.expr_ids() {
                let ExprKind::Call { arguments, .. } = tree[call].kind else { continue };
                let keywords = tree[arguments.keywords].iter().map(|keyword| keyword.value);
                for argument in tree[arguments.positional].iter().copied().chain(keywords) {
                    if let Some(def) = self.callable_definition((id, argument), false)
                        && matches!(self.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_))
                    {
                        handed.push((def, (id, call)));
                    }
                }
            }
        }
        self.handed = handed;
    }

    pub fn tree(&self, module: ModuleId) -> &'a Tree {
        &self.project.modules[module].parsed.tree
    }

    pub fn text(&self, place: ExprPlace) -> &'a str {
        let module = &self.project.modules[place.0];
        module.parsed.file.slice(module.parsed.tree[place.1].range)
    }

    pub fn calls_of(&self, def: Def) -> &[ExprPlace] {
        self.sites.get(&def).map_or(&[], Vec::as_slice)
    }

    pub fn project_callee(&self, call: ExprPlace) -> Option<Def> {
        self.callees.get(&call).copied()
    }

    /// The dotted origin of a name or attribute: `tensorflow.keras.Model`, `builtins.print`.
    pub fn origin(&self, place: ExprPlace) -> Option<String> {
        // What a star-import brings in has the name that its module knows it by.
        let (module, expr) = place;
        let tree = self.tree(module);
        let mut base = expr;
        while let ExprKind::Attribute { value, .. } = tree[base].kind {
            base = value;
        }
        if let Some(name) = tree.as_name(base).map(|name| tree.text(name))
            && self.project.modules[module].index.lookup_name(tree, expr_scope(tree, base), name).is_none()
            && let Some(home) = self.star_home(module, name)
        {
            let dotted = tree.dotted(expr)?.join(".");
            // A framework that the other module imports, and hands on.
            let bindings = self.project.modules[home].index.lookup_name(self.tree(home), None, name);
            if let Some([NameBinding { kind: Kind::Import(origin), .. }]) = bindings.map(|(_, bindings)| bindings) {
                return Some(format!("{origin}{}", &dotted[name.len()..]));
            }
            return Some(format!("{}.{dotted}", self.project.modules[home].name));
        }
        self.project.modules[module].names.qualified_name(tree, expr)
    }

    /// The module of the project that `from module import *` brings a name from; the last one wins.
    pub fn star_home(&self, module: ModuleId, name: &str) -> Option<ModuleId> {
        self.star_home_within(module, name, 4)
    }

    fn star_home_within(&self, module: ModuleId, name: &str, fuel: u32) -> Option<ModuleId> {
        let stars = self.project.modules[module].names.star_imports();
        stars.iter().rev().filter_map(|star| self.project.by_name(star)).filter(|&id| id != module).find_map(|id| {
            if self.project.modules[id].index.lookup_name(self.tree(id), None, name).is_some() {
                return Some(id);
            }
            (fuel > 0).then(|| self.star_home_within(id, name, fuel - 1)).flatten()
        })
    }

    /// The origin in one spelling per API: `tf.keras.optimizers.Adam`, `tf.train.AdamOptimizer`, `torch.nn.Linear`.
    /// `tf.compat.v1` and `tensorflow` both begin with `tf.`.
    pub fn api_name(&self, place: ExprPlace) -> Option<String> {
        self.origin(place).map(|origin| canonical_api(&origin))
    }

    /// The API that a call expression calls.
    pub fn called_api(&self, (module, call): ExprPlace) -> Option<String> {
        match self.tree(module)[call].kind {
            ExprKind::Call { function, .. } => {
                self.api_name((module, function)).or_else(|| self.chosen_member((module, function)))
            }
            _ => None,
        }
    }

    /// `getattr(torch.optim, name)`, or a name for it: some member of a library's module, `torch.optim.?`.
    fn chosen_member(&self, (module, expr): ExprPlace) -> Option<String> {
        let tree = self.tree(module);
        let chosen = match tree[expr].kind {
            ExprKind::Call { .. } => expr,
            ExprKind::Name { name, .. } => {
                let index = &self.project.modules[module].index;
                match index.lookup_name(tree, expr_scope(tree, expr), tree.text(name))? {
                    (_, [NameBinding { kind: Kind::Value(value), .. }]) => *value,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let ExprKind::Call { function, .. } = tree[chosen].kind else { return None };
        if self.api_name((module, function)).as_deref() != Some("builtins.getattr") {
            return None;
        }
        let home = self.api_name((module, argument_of(tree, chosen, "", 0)?))?;
        is_open_namespace(&home).then(|| format!("{home}.?"))
    }

    /// What is put into the list that a name stands for: `pairs.append(value)`.
    pub fn appended_values(&self, module: ModuleId, scope: Scope, name: &str) -> Vec<ExprId> {
        let tree = self.tree(module);
        let index = &self.project.modules[module].index;
        let given = |call: ExprId| {
            let (receiver, method) = self.called_method((module, call))?;
            let is_list = method == "append"
                && self.text((module, receiver)) == name
                && index.lookup_name(tree, expr_scope(tree, call), name).is_some_and(|(found, _)| found == scope);
            argument_of(tree, call, "", 0).filter(|_| is_list)
        };
        tree.expr_ids().filter_map(given).collect()
    }

    /// `receiver.method(...)`, as its receiver and the method's name.
    pub fn called_method(&self, (module, call): ExprPlace) -> Option<(ExprId, &'a str)> {
        let tree = self.tree(module);
        let ExprKind::Call { function, .. } = tree[call].kind else { return None };
        match tree[function].kind {
            ExprKind::Attribute { value, attribute, .. } => Some((value, tree.text(attribute.name))),
            _ => None,
        }
    }

    /// The function or class of the project that an expression names.
    pub fn callable_definition(&self, (module, expr): ExprPlace, by_roots: bool) -> Option<Def> {
        let tree = self.tree(module);
        match tree[expr].kind {
            ExprKind::Name { name, .. } => self
                .find_definition(module, expr_scope(tree, expr), tree.text(name), 8)
                .or_else(|| self.method_of(self.class_of((module, expr)).filter(|_| by_roots)?, "__call__", 8)),
            ExprKind::Attribute { value, attribute, .. } => {
                let attribute = tree.text(attribute.name);
                if let Some(origin) = self.origin((module, expr))
                    && let Some(def) = self.definition_at(&origin, 8)
                {
                    return Some(def);
                }
                if let Some(class) = self.self_class((module, value)) {
                    // A method, or an object with `__call__` that the class keeps: `self.early_stopping(loss, model)`.
                    return self.method_of((module, class), attribute, 8).or_else(|| {
                        self.method_of(self.class_of((module, expr)).filter(|_| by_roots)?, "__call__", 8)
                    });
                }
                if self.is_super((module, value)) {
                    let function = expr_scope(tree, expr)?;
                    let (_, class) = self_of(tree, function)?;
                    return self
                        .base_classes((module, class))
                        .into_iter()
                        .find_map(|base| self.method_of(base, attribute, 8));
                }
                if !by_roots {
                    return None;
                }
                let class = self.class_of((module, value))?;
                self.method_of(class, attribute, 8)
            }
            _ => None,
        }
    }

    fn is_super(&self, (module, expr): ExprPlace) -> bool {
        self.called_api((module, expr)).as_deref() == Some("builtins.super")
    }

    /// The class when an expression is `self` inside one of its methods.
    pub fn self_class(&self, (module, expr): ExprPlace) -> Option<StmtId> {
        let tree = self.tree(module);
        let name = tree.text(tree.as_name(expr)?);
        let mut scope = expr_scope(tree, expr);
        while let Some(function) = scope {
            if let Some((receiver, class)) = self_of(tree, function) {
                return (receiver == name).then_some(class);
            }
            scope = scope_of(tree, function);
        }
        None
    }

    fn find_definition(&self, module: ModuleId, scope: Scope, name: &str, fuel: u32) -> Option<Def> {
        if fuel == 0 {
            return None;
        }
        let tree = self.tree(module);
        let Some((_, bindings)) = self.project.modules[module].index.lookup_name(tree, scope, name) else {
            return self.find_definition(self.star_home(module, name)?, None, name, fuel - 1);
        };
        // A compiled twin, `step = tf.function(step)`, is the function itself.
        bindings.iter().rev().find_map(|binding| match &binding.kind {
            Kind::Function | Kind::Class => Some((module, binding.stmt)),
            Kind::Import(origin) => self.definition_at(origin, fuel - 1),
            Kind::Value(value) => match tree[*value].kind {
                ExprKind::Name { name: alias, .. } if tree.text(alias) != name => {
                    self.find_definition(module, scope_of(tree, binding.stmt), tree.text(alias), fuel - 1)
                }
                ExprKind::Call { arguments, .. }
                    if self.called_api((module, *value)).as_deref() == Some("tf.function") =>
                {
                    let inner = *tree[arguments.positional].first()?;
                    match tree[inner].kind {
                        ExprKind::Name { name: alias, .. } if tree.text(alias) != name => {
                            self.find_definition(module, scope_of(tree, binding.stmt), tree.text(alias), fuel - 1)
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        })
    }

    fn definition_at(&self, origin: &str, fuel: u32) -> Option<Def> {
        let (module, name) = origin.rsplit_once('.')?;
        let id = self.project.by_name(module)?;
        self.find_definition(id, None, name, fuel)
    }

    /// The direct bases of a class that are in the project.
    pub fn base_classes(&self, (module, class): Def) -> Vec<Def> {
        let tree = self.tree(module);
        let StmtKind::ClassDef(def) = tree[class].kind else { return Vec::new() };
        let Some(arguments) = def.arguments else { return Vec::new() };
        tree[arguments.positional].iter().filter_map(|&base| self.callable_definition((module, base), false)).collect()
    }

    /// Whether a class descends, over any number of project classes, from a base that `test` accepts by API.
    pub fn descends_from(&self, class: Def, test: &dyn Fn(&str) -> bool) -> bool {
        self.descends_within(class, test, 16)
    }

    fn descends_within(&self, (module, class): Def, test: &dyn Fn(&str) -> bool, fuel: u32) -> bool {
        let tree = self.tree(module);
        let StmtKind::ClassDef(def) = tree[class].kind else { return false };
        let Some(arguments) = def.arguments else { return false };
        tree[arguments.positional].iter().any(|&base| {
            self.api_name((module, base)).is_some_and(|api| test(&api))
                || (fuel > 0
                    && self
                        .callable_definition((module, base), false)
                        .is_some_and(|base| base != (module, class) && self.descends_within(base, test, fuel - 1)))
        })
    }

    pub fn method_of(&self, (module, class): Def, name: &str, fuel: u32) -> Option<Def> {
        let own = self.project.modules[module].index.attribute_bindings(class, name);
        if let Some(binding) = own.iter().find(|binding| binding.kind == Kind::Function) {
            return Some((module, binding.stmt));
        }
        if fuel == 0 {
            return None;
        }
        self.base_classes((module, class)).into_iter().find_map(|base| self.method_of(base, name, fuel - 1))
    }

    /// The project class that an expression's value is an instance of.
    pub fn class_of(&self, place: ExprPlace) -> Option<Def> {
        const DEEPEST: u32 = 6;
        if let Some(class) = self.self_class(place) {
            return Some((place.0, class));
        }
        if let Some(known) = self.classes.borrow().get(&place) {
            return *known;
        }
        let depth = self.depth.get();
        if depth == DEEPEST {
            return None;
        }
        self.depth.set(depth + 1);
        let found = self.value_roots(place).into_iter().find_map(|root| {
            // `Net().to(device)` is still a `Net`.
            if let Some((receiver, "to" | "cuda" | "cpu" | "eval" | "train" | "double" | "float" | "half")) =
                self.called_method((root.module, root.expr))
            {
                return self.class_of((root.module, receiver));
            }
            let def = self.project_callee((root.module, root.expr))?;
            matches!(self.tree(def.0)[def.1].kind, StmtKind::ClassDef(_)).then_some(def)
        });
        self.depth.set(depth);
        // An answer from within another question may be cut short, and is not kept.
        if depth == 0 {
            self.classes.borrow_mut().insert(place, found);
        }
        found
    }

    /// Where an expression's value is made.
    pub fn value_roots(&self, place: ExprPlace) -> Vec<Root> {
        let mut out = Vec::new();
        let mut seen = FxHashSet::default();
        self.collect_roots(place, None, &mut out, &mut seen);
        out
    }

    fn collect_roots(
        &self,
        place: ExprPlace,
        element: Option<usize>,
        out: &mut Vec<Root>,
        seen: &mut FxHashSet<(ExprPlace, Option<usize>)>,
    ) {
        if !seen.insert((place, element)) || seen.len() > 400 {
            return;
        }
        let (module, expr) = place;
        let tree = self.tree(module);
        let before = out.len();
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                let index = &self.project.modules[module].index;
                if let Some((scope, bindings)) = index.lookup_name(tree, expr_scope(tree, expr), name) {
                    for binding in bindings {
                        self.collect_binding(module, scope, binding, element, out, seen);
                    }
                    if out.len() > before {
                        return;
                    }
                } else if let Some(id) = self.star_home(module, name)
                    && let Some((scope, bindings)) =
                        self.project.modules[id].index.lookup_name(self.tree(id), None, name)
                {
                    for binding in bindings {
                        self.collect_binding(id, scope, binding, element, out, seen);
                    }
                    if out.len() > before {
                        return;
                    }
                }
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let attribute = tree.text(attribute.name);
                let class = match self.self_class((module, value)) {
                    Some(class) => Some((module, class)),
                    None => self.class_of((module, value)),
                };
                if let Some(class) = class {
                    self.collect_attribute(class, attribute, element, out, seen, 8);
                } else if let Some(origin) = self.origin(place)
                    && let Some((home, name)) = origin.rsplit_once('.')
                    && let Some(id) = self.project.by_name(home)
                    && let Some((scope, bindings)) =
                        self.project.modules[id].index.lookup_name(self.tree(id), None, name)
                {
                    for binding in bindings {
                        self.collect_binding(id, scope, binding, element, out, seen);
                    }
                }
                if out.len() > before {
                    return;
                }
            }
            ExprKind::Call { .. } => {
                if let Some(def) = self.project_callee(place)
                    && let StmtKind::FunctionDef(_) = self.tree(def.0)[def.1].kind
                {
                    for value in self.returned_values(def) {
                        self.collect_roots((def.0, value), element, out, seen);
                    }
                    if out.len() > before {
                        return;
                    }
                }
            }
            ExprKind::IfExp { body, orelse, .. } => {
                self.collect_roots((module, body), element, out, seen);
                self.collect_roots((module, orelse), element, out, seen);
                return;
            }
            ExprKind::BoolOp { values, .. } => {
                for &value in &tree[values] {
                    self.collect_roots((module, value), element, out, seen);
                }
                return;
            }
            ExprKind::Named { value, .. } => return self.collect_roots((module, value), element, out, seen),
            ExprKind::Tuple { elements, .. } => {
                if let Some(i) = element
                    && let Some(&part) = tree[elements].get(i)
                {
                    return self.collect_roots((module, part), None, out, seen);
                }
            }
            _ => {}
        }
        out.push(Root { module, expr, element, iterated: false });
    }

    /// The values that a class or its bases bind to an attribute of `self`.
    pub fn attribute_values(&self, class: Def, name: &str) -> Vec<ExprPlace> {
        let mut found: Vec<ExprPlace> = Vec::new();
        let mut todo = vec![class];
        for _ in 0..8 {
            let Some((module, stmt)) = todo.pop() else { break };
            for binding in self.project.modules[module].index.attribute_bindings(stmt, name) {
                if let Kind::Value(value) = binding.kind {
                    found.push((module, value));
                }
            }
            todo.extend(self.base_classes((module, stmt)));
        }
        found
    }

    fn collect_attribute(
        &self,
        class: Def,
        name: &str,
        element: Option<usize>,
        out: &mut Vec<Root>,
        seen: &mut FxHashSet<(ExprPlace, Option<usize>)>,
        fuel: u32,
    ) {
        let (module, stmt) = class;
        let tree = self.tree(module);
        for binding in self.project.modules[module].index.attribute_bindings(stmt, name) {
            self.collect_binding(module, scope_of(tree, binding.stmt), binding, element, out, seen);
        }
        if fuel > 0 {
            for base in self.base_classes(class) {
                self.collect_attribute(base, name, element, out, seen, fuel - 1);
            }
        }
    }

    fn collect_binding(
        &self,
        module: ModuleId,
        scope: Scope,
        binding: &NameBinding,
        element: Option<usize>,
        out: &mut Vec<Root>,
        seen: &mut FxHashSet<(ExprPlace, Option<usize>)>,
    ) {
        match &binding.kind {
            Kind::Value(value) | Kind::Context(value) => self.collect_roots((module, *value), element, out, seen),
            Kind::Element(value, i) => self.collect_roots((module, *value), Some(*i), out, seen),
            Kind::Iteration(iter, i) => {
                out.push(Root { module, expr: *iter, element: *i, iterated: true });
            }
            Kind::Augmented(_) | Kind::Function | Kind::Class | Kind::Opaque => {}
            Kind::Import(origin) => {
                // Modules may import a name from each other, and a package from itself.
                if let Some((home, name)) = origin.rsplit_once('.')
                    && let Some(id) = self.project.by_name(home)
                    && seen.insert(((module, import_marker(binding)), Some(name.len())))
                    && let Some((scope, bindings)) =
                        self.project.modules[id].index.lookup_name(self.tree(id), None, name)
                {
                    for binding in bindings {
                        self.collect_binding(id, scope, binding, element, out, seen);
                    }
                }
            }
            Kind::Parameter(i) => {
                let Some(function) = scope else { return };
                for site in self.arguments_for((module, function), *i) {
                    self.collect_roots(site, element, out, seen);
                }
            }
        }
    }

    /// What the callers of a function give for its `i`-th parameter; its default where a call gives nothing.
    pub fn arguments_for(&self, (module, function): Def, i: usize) -> Vec<ExprPlace> {
        let tree = self.tree(module);
        let StmtKind::FunctionDef(def) = tree[function].kind else { return Vec::new() };
        let method = self_of(tree, function).filter(|_| !self.is_static((module, function)));
        let mut sites: Vec<ExprPlace> = self.calls_of((module, function)).to_vec();
        if let Some((_, class)) = method.filter(|_| tree.text(def.name.name) == "__init__") {
            sites.extend(self.construction_calls((module, class)));
        }
        sites.into_iter().filter_map(|site| self.argument_at((module, function), i, site)).collect()
    }

    /// What one call of a function gives for its `i`-th parameter, or the parameter's default.
    pub fn argument_at(&self, (module, function): Def, i: usize, (site_module, call): ExprPlace) -> Option<ExprPlace> {
        let tree = self.tree(module);
        let StmtKind::FunctionDef(def) = tree[function].kind else { return None };
        let &name = parameter_names(tree, &def.parameters).get(i)?;
        let method = self_of(tree, function).is_some() && !self.is_static((module, function));
        let site_tree = self.tree(site_module);
        let ExprKind::Call { arguments, function: called } = site_tree[call].kind else { return None };
        // A bound method's call does not give `self`.
        let bound = method
            && !(matches!(site_tree[called].kind, ExprKind::Attribute { value, .. }
                if self.callable_definition((site_module, value), false).is_some_and(|d| matches!(self.tree(d.0)[d.1].kind, StmtKind::ClassDef(_)))));
        let place = if bound { i.checked_sub(1) } else { Some(i) };
        let given = place
            .and_then(|p| positional_argument(site_tree, arguments, p))
            .or_else(|| keyword_argument(site_tree, arguments, name));
        match given {
            Some(value) => Some((site_module, value)),
            None => self.default_of((module, function), name).map(|value| (module, value)),
        }
    }

    /// The getter of a property.
    pub fn property_getter(&self, class: Def, name: &str) -> Option<Def> {
        let getter = self.method_of(class, name, 8)?;
        let tree = self.tree(getter.0);
        let StmtKind::FunctionDef(def) = tree[getter.1].kind else { return None };
        let is_property = tree[def.decorators].iter().any(|&decorator| {
            self.origin((getter.0, decorator))
                .is_some_and(|origin| matches!(origin.as_str(), "builtins.property" | "functools.cached_property"))
        });
        is_property.then_some(getter)
    }

    /// Calls that make instances of a class, or of project classes below it that have no `__init__` of their own.
    pub fn construction_calls(&self, class: Def) -> Vec<ExprPlace> {
        let mut found = self.calls_of(class).to_vec();
        for (def, sites) in &self.sites {
            let inherits = *def != class
                && matches!(self.tree(def.0)[def.1].kind, StmtKind::ClassDef(_))
                && self.project.modules[def.0].index.attribute_bindings(def.1, "__init__").is_empty()
                && self.base_classes(*def).contains(&class);
            if inherits {
                found.extend(sites);
            }
        }
        found.sort_unstable();
        found
    }

    fn is_static(&self, (module, function): Def) -> bool {
        let tree = self.tree(module);
        let StmtKind::FunctionDef(def) = tree[function].kind else { return false };
        tree[def.decorators].iter().any(|&d| self.origin((module, d)).as_deref() == Some("builtins.staticmethod"))
    }

    pub fn default_of(&self, (module, function): Def, name: &str) -> Option<ExprId> {
        let tree = self.tree(module);
        let StmtKind::FunctionDef(def) = tree[function].kind else { return None };
        let lists = [def.parameters.positional_only, def.parameters.regular, def.parameters.keyword_only];
        lists.into_iter().flat_map(|list| &tree[list]).find(|p| tree.text(p.name.name) == name)?.default
    }

    /// The values that a function returns; empty for a generator.
    pub fn returned_values(&self, (module, function): Def) -> Vec<ExprId> {
        let tree = self.tree(module);
        let mut values = Vec::new();
        for node in tree.descendants(Node::Stmt(function)) {
            match node {
                Node::Stmt(stmt) => {
                    if let StmtKind::Return { value: Some(value) } = tree[stmt].kind
                        && scope_of(tree, stmt) == Some(function)
                    {
                        values.push(value);
                    }
                }
                Node::Expr(expr) => {
                    let yields = matches!(tree[expr].kind, ExprKind::Yield { .. } | ExprKind::YieldFrom { .. });
                    if yields && expr_scope(tree, expr) == Some(function) {
                        return Vec::new();
                    }
                }
            }
        }
        values
    }

    pub fn is_generator(&self, def: Def) -> bool {
        let tree = self.tree(def.0);
        tree.descendants(Node::Stmt(def.1)).any(|node| match node {
            Node::Expr(expr) => {
                matches!(tree[expr].kind, ExprKind::Yield { .. } | ExprKind::YieldFrom { .. })
                    && expr_scope(tree, expr) == Some(def.1)
            }
            Node::Stmt(_) => false,
        })
    }

    /// Whether a function runs as a graph: it is compiled itself, or called by one that is.
    pub fn is_compiled(&self, def: Def) -> bool {
        self.compiled_within(def, &mut FxHashSet::default())
    }

    fn compiled_within(&self, def: Def, seen: &mut FxHashSet<Def>) -> bool {
        if !seen.insert(def) {
            return false;
        }
        let tree = self.tree(def.0);
        let StmtKind::FunctionDef(function) = tree[def.1].kind else { return false };
        let decorated = tree[function.decorators].iter().any(|&decorator| {
            let named = match tree[decorator].kind {
                ExprKind::Call { function, .. } => function,
                _ => decorator,
            };
            self.api_name((def.0, named)).as_deref() == Some("tf.function")
        });
        let wrapped = self
            .handed
            .iter()
            .any(|(handed, call)| *handed == def && self.called_api(*call).as_deref() == Some("tf.function"));
        if decorated || wrapped {
            return true;
        }
        self.calls_of(def).iter().any(|&(module, call)| {
            expr_scope(self.tree(module), call).is_some_and(|caller| self.compiled_within((module, caller), seen))
        })
    }
}

/// Stands for an import statement among the expressions of a search.
pub fn import_marker(binding: &NameBinding) -> ExprId {
    ExprId(u32::MAX - binding.stmt.0)
}

/// The positional argument at a place, if no starred argument comes before it.
/// Modules of PyTorch whose members are used alike, whichever of them a name chooses.
pub fn is_open_namespace(api: &str) -> bool {
    matches!(api, "torch.optim" | "torch.optim.lr_scheduler" | "torch.nn" | "torch.nn.functional")
}

pub fn positional_argument(tree: &Tree, arguments: Arguments, i: usize) -> Option<ExprId> {
    let given = &tree[arguments.positional];
    let value = *given.get(i)?;
    let plain = given[..=i].iter().all(|&e| !matches!(tree[e].kind, ExprKind::Starred { .. }));
    plain.then_some(value)
}

pub fn keyword_argument(tree: &Tree, arguments: Arguments, name: &str) -> Option<ExprId> {
    tree[arguments.keywords]
        .iter()
        .find(|keyword| keyword.name.is_some_and(|given| tree.text(given.name) == name))
        .map(|keyword| keyword.value)
}

/// The arguments of a call expression.
pub fn call_arguments(tree: &Tree, call: ExprId) -> Option<Arguments> {
    match tree[call].kind {
        ExprKind::Call { arguments, .. } => Some(arguments),
        _ => None,
    }
}

/// An argument by keyword, else by place.
pub fn argument_of(tree: &Tree, call: ExprId, name: &str, place: usize) -> Option<ExprId> {
    let given = call_arguments(tree, call)?;
    keyword_argument(tree, given, name).or_else(|| positional_argument(tree, given, place))
}

pub fn canonical_api(origin: &str) -> String {
    const PREFIXES: &[(&str, &str)] = &[
        ("tensorflow.compat.v1", "tf"),
        ("tensorflow.compat.v2", "tf"),
        ("tensorflow.python.keras", "tf.keras"),
        ("tensorflow", "tf"),
        ("tf_keras", "tf.keras"),
        ("keras", "tf.keras"),
        ("numpy", "np"),
    ];
    let mut name = origin.to_owned();
    for (from, to) in PREFIXES {
        if let Some(rest) = origin.strip_prefix(from)
            && (rest.is_empty() || rest.starts_with('.'))
        {
            name = format!("{to}{rest}");
            break;
        }
    }
    for (from, to) in [
        ("tf.compat.v1.", "tf."),
        ("tf.optimizers.", "tf.keras.optimizers."),
        ("tf.keras.optimizers.legacy.", "tf.keras.optimizers."),
        ("tf.keras.optimizers.experimental.", "tf.keras.optimizers."),
        ("tf.keras.engine.training.Model", "tf.keras.Model"),
    ] {
        if let Some(rest) = name.strip_prefix(from) {
            name = format!("{to}{rest}");
        }
    }
    name
}

/// Whether the project writes the label that losses of classes leave out by default.
pub fn writes_ignored_label(trace: &Trace) -> bool {
    (0..trace.project.modules.len()).any(|module| {
        let tree = trace.tree(module);
        tree.expr_ids().any(|e| match tree[e].kind {
            ExprKind::UnaryOp { op: UnaryOperator::Minus, operand } => matches!(tree[operand].kind, ExprKind::Int(100)),
            _ => false,
        })
    })
}

/// Whether an expression asks for the number of the rank.
pub fn calls_rank(trace: &Trace, (module, expr): ExprPlace) -> bool {
    const CALLS: &[&str] = &["torch.distributed.get_rank", "horovod.tensorflow.rank", "horovod.tensorflow.keras.rank"];
    let tree = trace.tree(module);
    tree.descendants(Node::Expr(expr)).any(|node| {
        matches!(node, Node::Expr(e) if matches!(tree[e].kind, ExprKind::Call { .. })
            && trace.called_api((module, e)).is_some_and(|api| CALLS.contains(&api.as_str())))
    })
}
