//! The declared layers of a crate: `layers.toml` beside its `Cargo.toml`, the lowest layer first.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The table that `layers.toml` holds.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct LayerTable {
    /// The types whose methods are spread over modules.
    #[serde(default)]
    pub interpreters: Vec<String>,
    /// What lower layers may call in higher ones: the recursion of the evaluators goes through these.
    #[serde(default)]
    pub entry_points: Vec<String>,
    #[serde(default, rename = "layer")]
    pub table: Vec<Layer>,
}

/// Modules that stand at one height.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layer {
    pub name: String,
    /// What the layer is for.
    pub about: String,
    /// Modules with all their children, unless another layer names a child.
    pub modules: Vec<String>,
}

impl LayerTable {
    /// The table of a crate; `None` if it declares no layers.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join("layers.toml");
        if !path.is_file() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path)?;
        let layers: Self = toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
        let mut names: Vec<&str> = layers.table.iter().flat_map(|layer| &layer.modules).map(String::as_str).collect();
        names.sort_unstable();
        if let Some([twice, ..]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            bail!("{}: module `{}` is in two layers", path.display(), twice);
        }
        Ok(Some(layers))
    }

    /// The layer of a module: that of the longest declared prefix.
    pub fn layer_of(&self, module: &str) -> Option<usize> {
        let is_prefix =
            |prefix: &str| module.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        self.table
            .iter()
            .enumerate()
            .flat_map(|(index, layer)| layer.modules.iter().map(move |prefix| (index, prefix)))
            .filter(|(_, prefix)| is_prefix(prefix))
            .max_by_key(|(_, prefix)| prefix.len())
            .map(|(index, _)| index)
    }

    /// Modules that the table names and the crate does not have.
    pub fn stale_modules<'a>(&'a self, has: &'a dyn Fn(&str) -> bool) -> impl Iterator<Item = &'a str> {
        self.table.iter().flat_map(|layer| &layer.modules).map(String::as_str).filter(|module| !has(module))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_decides() {
        let layers: LayerTable = toml::from_str(
            "[[layer]]\nname = 'low'\nabout = ''\nmodules = ['value', 'run::heap']\n[[layer]]\nname = 'high'\nabout = ''\nmodules = ['run']\n",
        )
        .unwrap();
        assert_eq!(layers.layer_of("value"), Some(0));
        assert_eq!(layers.layer_of("values"), None);
        assert_eq!(layers.layer_of("run::heap::cells"), Some(0));
        assert_eq!(layers.layer_of("run::frames"), Some(1));
    }
}
