//! Loading a choreography with the project files it imports, and entering their classes into the world.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use pytrope_source::tree::{StmtId, StmtKind};
use pytrope_source::{Parsed, SourceFile};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declaration::{UnitId, World};
use crate::declare;
use crate::report::{ChoreoRule, Extend, Report};
use crate::scan::{Modules, parse_unit, scan_unit};
use crate::unique_names;
use crate::unroll::Expanded;

/// Python files beside the importing file, as the language finds them.
pub struct Siblings;

impl Modules for Siblings {
    fn find_module(&self, from: &SourceFile, name: &str, level: u32) -> Option<Arc<SourceFile>> {
        let mut folder = Path::new(from.path()).parent()?.to_path_buf();
        for _ in 1..level.max(1) {
            folder = folder.parent()?.to_path_buf();
        }
        if name.is_empty() {
            return None;
        }
        let path = folder.join(format!("{}.py", name.replace('.', "/")));
        let bytes = pytrope_source::reading::read_bytes(&path).ok()?;
        let shown = path.to_string_lossy().replace('\\', "/");
        let (file, errors) = SourceFile::from_bytes(shown, &bytes);
        errors.is_empty().then_some(file)
    }
}

/// Loads a file and everything of the project it imports; the file itself is the last unit.
pub(crate) fn load_world(parsed: Parsed, expanded: &Expanded<'_>, report: &mut Report) -> World {
    let mut loader = Loader { expanded, world: World::default(), done: FxHashMap::default(), open: Vec::new() };
    loader.enter_file(parsed, report);
    declare::declare_bodies(&mut loader.world, report);
    loader.world
}

struct Loader<'a> {
    expanded: &'a Expanded<'a>,
    world: World,
    done: FxHashMap<String, UnitId>,
    open: Vec<String>,
}

impl Loader<'_> {
    fn enter_file(&mut self, parsed: Parsed, report: &mut Report) -> UnitId {
        let path = parsed.file.path().to_owned();
        self.open.push(path.clone());
        let at_top: FxHashSet<StmtId> = parsed.tree[parsed.tree.body()].iter().copied().collect();
        let imports: Vec<(String, u32, Option<pytrope_source::TextRange>)> = parsed
            .tree
            .stmt_ids()
            .flat_map(|stmt| match parsed.tree[stmt].kind {
                StmtKind::ImportFrom { module, level, .. } => {
                    let module = module.map_or("", |module| parsed.tree.text(module.name));
                    vec![(module.to_owned(), level, at_top.contains(&stmt).then_some(parsed.tree[stmt].range))]
                }
                StmtKind::Import { names } => parsed.tree[names]
                    .iter()
                    .map(|alias| {
                        let range = at_top.contains(&stmt).then_some(alias.range);
                        (parsed.tree.text(alias.name.name).to_owned(), 0, range)
                    })
                    .collect(),
                _ => Vec::new(),
            })
            .collect();
        let found: RefCell<FxHashMap<(String, u32), UnitId>> = RefCell::default();
        for (module, level, range) in imports {
            let Some(file) = self.expanded.find_module(&parsed.file, &module, level) else {
                continue;
            };
            if self.open.iter().any(|open| open == file.path()) {
                // What a function imports may import this file: both are loaded by then.
                let Some(range) = range else { continue };
                let span = pytrope_source::Span::new(&parsed.file, range);
                report
                    .error_at(
                        ChoreoRule::ImportCycle,
                        span,
                        format!("{module} imports this file, directly or not: a choreography cannot import itself"),
                    )
                    .add_help("move what both need into a third file");
                continue;
            }
            let id = if let Some(&id) = self.done.get(file.path()) {
                id
            } else {
                let parsed = parse_unit(&file);
                if !parsed.errors.is_empty() {
                    continue;
                }
                self.enter_file(parsed, report)
            };
            found.borrow_mut().insert((module, level), id);
        }
        let id = UnitId(self.world.units.len() as u32);
        let lookup = |module: &str, level: u32| found.borrow().get(&(module.to_owned(), level)).copied();
        let (mut unit, candidates) = scan_unit(&self.world, id, parsed, &lookup);
        unit.source_map = self.expanded.files.get(&path).map(|longer| longer.map.clone());
        let unit = Rc::new(unit);
        self.world.units.push(Rc::clone(&unit));
        unique_names::refuse_ambiguous_classes(&unit, report);
        for candidate in candidates {
            let class = declare::declare_head(&self.world, &unit, &candidate, report);
            self.world.classes.push(class);
        }
        self.open.pop();
        self.done.insert(path, id);
        id
    }
}
