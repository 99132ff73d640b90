//! What the names of a module mean to the projector.
//!
//! Names are bound and looked up by `pytrope_semantic`; here each definition that it has found is classified: a role, an enum, a
//! choreography, plain code. A name means what its last classified definition is.

use std::rc::Rc;
use std::sync::LazyLock;

use indexmap::IndexMap;
use pytrope_semantic::{DefinitionId, ModuleNames, ScopeId};
use rustc_hash::FxHashMap;

use crate::declaration::{Meaning, Unit};
use crate::surface::{self, LIBRARY};

/// The classified definitions of a file, and the files of the project that it imports by name.
#[derive(Clone)]
pub struct Meanings {
    names: Rc<ModuleNames>,
    of_definitions: FxHashMap<DefinitionId, Meaning>,
    /// `import other`: its names are written `other.Cls`.
    modules: IndexMap<String, Rc<Unit>>,
}

impl Meanings {
    pub fn new(names: Rc<ModuleNames>) -> Self {
        Self { names, of_definitions: FxHashMap::default(), modules: IndexMap::new() }
    }

    /// Classifies the definition whose identifier starts at an offset.
    pub fn classify_at(&mut self, start: u32, meaning: Meaning) {
        if let Some(id) = self.names.definition_at(start) {
            self.of_definitions.insert(id, meaning);
        }
    }

    pub fn classify(&mut self, id: DefinitionId, meaning: Meaning) {
        self.of_definitions.insert(id, meaning);
    }

    pub fn add_module(&mut self, bound: String, unit: Rc<Unit>) {
        self.modules.insert(bound, unit);
    }

    /// The file of the project that `import` binds to a name.
    pub fn module(&self, bound: &str) -> Option<&Rc<Unit>> {
        self.modules.get(bound)
    }

    /// What `name` or `module.name` means; `None` for what the module does not bind.
    pub fn get(&self, path: &str) -> Option<&Meaning> {
        if let Some((module, name)) = path.split_once('.') {
            return self.modules.get(module)?.meanings.get(name).filter(|meaning| is_visible(meaning));
        }
        let mut ids = self.names.definitions_of(ScopeId::MODULE, path).iter().rev();
        ids.find_map(|id| self.of_definitions.get(id)).or_else(|| self.library_name(path))
    }

    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// `from pytrope.choreo import *` binds names without a definition of their own.
    fn library_name(&self, name: &str) -> Option<&Meaning> {
        static NAMES: LazyLock<FxHashMap<&'static str, Meaning>> = LazyLock::new(|| {
            surface::NAMES.iter().map(|name| (*name, Meaning::Surface(surface::surface_of_name(name)))).collect()
        });
        let imports_all = self.names.star_imports().iter().any(|module| module == LIBRARY);
        imports_all.then(|| NAMES.get(name)).flatten()
    }

    /// Whether names may come from a module that is not known.
    pub fn has_unknown_star_import(&self) -> bool {
        self.names.star_imports().iter().any(|module| module != LIBRARY)
    }

    /// All names of the module that mean something, also those of imported files as they are written, sorted.
    pub fn all(&self) -> Vec<(String, &Meaning)> {
        let mut own = self.own();
        for (module, unit) in &self.modules {
            let visible = unit.meanings.own().into_iter().filter(|(_, meaning)| is_visible(meaning));
            own.extend(visible.map(|(name, meaning)| (format!("{module}.{name}"), meaning)));
        }
        own.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        own
    }

    /// The names that the file itself binds.
    pub fn own(&self) -> Vec<(String, &Meaning)> {
        let names = self.names.names_of(ScopeId::MODULE).into_iter();
        names.filter_map(|(name, _)| Some((name.to_owned(), self.get(name)?))).collect()
    }
}

/// What another file sees of a name behind `other.`: the rest is plain code, which runs as it is written.
fn is_visible(meaning: &Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Role
            | Meaning::Enum
            | Meaning::Choreography(_)
            | Meaning::RoleFunction(_)
            | Meaning::Constant
            | Meaning::Alias { .. }
    )
}
