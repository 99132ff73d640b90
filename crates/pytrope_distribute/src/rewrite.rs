//! The rewriting of one project: edits per module, the log of what was done by which rule, and refusals.

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};
use pytrope_source::{Edits, Span, TextRange};
use rustc_hash::FxHashSet;

use crate::identify::{Training, TrainingPattern};
use crate::project::{ModuleId, Project};
pub use crate::target::Target;
use crate::trace::{ExprPlace, Trace, call_arguments};

/// One edit, for `--explain`.
#[derive(Clone, Debug)]
pub struct Change {
    pub rule: &'static str,
    pub module: ModuleId,
    pub line: u32,
    pub what: String,
}

/// What the proof of a first output has found, and a second one takes into account; by places in the text of the script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corrections {
    /// Where backward passes of losses are called that are sums over the samples.
    pub sums: Vec<(ModuleId, u32)>,
    /// Numbers of a rank's samples that are shown, and whether they are means.
    pub shown: Vec<(ModuleId, TextRange, bool)>,
}

impl Corrections {
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty() && self.shown.is_empty()
    }

    /// Take over others; whether there was a new one.
    pub fn extend_by(&mut self, other: &Self) -> bool {
        let before = self.sums.len() + self.shown.len();
        for place in &other.sums {
            if !self.sums.contains(place) {
                self.sums.push(*place);
            }
        }
        for place in &other.shown {
            if !self.shown.contains(place) {
                self.shown.push(*place);
            }
        }
        self.sums.len() + self.shown.len() > before
    }
}

/// What averages the gradients of a module over the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradientReduction {
    /// The engine's wrapper, which sees one forward pass of the module and the backward pass that follows it.
    Wrapper,
    /// A hook on every parameter, which sees every backward pass, however the loss was computed.
    Hooks,
}

/// The names of the functions that a module's rewrite calls, where it needs them.
#[derive(Clone, Debug, Default)]
pub struct HelperNames {
    /// Adds a value up over the ranks.
    pub sum: Option<String>,
    /// The object that averages the gradients of modules at the end of every backward pass.
    pub average: Option<String>,
    /// Reads the data set of a divided loader whole.
    pub whole: Option<String>,
}

pub struct Rewrite<'a> {
    pub project: &'a Project,
    pub trace: &'a Trace<'a>,
    pub training: &'a Training,
    pub target: Target,
    pub reduction: GradientReduction,
    pub edits: Vec<Edits<'a>>,
    pub log: Vec<Change>,
    pub refusals: Vec<Finding>,
    /// How many of the refusals say that the wrapper does not see how a module is trained.
    pub unwatched: usize,
    pub notes: Vec<Finding>,
    /// Modules that name the engine, and so must import it.
    pub uses_engine: Vec<bool>,
    /// The name that the engine is imported under.
    pub engine: String,
    /// The name of Horovod's Keras module where both are needed.
    pub keras_engine: String,
    /// Import lines that a module needs besides the engine's.
    pub imports: Vec<Vec<String>>,
    /// Statements that only rank 0 runs, and those of them whose arguments are computed before.
    pub guarded: Vec<FxHashSet<StmtId>>,
    /// Expressions that a rule has already taken care of.
    pub done: FxHashSet<ExprPlace>,
    pub helpers: Vec<HelperNames>,
    /// Sources whose files are put in order.
    pub ordered: FxHashSet<ExprPlace>,
    /// Slices that have a name: of which array, before which statement.
    pub shards: Vec<(ModuleId, String, StmtId, String)>,
    /// Loops whose sums have been reduced where they end.
    pub reduced_loops: FxHashSet<(ModuleId, StmtId)>,
    /// Loops of evaluation that read all samples on every rank.
    pub whole_loops: FxHashSet<(ModuleId, StmtId)>,
    /// The loop that arrays were cut for under names of their own; outside it they have all rows.
    pub cut_for: Option<(ModuleId, StmtId)>,
    /// Losses that are sums over the samples, for engines whose backward pass is written by another rule.
    pub summed_losses: Vec<ExprPlace>,
    pub corrections: Corrections,
    /// The modules that are wrapped, once the PyTorch rules have run.
    pub wrapped: Vec<crate::rules::ddp::Wrapped>,
    /// Options of DistributedDataParallel that the script needs, for engines that wrap modules themselves.
    pub wrapper_options: Vec<&'static str>,
    /// Arguments to add, written when all rules are done, so that they follow what is put behind the last one.
    added: Vec<(ExprPlace, String)>,
}

impl<'a> Rewrite<'a> {
    pub fn new(trace: &'a Trace<'a>, training: &'a Training, (target, reduction): (Target, GradientReduction)) -> Self {
        let project = trace.project;
        let count = project.modules.len();
        let mut rewrite = Self {
            project,
            trace,
            training,
            target,
            reduction,
            edits: project.modules.iter().map(|module| Edits::new(&module.parsed)).collect(),
            log: Vec::new(),
            refusals: Vec::new(),
            unwatched: 0,
            notes: Vec::new(),
            uses_engine: vec![false; count],
            engine: String::new(),
            keras_engine: String::new(),
            imports: vec![Vec::new(); count],
            guarded: vec![FxHashSet::default(); count],
            done: FxHashSet::default(),
            helpers: vec![HelperNames::default(); count],
            ordered: FxHashSet::default(),
            wrapper_options: Vec::new(),
            shards: Vec::new(),
            reduced_loops: FxHashSet::default(),
            whole_loops: FxHashSet::default(),
            cut_for: None,
            summed_losses: Vec::new(),
            corrections: Corrections::default(),
            wrapped: Vec::new(),
            added: Vec::new(),
        };
        rewrite.engine = rewrite.free_everywhere(target.alias());
        rewrite.keras_engine = match training.pattern {
            TrainingPattern::TrainStep => rewrite.free_everywhere("hvd_keras"),
            _ => rewrite.engine.clone(),
        };
        rewrite
    }

    /// A name that no module of the project uses.
    pub fn free_everywhere(&self, base: &str) -> String {
        let taken = |name: &str| self.project.modules.iter().any(|m| m.parsed.tree.strings().any(|s| s == name));
        let mut name = base.to_owned();
        let mut number = 2;
        while taken(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }

    /// The rank's expression, marking the module as one that needs the engine.
    pub fn rank_text(&mut self, module: ModuleId) -> String {
        self.uses_engine[module] = true;
        self.target.rank_expression(&self.engine)
    }

    pub fn size_text(&mut self, module: ModuleId) -> String {
        self.uses_engine[module] = true;
        self.target.size_expression(&self.engine)
    }

    pub fn engine_name(&mut self, module: ModuleId) -> String {
        self.uses_engine[module] = true;
        self.engine.clone()
    }

    pub fn add_import(&mut self, module: ModuleId, line: &str) {
        if !self.imports[module].iter().any(|known| known == line) {
            self.imports[module].push(line.to_owned());
        }
    }

    pub fn log_change(&mut self, rule: &'static str, module: ModuleId, range: TextRange, what: impl Into<String>) {
        let line = self.project.modules[module].parsed.file.line_column(range.start).line;
        self.log.push(Change { rule, module, line, what: what.into() });
    }

    pub fn span(&self, module: ModuleId, range: TextRange) -> Span {
        Span::new(&self.project.modules[module].parsed.file, range)
    }

    pub fn refuse_at(
        &mut self,
        rule: &str,
        module: ModuleId,
        range: TextRange,
        message: impl Into<String>,
        help: &str,
    ) {
        let finding = Finding::new(rule_by_id(rule), self.span(module, range), message).help(help);
        self.refusals.push(finding);
    }

    pub fn range(&self, (module, expr): ExprPlace) -> TextRange {
        self.trace.tree(module)[expr].range
    }

    pub fn text(&self, place: ExprPlace) -> &'a str {
        self.trace.text(place)
    }

    /// Put text directly before and after an expression.
    pub fn wrap_text(&mut self, (module, expr): ExprPlace, before: &str, after: &str) {
        let range = self.trace.tree(module)[expr].range;
        if !before.is_empty() {
            self.edits[module].insert(range.start, before);
        }
        self.edits[module].insert(range.end, after);
    }

    /// `expr` becomes `expr suffix`, with parentheses where its operator binds less than a product.
    pub fn append_operator(&mut self, place: ExprPlace, suffix: &str) {
        if self.is_factor(place) {
            self.wrap_text(place, "", suffix);
        } else {
            self.wrap_text(place, "(", &format!("){suffix}"));
        }
    }

    fn is_factor(&self, (module, expr): ExprPlace) -> bool {
        use pytrope_source::tree::BinaryOperator as Op;
        match self.trace.tree(module)[expr].kind {
            ExprKind::BinOp { op, .. } => {
                matches!(op, Op::Mult | Op::Div | Op::FloorDiv | Op::Mod | Op::Pow | Op::MatMult)
            }
            ExprKind::Name { .. }
            | ExprKind::Attribute { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::Call { .. }
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Tuple { parenthesized: true, .. }
            | ExprKind::List { .. } => true,
            _ => false,
        }
    }

    /// Divide a count by the number of ranks, never below one.
    pub fn divide_number(&mut self, rule: &'static str, place: ExprPlace) {
        if !self.done.insert(place) {
            return;
        }
        let (module, expr) = place;
        let size = self.size_text(module);
        let large = matches!(self.trace.tree(module)[expr].kind, ExprKind::Int(n) if n >= 1000);
        if large {
            self.append_operator(place, &format!(" // {size}"));
        } else if self.is_factor(place) {
            self.wrap_text(place, "max(1, ", &format!(" // {size})"));
        } else {
            self.wrap_text(place, "max(1, (", &format!(") // {size})"));
        }
        let range = self.range(place);
        self.log_change(rule, module, range, format!("`{}` is divided by the number of ranks", self.text(place)));
    }

    /// Divide a count where it gets its name, if sums are divided by that name elsewhere; else where it stands.
    pub fn divide_count(&mut self, rule: &'static str, place: ExprPlace) {
        match self.counted_at(place) {
            Some(value) => self.divide_number(rule, (place.0, value)),
            None => self.divide_number(rule, place),
        }
    }

    /// The one value of a name whose other uses are all divisors, as in `total / steps`.
    fn counted_at(&self, (module, expr): ExprPlace) -> Option<ExprId> {
        use crate::index::{Kind, expr_scope, parent_expr};
        use pytrope_source::tree::{BinaryOperator, Context};
        let tree = self.trace.tree(module);
        let name = tree.text(tree.as_name(expr)?);
        let index = &self.project.modules[module].index;
        let (scope, [binding]) = index.lookup_name(tree, expr_scope(tree, expr), name)? else { return None };
        let Kind::Value(value) = binding.kind else { return None };
        let mut divides = false;
        for e in tree.expr_ids() {
            let reads = e != expr
                && matches!(tree[e].kind, ExprKind::Name { name: n, context: Context::Load } if tree.text(n) == name);
            if !reads || index.lookup_name(tree, expr_scope(tree, e), name).is_none_or(|(s, _)| s != scope) {
                continue;
            }
            let parent = parent_expr(tree, e)?;
            match tree[parent].kind {
                ExprKind::BinOp { op: BinaryOperator::Div | BinaryOperator::FloorDiv, right, .. } if right == e => {
                    divides = true;
                }
                _ => return None,
            }
        }
        divides.then_some(value)
    }

    /// Add `name=value` to a call's arguments.
    pub fn add_argument(&mut self, call: ExprPlace, text: &str) {
        self.added.push((call, text.to_owned()));
    }

    /// Write the added arguments of all calls.
    pub fn write_arguments(&mut self) {
        let mut written: FxHashSet<ExprPlace> = FxHashSet::default();
        for ((module, call), text) in std::mem::take(&mut self.added) {
            let tree = self.trace.tree(module);
            let Some(given) = call_arguments(tree, call) else { continue };
            let last = tree[given.positional]
                .iter()
                .map(|&e| tree[e].range)
                .chain(tree[given.keywords].iter().map(|k| k.range))
                .max_by_key(|range| range.end);
            let again = !written.insert((module, call));
            let Some(TextRange { start: begins, end: last }) = last else {
                let comma = if again { ", " } else { "" };
                self.edits[module].insert(given.range.end - 1, format!("{comma}{text}"));
                continue;
            };
            // A parenthesised argument ends after its parentheses.
            let rest = TextRange::new(last, given.range.end - 1).of(self.project.modules[module].parsed.file.text());
            let at = rest.rfind(')').filter(|_| !rest.contains('#')).map_or(last, |i| last + i as u32 + 1);
            // Arguments on lines of their own are followed by one on a line of its own.
            let before = &self.project.modules[module].parsed.file.text()[..begins as usize];
            let line = &before[before.rfind('\n').map_or(0, |i| i + 1)..];
            let starts =
                line.trim().is_empty() && before.contains('\n') && given.range.start < begins - line.len() as u32;
            let gap = if starts { format!("{}{line}", self.line_ending(module)) } else { " ".to_owned() };
            self.edits[module].insert(at, format!(",{gap}{text}"));
        }
    }

    /// How a module ends its lines.
    pub fn line_ending(&self, module: ModuleId) -> &'static str {
        if self.project.modules[module].parsed.file.text().contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Remove a keyword argument together with the comma that belongs to it.
    pub fn remove_keyword(&mut self, (module, call): ExprPlace, name: &str) {
        let tree = self.trace.tree(module);
        let Some(given) = call_arguments(tree, call) else { return };
        let text = self.project.modules[module].parsed.file.text();
        let Some(keyword) = tree[given.keywords].iter().find(|k| k.name.is_some_and(|n| tree.text(n.name) == name))
        else {
            return;
        };
        let before = &text[given.range.start as usize..keyword.range.start as usize];
        if let Some(comma) = before.rfind(',').filter(|&i| before[i + 1..].trim().is_empty()) {
            let start = given.range.start + comma as u32;
            self.edits[module].delete_range(TextRange::new(start, keyword.range.end));
        } else {
            let after = &text[keyword.range.end as usize..given.range.end as usize];
            let skip = after.find(|c: char| c != ',' && !c.is_whitespace()).unwrap_or(0);
            self.edits[module].delete_range(TextRange::new(keyword.range.start, keyword.range.end + skip as u32));
        }
    }

    /// The name that a module knows a dotted module by, such as `tf` for `tensorflow`.
    pub fn import_alias(&self, module: ModuleId, origin: &str) -> Option<String> {
        let index = &self.project.modules[module].index;
        index.scope_names(None).into_iter().find_map(|(name, bindings)| {
            let imported = bindings.iter().any(|b| matches!(&b.kind, crate::index::Kind::Import(o) if o == origin));
            imported.then(|| name.to_owned())
        })
    }

    /// The name of an import that has run where `place` is evaluated.
    pub fn import_alias_before(&self, module: ModuleId, origin: &str, place: u32) -> Option<String> {
        let index = &self.project.modules[module].index;
        index.scope_names(None).into_iter().find_map(|(name, bindings)| {
            let imported = bindings.iter().any(|b| {
                matches!(&b.kind, crate::index::Kind::Import(o) if o == origin)
                    && self.trace.tree(module)[b.stmt].range.end <= place
            });
            imported.then(|| name.to_owned())
        })
    }

    /// An expression for the Keras namespace in a module, importing it if needed.
    pub fn keras_namespace(&mut self, module: ModuleId) -> String {
        if let Some(tf) = self.import_alias(module, "tensorflow") {
            return format!("{tf}.keras");
        }
        for origin in ["tensorflow.keras", "keras"] {
            if let Some(keras) = self.import_alias(module, origin) {
                return keras;
            }
        }
        self.add_import(module, "import tensorflow as tf");
        "tf.keras".to_owned()
    }

    pub fn stmt_of(&self, (module, expr): ExprPlace) -> Option<StmtId> {
        self.trace.tree(module).stmt_of(expr)
    }

    /// Whether a statement is simple: no suites of its own.
    pub fn is_simple(&self, module: ModuleId, stmt: StmtId) -> bool {
        let tree = self.trace.tree(module);
        tree.suites(stmt).is_empty() && !matches!(tree[stmt].kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
    }

    /// Let only rank 0 run a statement; neighbours are put under one condition when all rules are done.
    pub fn guard_statement(&mut self, rule: &'static str, module: ModuleId, stmt: StmtId, what: &str) {
        if self.guarded[module].insert(stmt) {
            self.rank_text(module);
            let range = self.trace.tree(module)[stmt].range;
            self.log_change(rule, module, range, what);
        }
    }

    /// Write the conditions of all guarded statements.
    pub fn write_guards(&mut self) {
        for module in 0..self.project.modules.len() {
            let tree = self.trace.tree(module);
            let mut stmts: Vec<StmtId> = self.guarded[module].iter().copied().collect();
            stmts.sort_by_key(|&stmt| tree[stmt].range.start);
            let mut i = 0;
            while i < stmts.len() {
                let first = stmts[i];
                let (suite, mut place) = tree.siblings(first);
                let mut last = first;
                while let Some(&next) = tree[suite].get(place + 1)
                    && stmts.get(i + 1) == Some(&next)
                    && !self.done.contains(&(module, ExprId(u32::MAX - next.0)))
                {
                    last = next;
                    place += 1;
                    i += 1;
                }
                self.uses_engine[module] = true;
                let header = format!("if {}:", self.target.is_rank_zero(&self.engine));
                self.edits[module].wrap_statements(first, last, &header);
                i += 1;
            }
        }
    }

    /// Remember that lines are inserted directly before a guarded statement, so that no earlier guard may swallow it.
    pub fn starts_group(&mut self, module: ModuleId, stmt: StmtId) {
        self.done.insert((module, ExprId(u32::MAX - stmt.0)));
    }
}
