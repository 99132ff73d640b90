//! `module.__dict__[name]()`: one of the functions of a module of the project that make a network.
//!
//! ```python
//! model = resnet.__dict__[args.arch]()     # resnet20(), resnet32(), …
//! ```
//!
//! Whichever it is, the result is a module of this project; the other names of the module make none, and calling one of them for
//! its parameters fails at once.

use pytrope_source::tree::{StmtId, StmtKind};

use super::{AbstractObject, ELEMENTS, FlowRun, FlowValue};
use crate::project::ModuleId;
use crate::trace::Def;

/// How far star imports are followed.
const STARS: u32 = 3;

impl FlowRun<'_> {
    /// A dictionary of the functions that make modules, by keys that are not known.
    pub(super) fn namespace_of(&mut self, module: ModuleId) -> FlowValue {
        let namespace = self.make_value(AbstractObject::Items { count: None });
        let mut makers = FlowValue::default();
        for def in self.module_makers(module, STARS) {
            let frame = self.enter_module(def.0);
            let function = self.make_value(AbstractObject::Function { def, frame, receiver: None });
            makers.add(&function);
        }
        if !makers.objects.is_empty() {
            self.write_cell(namespace.objects[0], ELEMENTS, makers);
        }
        namespace
    }

    /// The functions at the top of a module, and of those that it imports whole, which return an instance of an `nn.Module`.
    fn module_makers(&self, module: ModuleId, depth: u32) -> Vec<Def> {
        let tree = self.trace.tree(module);
        let is_network = |value| {
            self.trace
                .class_of((module, value))
                .is_some_and(|class| self.trace.descends_from(class, &|api| api.ends_with("nn.Module")))
        };
        let makes_network = |stmt: StmtId| {
            let returned = self.trace.returned_values((module, stmt));
            matches!(tree[stmt].kind, StmtKind::FunctionDef(_))
                && !returned.is_empty()
                && returned.into_iter().all(is_network)
        };
        let own = tree[tree.body()].iter().copied().filter(|&stmt| makes_network(stmt));
        let mut found: Vec<Def> = own.map(|stmt| (module, stmt)).collect();
        if depth > 0 {
            for star in self.trace.project.modules[module].names.star_imports() {
                if let Some(home) = self.trace.project.by_name(star) {
                    found.extend(self.module_makers(home, depth - 1));
                }
            }
        }
        found
    }
}
