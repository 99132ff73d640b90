//! Claims about what was kept somewhere and may have been changed since.
//!
//! ```python
//! def test_header(reader):
//!     reader = make_reader()
//!     assert list(reader) == rows
//!     assert reader.row_class._fields == ("a", "b")     # None when the reader was made, and set by its first row
//! ```
//!
//! That a value is None, or how long a sequence is, is certain for what the function has made or computed itself. In an attribute,
//! a global or a container of others None is a placeholder, and an empty list waits for what fills it: a descriptor, a callback, a thread, a
//! library with a reference. Such claims were true too rarely among the findings that were judged by reading (docs/unseen-code.md), and are made
//! with `--possible` only. So are claims about the type of what stands in an attribute that holds `False`, `0`, `""` or `()` at first. What the body of a script does in order is another matter, and so is the type of what is kept: a list
//! stays a list.

use pytrope_diagnostics::Finding;
use pytrope_eval::code::{Code, ScopeInfo, ScopeKind};
use pytrope_source::tree::{ExprId, ExprKind, StmtKind, Str, Tree};
use pytrope_source::{Node, TextRange};

use super::{contains, expression_at, is_claim, operands_of_finding};

/// How many steps values are gone back.
const DEPTH: u32 = 6;

/// What a claim says of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// It is None.
    Absence,
    /// It is of a type whose values stand for "nothing yet": `False`, `0`, `""`, `()`.
    Placeholder,
    /// What a container holds, and how much.
    Contents,
}

/// Whether the certainty of a finding rests on something that was kept outside the function it stands in.
pub(super) fn rests_on_kept_value(code: &Code, finding: &Finding) -> bool {
    let entry = finding.calls.last().unwrap_or(&finding.primary);
    let is_in_function = entry.file.path() != code.file.path() || innermost_function(code, entry.range).is_some();
    if !is_claim(finding) || !is_in_function {
        return false;
    }
    let subject = match finding.rule.id {
        "index-range" | "missing-key" | "unpack-count" => Subject::Contents,
        // Another method of the object may have fitted it.
        "layer-mismatch" if finding.message.ends_with("is used before it is fitted") => Subject::Contents,
        "missing-attribute" | "not-callable" | "not-iterable" | "bad-operand"
            if finding.message.contains("'NoneType'") =>
        {
            Subject::Absence
        }
        "missing-attribute" | "not-callable" | "not-iterable" | "bad-operand" if names_placeholder_type(finding) => {
            Subject::Placeholder
        }
        _ => return false,
    };
    let Some(read) = expression_at(code, finding.primary.range) else { return false };
    let provenance = Provenance { code, subject };
    let operands = operands_of_finding(code, finding, read);
    operands.iter().any(|&operand| provenance.is_kept(operand, DEPTH))
        || subject == Subject::Absence && operands.iter().any(|&operand| provenance.is_filled_elsewhere(operand))
}

/// Where the values of expressions come from, as far as their text shows.
struct Provenance<'a> {
    code: &'a Code,
    subject: Subject,
}

impl Provenance<'_> {
    /// Whether a local that is None at first is given a value on some path, and no condition asks for it: that the path to its use is that
    /// path follows from other conditions, which are each decided for itself here.
    ///
    /// ```python
    /// rows, whole = None, None
    /// if in_chunks:
    ///     rows = load(data)
    /// else:
    ///     whole = load_all(data)
    /// if whole is None:
    ///     use(rows[0])
    /// ```
    fn is_filled_elsewhere(&self, read: ExprId) -> bool {
        let tree = &self.code.tree;
        let Some(name) = tree.as_name(read) else { return false };
        let Some(binder) = self.binder_of(name, tree[read].range).filter(|info| info.kind == ScopeKind::Function)
        else {
            return false;
        };
        let sources = self.sources_of(name, binder.range);
        let is_none = |id: &ExprId| matches!(tree[*id].kind, ExprKind::None);
        let mentions = |test: ExprId| {
            tree.descendants(Node::Expr(test)).any(|node| match node {
                Node::Expr(id) => tree.as_name(id) == Some(name),
                Node::Stmt(_) => false,
            })
        };
        let is_asked_for = || {
            tree.stmt_ids().filter(|&id| contains(binder.range, tree[id].range)).any(|id| match tree[id].kind {
                StmtKind::If { test, clauses, .. } => {
                    mentions(test) || tree[clauses].iter().filter_map(|clause| clause.test).any(mentions)
                }
                StmtKind::While { test, .. } | StmtKind::Assert { test, .. } => mentions(test),
                _ => false,
            })
        };
        sources.iter().any(is_none) && !sources.iter().all(is_none) && !is_asked_for()
    }

    fn is_kept(&self, id: ExprId, depth: u32) -> bool {
        let tree = &self.code.tree;
        let Some(depth) = depth.checked_sub(1) else { return false };
        let kept = |id: ExprId| self.is_kept(id, depth);
        match tree[id].kind {
            ExprKind::Name { name, .. } => self.is_kept_name(name, tree[id].range, depth),
            ExprKind::Attribute { attribute, .. } => {
                let stored = self.stored_here(id);
                match self.subject {
                    _ if !stored.is_empty() => stored.into_iter().any(kept),
                    Subject::Placeholder => self.may_be_placeholder(attribute.name),
                    _ => true,
                }
            }
            ExprKind::Subscript { value, .. } | ExprKind::Await { value } | ExprKind::Starred { value, .. } => {
                kept(value)
            }
            ExprKind::Named { value, .. } => kept(value),
            ExprKind::BinOp { left, right, .. } => kept(left) || kept(right),
            ExprKind::IfExp { body, orelse, .. } => kept(body) || kept(orelse),
            ExprKind::BoolOp { values, .. } => tree[values].iter().any(|&value| kept(value)),
            ExprKind::Call { function, arguments } => {
                self.is_kept_result(function, depth)
                    || is_copying(tree, function) && tree[arguments.positional].iter().copied().any(kept)
            }
            ExprKind::ListComp { generators, .. }
            | ExprKind::SetComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => tree[generators].iter().any(|generator| kept(generator.iter)),
            _ => false,
        }
    }

    /// Whether a call gives something that is kept: a method of such a thing, or a function of this file that returns it.
    fn is_kept_result(&self, function: ExprId, depth: u32) -> bool {
        let tree = &self.code.tree;
        let called = match tree[function].kind {
            ExprKind::Attribute { value, attribute, .. } => {
                let is_kept = matches!(tree[value].kind, ExprKind::Attribute { .. } | ExprKind::Subscript { .. })
                    && self.is_kept(value, depth);
                if is_kept {
                    return true;
                }
                attribute.name
            }
            ExprKind::Name { name, .. } => name,
            _ => return false,
        };
        let is_it = |info: &ScopeInfo| info.kind == ScopeKind::Function && info.name == Some(called);
        let bodies = self.code.scopes.iter().map(|(_, info)| info).filter(|info| is_it(info));
        bodies.filter_map(|info| info.stmt).any(|stmt| {
            tree.descendants(Node::Stmt(stmt)).any(|node| match node {
                Node::Stmt(id) => match tree[id].kind {
                    StmtKind::Return { value: Some(value) } => self.is_kept(value, depth),
                    _ => false,
                },
                Node::Expr(_) => false,
            })
        })
    }

    fn is_kept_name(&self, name: Str, range: TextRange, depth: u32) -> bool {
        let Some(binder) = self.binder_of(name, range) else { return false };
        if binder.kind == ScopeKind::Module {
            return self.is_kept_global(name);
        }
        let sources = self.sources_of(name, binder.range);
        sources.into_iter().any(|source| self.is_kept(source, depth))
            || self.subject == Subject::Contents
                && (self.is_given_away(name, binder.range) || self.is_stored_elsewhere(name, binder.range))
    }

    /// The innermost scope around a place that binds a name; class bodies are seen from nowhere else.
    fn binder_of(&self, name: Str, range: TextRange) -> Option<&ScopeInfo> {
        let around = self.code.scopes.iter().map(|(_, info)| info).filter(|info| {
            info.kind == ScopeKind::Module || info.range.start <= range.start && range.end <= info.range.end
        });
        let binding = around.filter(|info| info.kind != ScopeKind::Class && info.binds(name));
        binding.min_by_key(|info| info.range.end - info.range.start)
    }

    /// Whether a global can be another value by the time a function reads it: it is bound more than once, it holds None until
    /// something comes, or it is a container, which others fill.
    fn is_kept_global(&self, name: Str) -> bool {
        let (code, tree) = (self.code, &self.code.tree);
        let module = code.scope_info(pytrope_eval::code::ScopeId::MODULE);
        if module.repeated.contains(&name) || code.scopes.rebound_globals.contains(name) {
            return true;
        }
        self.sources_of(name, module.range).into_iter().any(|source| match tree[source].kind {
            ExprKind::None => true,
            _ if self.subject == Subject::Placeholder => false,
            ExprKind::Str(_) | ExprKind::Bytes(_) | ExprKind::Tuple { .. } => false,
            _ => self.subject == Subject::Contents,
        })
    }

    /// Whether some code of the file stores a value in an attribute that stands for "nothing yet", or declares it so in a class.
    fn may_be_placeholder(&self, attribute: Str) -> bool {
        let tree = &self.code.tree;
        let is_it = |target: ExprId| match tree[target].kind {
            ExprKind::Attribute { attribute: stored, .. } => stored.name == attribute,
            ExprKind::Name { name, .. } => name == attribute,
            _ => false,
        };
        tree.stmt_ids().any(|id| match tree[id].kind {
            StmtKind::Assign { targets, value } => {
                is_placeholder(tree, value) && tree[targets].iter().any(|&target| is_it(target))
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => is_placeholder(tree, value) && is_it(target),
            _ => false,
        })
    }

    /// What a name is bound to within a range: assignments, loops, comprehensions.
    fn sources_of(&self, name: Str, range: TextRange) -> Vec<ExprId> {
        let tree = &self.code.tree;
        let inside = |inner: TextRange| range.end == 0 || range.start <= inner.start && inner.end <= range.end;
        let binds = |target: ExprId| {
            tree.descendants(Node::Expr(target)).any(|node| match node {
                Node::Expr(id) => matches!(tree[id].kind, ExprKind::Name { name: bound, .. } if bound == name),
                Node::Stmt(_) => false,
            })
        };
        let plain =
            |target: ExprId| !matches!(tree[target].kind, ExprKind::Attribute { .. } | ExprKind::Subscript { .. });
        let mut sources = Vec::new();
        for id in tree.stmt_ids().filter(|&id| inside(tree[id].range)) {
            match tree[id].kind {
                StmtKind::Assign { targets, value }
                    if tree[targets].iter().any(|&target| plain(target) && binds(target)) =>
                {
                    sources.push(value);
                }
                StmtKind::AnnAssign { target, value: Some(value), .. } if plain(target) && binds(target) => {
                    sources.push(value);
                }
                StmtKind::For { target, iter, .. } if binds(target) => sources.push(iter),
                _ => {}
            }
        }
        for id in tree.expr_ids().filter(|&id| inside(tree[id].range)) {
            match tree[id].kind {
                ExprKind::Named { target, value } if binds(target) => sources.push(value),
                ExprKind::ListComp { generators, .. }
                | ExprKind::SetComp { generators, .. }
                | ExprKind::DictComp { generators, .. }
                | ExprKind::Generator { generators, .. } => {
                    let bound = tree[generators].iter().filter(|generator| binds(generator.target));
                    sources.extend(bound.map(|generator| generator.iter));
                }
                _ => {}
            }
        }
        sources
    }

    /// What is stored in an attribute by the function that reads it: `self.x = []` before `self.x[0]`.
    fn stored_here(&self, read: ExprId) -> Vec<ExprId> {
        let (code, tree) = (self.code, &self.code.tree);
        let Some(range) = innermost_function(code, tree[read].range) else { return Vec::new() };
        let text = code.file.slice(tree[read].range);
        let before = |id: ExprId| tree[id].range.start < tree[read].range.start;
        let is_it = |&target: &ExprId| before(target) && code.file.slice(tree[target].range) == text;
        let stored =
            tree.stmt_ids().filter(|&id| range.start <= tree[id].range.start && tree[id].range.end <= range.end);
        stored
            .filter_map(|id| match tree[id].kind {
                StmtKind::Assign { targets, value } => tree[targets].iter().any(&is_it).then_some(value),
                StmtKind::AnnAssign { target, value: Some(value), .. } => is_it(&target).then_some(value),
                _ => None,
            })
            .collect()
    }

    /// Whether a container is passed, whole, to a method or a function of another module: those named alone are followed or known to be
    /// unread.
    fn is_given_away(&self, name: Str, range: TextRange) -> bool {
        let tree = &self.code.tree;
        let is_it = |id: ExprId| tree.as_name(id) == Some(name);
        let inside = |id: &ExprId| range.start <= tree[*id].range.start && tree[*id].range.end <= range.end;
        tree.expr_ids().filter(inside).any(|id| {
            let ExprKind::Call { function, arguments } = tree[id].kind else { return false };
            matches!(tree[function].kind, ExprKind::Attribute { .. })
                && (tree[arguments.positional].iter().any(|&id| is_it(id))
                    || tree[arguments.keywords].iter().any(|keyword| is_it(keyword.value)))
        })
    }

    /// Whether a container is stored in an attribute or another container too, where methods and others find it by that name:
    /// `self.parts = parts = {}`, `self.parts = parts`.
    fn is_stored_elsewhere(&self, name: Str, range: TextRange) -> bool {
        let tree = &self.code.tree;
        let is_it = |id: ExprId| tree.as_name(id) == Some(name);
        let is_place = |id: &ExprId| matches!(tree[*id].kind, ExprKind::Attribute { .. } | ExprKind::Subscript { .. });
        let is_constant =
            |id: &ExprId| matches!(tree[*id].kind, ExprKind::Tuple { .. } | ExprKind::Str(_) | ExprKind::Bytes(_));
        if self.sources_of(name, range).iter().all(is_constant) {
            return false;
        }
        tree.stmt_ids().filter(|&id| range.start <= tree[id].range.start && tree[id].range.end <= range.end).any(|id| {
            let StmtKind::Assign { targets, value } = tree[id].kind else { return false };
            let targets = &tree[targets];
            targets.iter().any(is_place) && (is_it(value) || targets.iter().any(|&target| is_it(target)))
        })
    }
}

/// Whether a finding says of a value that it is of a type which placeholders have.
fn names_placeholder_type(finding: &Finding) -> bool {
    let mut quoted = finding.message.split('\'').skip(1).step_by(2);
    quoted.any(|name| matches!(name, "bool" | "bytes" | "float" | "int" | "str" | "tuple"))
}

/// Whether a value is written that stands for "nothing yet".
fn is_placeholder(tree: &Tree, value: ExprId) -> bool {
    match tree[value].kind {
        ExprKind::None | ExprKind::Bool(false) => true,
        ExprKind::Str(text) => tree.text(text).is_empty(),
        ExprKind::Tuple { elements, .. } => tree[elements].is_empty(),
        ExprKind::Int(0) => true,
        _ => false,
    }
}

/// Whether a builtin is called that makes a container of what another one holds.
fn is_copying(tree: &Tree, function: ExprId) -> bool {
    const COPYING: [&str; 8] = ["dict", "enumerate", "filter", "list", "reversed", "set", "sorted", "tuple"];
    tree.as_name(function).is_some_and(|name| COPYING.contains(&tree.text(name)))
}

/// The range of the innermost function around a place.
fn innermost_function(code: &Code, range: TextRange) -> Option<TextRange> {
    let around = code.scopes.iter().map(|(_, info)| info).filter(|info| {
        matches!(info.kind, ScopeKind::Function | ScopeKind::Lambda)
            && info.range.start <= range.start
            && range.end <= info.range.end
    });
    around.map(|info| info.range).min_by_key(|range| range.end - range.start)
}
