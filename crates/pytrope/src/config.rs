//! Configuration: `[tool.pytrope]` in `pyproject.toml`, or `pytrope.toml`.

mod keys;
mod version;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use pytrope_diagnostics::{Level, Levels, find_rule, nearest, rules};
use pytrope_source::reading::may_read;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use version::TargetVersion;

/// The keys of `[tool.pytrope]` and of `pytrope.toml`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[schemars(title = "Configuration of Pytrope", extend("$id" = "pytrope.schema.json"))]
pub(crate) struct Config {
    /// Globs of files that folders are searched for.
    pub include: Option<Vec<String>>,
    /// Globs of files and folders that are left out.
    pub exclude: Vec<String>,
    /// Leave out what `.gitignore` and `.ignore` name (true unless set).
    pub respect_gitignore: Option<bool>,
    /// Folders that modules are imported from, beside the project's root and its `src`.
    pub roots: Vec<PathBuf>,
    /// A Python, virtual environment or site-packages folder whose libraries are read.
    pub python: Option<PathBuf>,
    /// The version of Python that the code is for, such as "3.12"; by default the lowest of `requires-python`, else 3.13.
    pub target_version: Option<TargetVersion>,
    /// Installed packages whose sources are read too.
    pub follow: Vec<String>,
    /// Releases of libraries that the code is for, such as `torch = "1.13"`; by default those that are installed.
    pub versions: BTreeMap<String, String>,
    /// Folders of model files for your own libraries.
    pub models: Vec<PathBuf>,
    /// Also report what may fail.
    pub possible: bool,
    /// How findings are printed: full, concise, json, json-lines, sarif, github, gitlab or junit.
    pub output_format: Option<String>,
    /// A file of known findings that are left out.
    pub baseline: Option<PathBuf>,
    /// Levels of rules, by id or code; `all` sets those that are not named.
    pub rules: BTreeMap<String, RuleLevel>,
    /// Rules that are not reported in files that match a glob.
    pub per_file_ignores: BTreeMap<String, Vec<String>>,
    /// The folder of the file that was read; paths in it are relative to this folder.
    #[serde(skip)]
    #[schemars(skip)]
    pub folder: Option<PathBuf>,
}

/// The level of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RuleLevel {
    Error,
    Warning,
    Note,
    Ignore,
}

impl From<RuleLevel> for Level {
    fn from(level: RuleLevel) -> Self {
        match level {
            RuleLevel::Error => Self::Error,
            RuleLevel::Warning => Self::Warning,
            RuleLevel::Note => Self::Note,
            RuleLevel::Ignore => Self::Ignore,
        }
    }
}

impl Config {
    /// The configuration of a target: a given file, or the nearest one above the target.
    pub fn find(given: Option<&Path>, isolated: bool, target: &Path) -> Result<Self> {
        if isolated {
            return Ok(Self::default());
        }
        if let Some(path) = given {
            let config = Self::read(path)?;
            return config
                .ok_or_else(|| anyhow!("{}: there is no [tool.pytrope] table", crate::environment::shown(path)));
        }
        let start = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
        let mut requires = None;
        for folder in start.ancestors().filter(|folder| folder.is_dir()) {
            for name in ["pytrope.toml", "pyproject.toml"] {
                let path = folder.join(name);
                if !path.is_file() || !may_read(&path) {
                    continue;
                }
                if requires.is_none() && name == "pyproject.toml" {
                    requires = version::of_pyproject(&path);
                }
                if let Some(mut config) = Self::read(&path)? {
                    config.target_version = config.target_version.or(requires);
                    if config.target_version.is_none() {
                        config.target_version = version::of_pyproject(&folder.join("pyproject.toml"));
                    }
                    return Ok(config);
                }
            }
        }
        Ok(Self { target_version: requires, ..Self::default() })
    }

    /// Reads one file; none if it is a `pyproject.toml` without a table for Pytrope.
    fn read(path: &Path) -> Result<Option<Self>> {
        let shown = crate::environment::shown(path);
        let text = crate::input::read_text(path).with_context(|| format!("cannot read {shown}"))?;
        let document: toml::Table = text.parse().map_err(|error| anyhow!("{shown}: {error}"))?;
        let in_pyproject = path.file_name().is_some_and(|name| name == "pyproject.toml");
        let table = if in_pyproject {
            match document.get("tool").and_then(|tool| tool.get("pytrope")) {
                Some(toml::Value::Table(table)) => table.clone(),
                Some(_) => bail!("{shown}: tool.pytrope must be a table"),
                None => return Ok(None),
            }
        } else {
            document
        };
        keys::check(&table, &text).map_err(|error| anyhow!("{shown}:{error}"))?;
        let mut config: Self = table
            .try_into()
            .map_err(|error: toml::de::Error| anyhow!("{shown}:{}", keys::explain_value(&error, &text)))?;
        config.check_values().with_context(|| format!("in {shown}"))?;
        config.folder = path.parent().map(Path::to_owned);
        config.resolve_paths();
        Ok(Some(config))
    }

    fn check_values(&self) -> Result<()> {
        let named = self.rules.keys().filter(|name| *name != "all");
        for name in named.chain(self.per_file_ignores.values().flatten()) {
            known_rule(name)?;
        }
        if let Some(format) = &self.output_format {
            let names = pytrope_diagnostics::OutputFormat::ALL.map(pytrope_diagnostics::OutputFormat::name);
            if !names.contains(&format.as_str()) {
                bail!("output-format `{format}` is not one of {}", names.join(", "));
            }
        }
        for glob in self.include.iter().flatten().chain(&self.exclude).chain(self.per_file_ignores.keys()) {
            globset::Glob::new(glob).with_context(|| format!("`{glob}` is not a glob"))?;
        }
        Ok(())
    }

    /// What to say of folders that are named and do not exist: modules in them are not found.
    pub fn missing_folders(&self) -> Vec<String> {
        let named = [("roots", &self.roots), ("models", &self.models)];
        let paths = named.iter().flat_map(|(key, paths)| paths.iter().map(move |path| (key, path)));
        let missing = paths.filter(|(_, path)| !path.is_dir());
        missing.map(|(key, path)| format!("`{key}`: there is no folder {}", crate::environment::shown(path))).collect()
    }

    fn resolve_paths(&mut self) {
        let Some(folder) = self.folder.clone() else {
            return;
        };
        let resolve = |path: &mut PathBuf| *path = folder.join(&*path);
        self.roots.iter_mut().chain(&mut self.models).for_each(resolve);
        self.python.iter_mut().chain(&mut self.baseline).for_each(resolve);
    }

    /// The levels that `rules` sets, `all` first.
    pub fn rule_levels(&self) -> Levels {
        let mut levels = Levels::default();
        if let Some(&level) = self.rules.get("all") {
            for rule in rules() {
                levels.set(rule, level.into());
            }
        }
        for (name, &level) in &self.rules {
            if let Some(rule) = find_rule(name) {
                levels.set(rule, level.into());
            }
        }
        levels
    }

    /// The schema that editors complete and check configuration with.
    pub fn json_schema() -> String {
        let schema = schemars::schema_for!(Self);
        let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
        text.push('\n');
        text
    }
}

/// The rule with a name, or an error that suggests one.
pub(crate) fn known_rule(name: &str) -> Result<&'static pytrope_diagnostics::Rule> {
    find_rule(name).ok_or_else(|| {
        let names = rules().iter().flat_map(|rule| [rule.id, rule.code]);
        match nearest(name, names) {
            Some(near) => anyhow!("there is no rule `{name}`; did you mean `{near}`?"),
            None => anyhow!("there is no rule `{name}`; `pytrope rules` lists them"),
        }
    })
}
