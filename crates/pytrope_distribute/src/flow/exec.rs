//! Statements.

use pytrope_source::ModuleResolver;
use pytrope_source::tree::{ExprId, ExprKind, List, StmtId, StmtKind};

use super::batches::BatchAxis;
use super::branch::Ending;
use super::{AbstractObject, Constant, ELEMENTS, EventKind, FlowFrame, FlowRun, FlowValue};
use crate::project::ModuleId;
use crate::trace::ExprPlace;

/// The most items that a loop is run over one by one.
const UNROLLED: usize = 8;

impl FlowRun<'_> {
    /// FlowRun a module of the project once; gives its frame.
    pub(super) fn enter_module(&mut self, module: ModuleId) -> usize {
        if let Some(frame) = self.module_frames[module] {
            return frame;
        }
        let owner = self.add_object(AbstractObject::Frame);
        self.frames.push(FlowFrame { module, scope: None, parent: None, owner, returns: None, yields: None });
        let frame = self.frames.len() - 1;
        self.module_frames[module] = Some(frame);
        let name = if module == 0 { "__main__" } else { self.trace.project.modules[module].name.as_str() };
        self.write_cell(owner, "__name__", FlowValue::text(name));
        let body = self.trace.tree(module).body();
        self.collect_endings(&mut |run| run.exec_block(frame, body));
        frame
    }

    pub(super) fn exec_block(&mut self, frame: usize, stmts: List<StmtId>) -> Ending {
        let tree = self.trace.tree(self.frames[frame].module);
        for &stmt in &tree[stmts] {
            let ending = self.exec_stmt(frame, stmt);
            if ending != Ending::Falls {
                return ending;
            }
        }
        Ending::Falls
    }

    fn exec_stmt(&mut self, frame: usize, stmt: StmtId) -> Ending {
        let module = self.frames[frame].module;
        let tree = self.trace.tree(module);
        if self.fuel == 0 {
            if self.exhausted.is_none() {
                self.exhausted = tree.expr_ids().next().map(|e| (module, e));
            }
            return Ending::LeavesFunction;
        }
        self.fuel -= 1;
        match tree[stmt].kind {
            StmtKind::Assign { targets, value } => {
                let value = self.eval_expr(frame, value);
                for &target in &tree[targets] {
                    self.assign_target(frame, target, value.clone());
                }
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => {
                let value = self.eval_expr(frame, value);
                self.assign_target(frame, target, value);
            }
            StmtKind::AugAssign { target, value: added, op } => {
                let given = self.eval_expr(frame, added);
                let mut value = self.eval_expr(frame, target);
                for object in value.objects.clone() {
                    if matches!(self.objects[object as usize], AbstractObject::Items { .. }) {
                        let length = self.part_of_length(&given);
                        self.mark_count(object, length);
                        let items = self.iterate_value(&given);
                        self.add_item(object, items);
                    }
                }
                let at = (self.frames[frame].module, added);
                let (batch, mixed) = self.batch_of_operator(at, op, &value, &given);
                let (part, count) = super::shares::part_of_operator(op, &value, &given);
                value.add(&given);
                value.part = part;
                value.set_axis((count.unwrap_or(batch), mixed), at);
                value.constant = None;
                self.assign_target(frame, target, value);
            }
            StmtKind::For { target, iter, body, orelse, .. } => self.run_for(frame, stmt, target, iter, body, orelse),
            StmtKind::While { test, body, orelse } => self.run_while(frame, stmt, test, body, orelse),
            StmtKind::If { test, body, clauses } => {
                let mut ways: Vec<(Option<ExprId>, List<StmtId>)> = vec![(Some(test), body)];
                ways.extend(tree[clauses].iter().map(|clause| (clause.test, clause.body)));
                return self.exec_branches(frame, &ways);
            }
            StmtKind::With { items, body, .. } => {
                let (grad, scopes) = (self.grad, self.scopes);
                for item in &tree[items] {
                    let value = self.eval_expr(frame, item.context);
                    self.scopes += u32::from(self.is_scope(&value));
                    self.grad = self.grad_inside(&value).unwrap_or(self.grad);
                    if let Some(target) = item.target {
                        self.assign_target(frame, target, value);
                    }
                }
                let ending = self.exec_block(frame, body);
                (self.grad, self.scopes) = (grad, scopes);
                return ending;
            }
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
                let mut ending = self.exec_block(frame, body);
                if ending == Ending::Falls {
                    ending = self.exec_block(frame, orelse);
                }
                for handler in &tree[handlers] {
                    // Whether an exception comes is taken to be the same on all ranks.
                    self.run_perhaps(&mut |run| run.exec_block(frame, handler.body));
                }
                let last = self.exec_block(frame, finalbody);
                return if last == Ending::Falls { ending } else { last };
            }
            StmtKind::Match { subject, cases } => {
                let subject = self.eval_expr(frame, subject);
                let condition = self.condition_of(&subject, module, stmt);
                let bodies: Vec<List<StmtId>> = tree[cases].iter().map(|case| case.body).collect();
                return self.run_cases(frame, condition, &bodies);
            }
            StmtKind::FunctionDef(function) => {
                let object = self.make_value(AbstractObject::Function { def: (module, stmt), frame, receiver: None });
                self.bind_name(frame, tree.text(function.name.name), stmt, object);
            }
            StmtKind::ClassDef(class) => {
                let object = self.make_value(AbstractObject::Class { def: (module, stmt) });
                let id = object.objects[0];
                for &inner in &tree[class.body] {
                    if let StmtKind::Assign { targets, value } = tree[inner].kind {
                        let value = self.eval_expr(frame, value);
                        for &target in &tree[targets] {
                            if let Some(name) = tree.as_name(target) {
                                self.write_cell(id, tree.text(name), value.clone());
                            }
                        }
                    } else if let StmtKind::AnnAssign { target, value: Some(value), .. } = tree[inner].kind
                        && let Some(name) = tree.as_name(target)
                    {
                        let value = self.eval_expr(frame, value);
                        self.write_cell(id, tree.text(name), value);
                    }
                }
                self.bind_name(frame, tree.text(class.name.name), stmt, object);
            }
            StmtKind::Return { value } => {
                let mut value =
                    value.map_or_else(|| FlowValue::constant(Constant::None), |value| self.eval_expr(frame, value));
                value.part = value.part.or(self.deciding_part());
                let returns = &mut self.frames[frame].returns;
                *returns = Some(match returns.take() {
                    Some(known) => known.join(&value),
                    None => value,
                });
                self.record_leave(frame, stmt);
                return Ending::LeavesFunction;
            }
            StmtKind::Raise { exception, .. } => {
                if let Some(exception) = exception {
                    self.eval_expr(frame, exception);
                }
                return Ending::LeavesFunction;
            }
            StmtKind::Break | StmtKind::Continue => {
                self.record_leave(frame, stmt);
                return Ending::LeavesLoop;
            }
            StmtKind::Expr { value } => {
                self.eval_expr(frame, value);
                if self.trace.called_api((module, value)).is_some_and(|api| {
                    matches!(api.as_str(), "sys.exit" | "builtins.exit" | "builtins.quit" | "os._exit")
                }) {
                    return Ending::LeavesFunction;
                }
            }
            StmtKind::Assert { test, .. } => {
                self.eval_expr(frame, test);
            }
            StmtKind::Import { names } => {
                for alias in &tree[names] {
                    let full = tree.text(alias.name.name).to_owned();
                    let first = full.split('.').next().unwrap_or(&full).to_owned();
                    let (name, origin) = match alias.asname {
                        Some(asname) => (tree.text(asname.name).to_owned(), full.clone()),
                        None => (first.clone(), first),
                    };
                    if let Some(id) = self.trace.project.by_name(&full) {
                        self.enter_module(id);
                    }
                    let value = self.make_value(AbstractObject::Library(origin));
                    self.bind_name(frame, &name, stmt, value);
                }
            }
            StmtKind::ImportFrom { module: from, names, level } => {
                let home = &self.trace.project.modules[module];
                let from = from.map(|from| tree.text(from.name));
                let Some(base) = ModuleResolver::absolute(&home.name, home.is_package, level, from) else {
                    return Ending::Falls;
                };
                for alias in &tree[names] {
                    let name = tree.text(alias.name.name);
                    let value = self.member_of(&base, name);
                    if name == "*" {
                        continue;
                    }
                    let bound = alias.asname.map_or(name, |asname| tree.text(asname.name));
                    self.bind_name(frame, bound, stmt, value);
                }
            }
            StmtKind::AnnAssign { .. }
            | StmtKind::Delete { .. }
            | StmtKind::TypeAlias { .. }
            | StmtKind::Global { .. }
            | StmtKind::Nonlocal { .. }
            | StmtKind::Pass
            | StmtKind::IpyEscape(_) => {}
        }
        Ending::Falls
    }

    /// One of the cases of a `match`, or none.
    fn run_cases(&mut self, frame: usize, condition: Option<ExprPlace>, bodies: &[List<StmtId>]) -> Ending {
        let Some((&first, rest)) = bodies.split_first() else { return Ending::Falls };
        self.run_alternatives(&mut [
            &mut |run| run.run_under_condition(condition, &mut |run| run.exec_block(frame, first)),
            &mut |run| run.run_cases(frame, condition, rest),
        ])
    }

    /// `from base import name`.
    pub(super) fn member_of(&mut self, base: &str, name: &str) -> FlowValue {
        if let Some(id) = self.trace.project.by_name(base) {
            let frame = self.enter_module(id);
            let owner = self.frames[frame].owner;
            if name == "*" {
                return FlowValue::default();
            }
            if let Some(value) = self.read_cell(owner, name) {
                return value;
            }
            if self.trace.project.by_name(&format!("{base}.{name}")).is_none()
                && let Some(home) = self.trace.star_home(id, name)
            {
                let home = self.trace.project.modules[home].name.clone();
                return self.member_of(&home, name);
            }
        }
        let full = format!("{base}.{name}");
        if let Some(id) = self.trace.project.by_name(&full) {
            self.enter_module(id);
        }
        self.make_value(AbstractObject::Library(full))
    }

    fn record_leave(&mut self, frame: usize, stmt: StmtId) {
        let decided = self.divergent.last().copied().or(self.deciding_part());
        let Some(at) = decided else { return };
        let module = self.frames[frame].module;
        let tree = self.trace.tree(module);
        let target = match tree[stmt].kind {
            StmtKind::Return { .. } => self.frames[frame].scope,
            _ => crate::index::loops_around(tree, stmt).first().copied(),
        };
        if let Some(target) = target {
            self.record_event(at, EventKind::Leaves { target: (module, target) });
        }
    }

    /// The place of a condition, if ranks may decide it differently.
    fn condition_of(&self, value: &FlowValue, module: ModuleId, stmt: StmtId) -> Option<ExprPlace> {
        let tree = self.trace.tree(module);
        let first = crate::index::exprs_in(tree, stmt).next()?;
        (value.varies || value.random).then_some((module, first))
    }

    fn exec_branches(&mut self, frame: usize, ways: &[(Option<ExprId>, List<StmtId>)]) -> Ending {
        let Some(&(test, body)) = ways.first() else { return Ending::Falls };
        let Some(test) = test else { return self.exec_block(frame, body) };
        let value = self.eval_expr(frame, test);
        match value.known_truth() {
            Some(true) => return self.exec_block(frame, body),
            Some(false) => return self.exec_branches(frame, &ways[1..]),
            None => {}
        }
        let condition = (value.varies || value.random).then_some((self.frames[frame].module, test));
        let decision = Self::decision_of(&value, (self.frames[frame].module, test));
        self.run_decided(decision, |run| {
            run.run_alternatives(&mut [
                &mut |run| run.run_under_condition(condition, &mut |run| run.exec_block(frame, body)),
                &mut |run| run.run_under_condition(condition, &mut |run| run.exec_branches(frame, &ways[1..])),
            ])
        })
    }

    fn run_for(
        &mut self,
        frame: usize,
        stmt: StmtId,
        target: ExprId,
        iter: ExprId,
        body: List<StmtId>,
        orelse: List<StmtId>,
    ) {
        let module = self.frames[frame].module;
        let iterated = self.eval_expr(frame, iter);
        let condition = iterated.uneven.then_some((module, iter));
        let certain = u32::from(!iterated.random);
        self.enter_inside((module, stmt));
        if let Some(items) = self.known_items(&iterated) {
            for item in items {
                self.assign_target(frame, target, item);
                self.collect_endings(&mut |run| run.exec_block(frame, body));
            }
        } else {
            // How often it runs may be a matter of this rank's samples.
            let length = self.part_of_length(&iterated);
            let length = length.map(|_| super::shares::SampleDecision { at: (module, iter), varies: false });
            for _ in 0..2 {
                self.run_decided(length, |run| {
                    run.run_under_condition(condition, &mut |run| {
                        run.run_perhaps(&mut |run| {
                            // A loop over samples is entered; one over a number that was drawn may not be.
                            run.conditional -= certain;
                            let item = run.iterate_value(&iterated);
                            run.assign_target(frame, target, item);
                            run.collect_endings(&mut |run| run.exec_block(frame, body));
                            run.conditional += certain;
                            Ending::Falls
                        })
                    })
                });
            }
        }
        self.leave_inside();
        self.exec_block(frame, orelse);
    }

    fn run_while(&mut self, frame: usize, stmt: StmtId, test: ExprId, body: List<StmtId>, orelse: List<StmtId>) {
        let module = self.frames[frame].module;
        self.enter_inside((module, stmt));
        for _ in 0..2 {
            let value = self.eval_expr(frame, test);
            if value.known_truth() == Some(false) {
                break;
            }
            let condition = (value.varies || value.random).then_some((module, test));
            self.run_decided(Self::decision_of(&value, (module, test)), |run| {
                run.run_under_condition(condition, &mut |run| {
                    run.run_perhaps(&mut |run| {
                        run.conditional -= 1;
                        run.collect_endings(&mut |run| run.exec_block(frame, body));
                        run.conditional += 1;
                        Ending::Falls
                    })
                })
            });
        }
        self.leave_inside();
        self.exec_block(frame, orelse);
    }

    /// The items of a container that are known one by one, if they are few.
    pub(super) fn known_items(&mut self, value: &FlowValue) -> Option<Vec<FlowValue>> {
        let [object] = value.objects[..] else { return None };
        let AbstractObject::Items { count: Some(count) } = self.objects[object as usize] else { return None };
        if count == 0 || count > UNROLLED || value.unknown.is_some() {
            return None;
        }
        (0..count).map(|i| self.read_cell(object, &i.to_string())).collect()
    }

    /// One item of an iteration.
    pub(super) fn iterate_value(&mut self, value: &FlowValue) -> FlowValue {
        let is_items = |run: &Self, o: super::ObjectId| matches!(run.objects[o as usize], AbstractObject::Items { .. });
        // The items of a container know themselves what they are.
        let mut item = if !value.objects.is_empty() && value.objects.iter().all(|&o| is_items(self, o)) {
            FlowValue { passes: value.passes.clone(), unknown: value.unknown, ..FlowValue::default() }
        } else {
            let is_loader = |&o: &super::ObjectId| matches!(&self.objects[o as usize], AbstractObject::Made { api, .. } if api == "torch.utils.data.DataLoader");
            let batch = match value.batch {
                // Ranks read different numbers of samples where nothing is repeated.
                _ if value.varies && value.uneven && value.objects.iter().any(is_loader) => BatchAxis::Chosen,
                _ if value.varies && value.objects.iter().any(is_loader) => BatchAxis::Handed,
                BatchAxis::Positions | BatchAxis::Sizes => BatchAxis::Count,
                BatchAxis::Rows | BatchAxis::Column | BatchAxis::Mask | BatchAxis::Order | BatchAxis::Sample => {
                    BatchAxis::Sample
                }
                BatchAxis::Mean | BatchAxis::Sum | BatchAxis::Quotient | BatchAxis::Handed => value.batch,
                _ => BatchAxis::Unknown,
            };
            FlowValue { objects: Vec::new(), constant: None, uneven: false, batch, ..value.clone() }
        };
        for &object in &value.objects {
            match self.objects[object as usize].clone() {
                AbstractObject::Items { .. } => {
                    let parts: Vec<FlowValue> = self.fields_of(object).cloned().collect();
                    let mut parts = parts.into_iter();
                    if let Some(first) = parts.next() {
                        let joined = parts.fold(first, |known, part| known.join(&part));
                        item.add(&joined);
                        item.constant = joined.constant;
                    }
                }
                AbstractObject::Parameters { .. }
                | AbstractObject::Gradients { .. }
                | AbstractObject::Optimizer { .. } => item.objects.push(object),
                AbstractObject::Instance { class } if self.trace.method_of(class, "__iter__", 8).is_some() => {
                    let at = (0, ExprId(0));
                    let inner = self.call_method(object, "__iter__", at, super::calls::CallArguments::default());
                    let inner = self.iterate_value(&inner);
                    item.add(&inner);
                }
                // The items of a module list are parts of it.
                AbstractObject::Made { ref api, .. } if api.ends_with("ModuleList") || api.ends_with("Sequential") => {
                    item.objects.push(object);
                }
                _ => {}
            }
        }
        item.objects.sort_unstable();
        item.objects.dedup();
        item
    }

    pub(super) fn assign_target(&mut self, frame: usize, target: ExprId, value: FlowValue) {
        let module = self.frames[frame].module;
        let tree = self.trace.tree(module);
        match tree[target].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                let owner = match self.owning_scope((module, target), name) {
                    Some(scope) => self.owner_in(frame, scope),
                    None => self.frames[frame].owner,
                };
                self.write_cell(owner, name, value);
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                for (i, &element) in tree[elements].iter().enumerate() {
                    let part = if matches!(tree[element].kind, ExprKind::Starred { .. }) {
                        self.iterate_value(&value)
                    } else {
                        self.item_of(&value, Some(&Constant::Int(i as i64)))
                    };
                    self.assign_target(frame, element, part);
                }
            }
            ExprKind::Starred { value: inner, .. } => self.assign_target(frame, inner, value),
            ExprKind::Attribute { value: base, attribute, .. } => {
                let base = self.eval_expr(frame, base);
                let base = self.settle_parts(&base, (module, target));
                let name = tree.text(attribute.name).to_owned();
                self.store_attribute((module, target), &base, &name, &value);
            }
            ExprKind::Subscript { value: base, index, .. } => {
                let base = self.eval_expr(frame, base);
                let index = self.eval_expr(frame, index);
                self.note_change((module, target), &base, &value);
                let mut change = index.clone();
                change.add(&value);
                self.mark_changed(frame, target, &change);
                for &object in &base.objects {
                    self.mark_length(object, index.part);
                    match (&self.objects[object as usize], &index.constant) {
                        (AbstractObject::Items { .. }, Some(Constant::Str(key))) => {
                            let key = key.to_string();
                            self.write_cell(object, &key, value.clone());
                        }
                        (AbstractObject::Items { .. }, Some(Constant::Int(i))) => {
                            self.write_cell(object, &i.to_string(), value.clone());
                        }
                        (AbstractObject::Optimizer { .. } | AbstractObject::Parameters { .. }, _) => {}
                        _ => self.join_cell(object, ELEMENTS, value.clone()),
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn store_attribute(&mut self, at: ExprPlace, base: &FlowValue, name: &str, value: &FlowValue) {
        if matches!(name, "data" | "grad") {
            self.note_change(at, base, value);
        }
        for &object in &base.objects {
            if let AbstractObject::Parameters { module } = self.objects[object as usize]
                && name == "requires_grad"
            {
                self.record_event(at, EventKind::Freeze { module, to: value.known_truth() });
            }
            if base.objects.len() == 1 {
                self.write_cell(object, name, value.clone());
            } else {
                self.join_cell(object, name, value.clone());
            }
        }
    }

    /// Add an item to a container at a place that is not known.
    pub(super) fn add_item(&mut self, object: super::ObjectId, value: FlowValue) {
        if let AbstractObject::Items { count } = &mut self.objects[object as usize] {
            *count = None;
        }
        self.join_cell(object, ELEMENTS, value);
    }

    fn bind_name(&mut self, frame: usize, name: &str, stmt: StmtId, value: FlowValue) {
        let owner =
            self.owner_of(frame, name, crate::index::scope_of(self.trace.tree(self.frames[frame].module), stmt));
        self.write_cell(owner, name, value);
    }

    /// The function that owns the name of an expression; `None` for built-ins and what star-imports bring.
    pub(super) fn owning_scope(&mut self, at: ExprPlace, name: &str) -> Option<crate::index::Scope> {
        let trace = self.trace;
        *self.owners.entry(at).or_insert_with(|| {
            let tree = trace.tree(at.0);
            let scope = crate::index::expr_scope(tree, at.1);
            trace.project.modules[at.0].index.lookup_name(tree, scope, name).map(|(scope, _)| scope)
        })
    }

    /// The object that owns the cells of a function's running frame, seen from a frame inside it.
    pub(super) fn owner_in(&self, frame: usize, scope: crate::index::Scope) -> super::ObjectId {
        let mut at = Some(frame);
        while let Some(here) = at {
            if self.frames[here].scope == scope {
                return self.frames[here].owner;
            }
            at = self.frames[here].parent;
        }
        self.frames[frame].owner
    }

    /// The object that owns the cell of a name as seen from a frame.
    pub(super) fn owner_of(&self, frame: usize, name: &str, scope: crate::index::Scope) -> super::ObjectId {
        let module = self.frames[frame].module;
        let tree = self.trace.tree(module);
        match self.trace.project.modules[module].index.lookup_name(tree, scope, name) {
            Some((scope, _)) => self.owner_in(frame, scope),
            None => self.frames[frame].owner,
        }
    }
}
