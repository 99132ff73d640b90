//! The target of `migrate` and `prune`: a file, standard input, a package folder, or a dotted module of an environment.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use pytrope_diagnostics::{Finding, nearest};
use pytrope_shapes::entry::{EntryTarget, PackageReading};
use pytrope_source::ModuleResolver;
use pytrope_source::tree::{ExprKind, StmtKind};

use crate::args::{EnvironmentArgs, RewriteArgs};
use crate::config::Config;
use crate::discovery::suggest_path;
use crate::session::Session;
use crate::{environment, sources};

/// A target, or the findings that keep it from being analysed.
pub(crate) enum Opened {
    Target(Box<EntryTarget>),
    Broken(Vec<Finding>),
}

/// The configuration of a target, and where its modules are found.
fn configured_resolver(path: &Path, given: &EnvironmentArgs, session: &Session) -> Result<(Config, ModuleResolver)> {
    let near = if path.exists() { path } else { Path::new(".") };
    let mut config = Config::find(session.global.config.as_deref(), session.global.isolated, near)?;
    config.follow.extend(given.follow.iter().cloned());
    if let Some(python) = &given.python {
        config.python = Some(python.clone());
    }
    let resolver = environment::module_resolver(&[path.to_path_buf()], &config)?;
    Ok((config, resolver))
}

fn packages_of(config: &Config) -> PackageReading {
    PackageReading { follow: config.follow.clone(), models: config.models.clone() }
}

/// Opens a document of an editor by the text that it has there; none if that does not parse.
pub(crate) fn open_text(
    path: &Path,
    text: &str,
    given: &EnvironmentArgs,
    session: &Session,
) -> Result<Option<EntryTarget>> {
    let (config, resolver) = configured_resolver(path, given, session)?;
    let loaded = sources::from_bytes(path, text.as_bytes().to_vec());
    let is_whole = loaded.findings.is_empty();
    Ok(is_whole.then(|| EntryTarget::from_file(&loaded.parsed.file, resolver, packages_of(&config))))
}

/// Opens the target of a verb.
pub(crate) fn open_target(rewrite: &RewriteArgs, given: &EnvironmentArgs, session: &Session) -> Result<Opened> {
    let path = Path::new(&rewrite.target);
    let (config, resolver) = configured_resolver(path, given, session)?;
    let file = match path {
        path if sources::is_stdin(path) => Some(path.to_path_buf()),
        path if path.is_dir() => Some(path.join("__init__.py")).filter(|init| init.is_file()),
        path if path.is_file() => Some(path.to_path_buf()),
        _ => None,
    };
    if let Some(file) = file {
        let loaded = sources::load(&file, rewrite.stdin_filename.as_deref())
            .with_context(|| format!("cannot read {}", file.display()))?;
        if !loaded.findings.is_empty() {
            return Ok(Opened::Broken(loaded.findings));
        }
        return Ok(Opened::Target(Box::new(EntryTarget::from_file(
            &loaded.parsed.file,
            resolver,
            packages_of(&config),
        ))));
    }
    if path.is_dir() {
        bail!("{}: a folder without `__init__.py` is not a module; name a file in it", path.display());
    }
    match EntryTarget::from_module(&rewrite.target, resolver, packages_of(&config)) {
        Some(target) => Ok(Opened::Target(Box::new(target))),
        None if config.python.is_none() => {
            bail!(
                "{}: no such file, and no module of this name in the project (--python PATH names an environment){}",
                rewrite.target,
                suggest_path(path)
            )
        }
        None => bail!(
            "{}: no such file, and no module of this name in the environment{}",
            rewrite.target,
            suggest_path(path)
        ),
    }
}

/// The error of a command without an entry, with an example of what the target defines.
pub(crate) fn missing_entry(purpose: &str, path: &Path) -> anyhow::Error {
    let names = if path.is_file() { top_level_names(path) } else { Vec::new() };
    // A file's parts come before what is made of them.
    let class = names.iter().rfind(|name| name.starts_with(char::is_uppercase));
    let example = match (class, names.last()) {
        (Some(class), _) => format!("{class}()"),
        (None, Some(function)) => function.clone(),
        (None, None) => "Net()".to_owned(),
    };
    anyhow::anyhow!("`--entry` is required: {purpose}, such as --entry '{example}'")
}

/// An error about an entry, with the name of the target that was probably meant.
pub(crate) fn explain_error(message: &str, entry: &str, path: &Path) -> anyhow::Error {
    let first: String = entry.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut names = if path.is_file() { top_level_names(path) } else { Vec::new() };
    names.extend(if path.is_file() { top_level_variables(path) } else { Vec::new() });
    match nearest(&first, names.iter().map(String::as_str)) {
        Some(near) if !names.contains(&first) => anyhow::anyhow!("{message}; did you mean `{near}`?"),
        _ => anyhow::anyhow!("{message}"),
    }
}

/// The classes and functions that a file defines at its top level.
fn top_level_names(path: &Path) -> Vec<String> {
    let Ok(loaded) = sources::load(path, None) else { return Vec::new() };
    let tree = &loaded.parsed.tree;
    let named = tree[tree.body()].iter().filter_map(|&statement| match tree[statement].kind {
        StmtKind::FunctionDef(function) => Some(tree.text(function.name.name).to_owned()),
        StmtKind::ClassDef(class) => Some(tree.text(class.name.name).to_owned()),
        _ => None,
    });
    named.collect()
}

/// The variables that a file assigns at its top level, such as a model that is built there.
fn top_level_variables(path: &Path) -> Vec<String> {
    let Ok(loaded) = sources::load(path, None) else { return Vec::new() };
    let tree = &loaded.parsed.tree;
    let targets = tree[tree.body()].iter().flat_map(|&statement| match tree[statement].kind {
        StmtKind::Assign { targets, .. } => tree[targets].to_vec(),
        _ => Vec::new(),
    });
    let named = targets.filter_map(|target| match tree[target].kind {
        ExprKind::Name { name, .. } => Some(tree.text(name).to_owned()),
        _ => None,
    });
    named.collect()
}

/// A library file's place under `-o DIR`: below the package's parent folder.
pub(crate) fn place(path: &str, library: bool) -> String {
    if !library {
        return path.to_owned();
    }
    let mut folder = PathBuf::from(path);
    let mut parts: Vec<String> = Vec::new();
    while let Some(name) = folder.file_name().map(|name| name.to_string_lossy().into_owned()) {
        parts.insert(0, name);
        if !folder.pop() || !folder.join("__init__.py").is_file() {
            break;
        }
    }
    parts.join("/")
}
