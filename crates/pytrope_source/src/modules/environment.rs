//! Where an interpreter keeps its packages, told from its files alone: the interpreter is never started.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Why no packages were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EnvironmentError {
    Missing(PathBuf),
    NoPackages(PathBuf),
}

impl fmt::Display for EnvironmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path) => write!(f, "{} does not exist", path.display()),
            Self::NoPackages(path) => write!(f, "no site-packages found for {}", path.display()),
        }
    }
}

impl std::error::Error for EnvironmentError {}

/// The package folders of an environment: `path` is an interpreter, an environment's folder, or a `site-packages` folder itself.
pub fn site_packages(path: &Path) -> Result<Vec<PathBuf>, EnvironmentError> {
    if !path.exists() {
        return Err(EnvironmentError::Missing(path.to_path_buf()));
    }
    let mut found = if path.is_dir() { of_folder(path) } else { of_interpreter(path) };
    for folder in found.clone() {
        let linked: Vec<PathBuf> = linked_folders(&folder).into_iter().filter(|path| !found.contains(path)).collect();
        found.extend(linked);
    }
    if found.is_empty() { Err(EnvironmentError::NoPackages(path.to_path_buf())) } else { Ok(found) }
}

fn of_folder(folder: &Path) -> Vec<PathBuf> {
    let name = folder.file_name().unwrap_or_default();
    if name == "site-packages" || name == "dist-packages" {
        return vec![folder.to_path_buf()];
    }
    of_prefix(folder, None)
}

/// An interpreter's prefix is the folder above its `bin`. A virtual environment is known before its links are followed.
fn of_interpreter(python: &Path) -> Vec<PathBuf> {
    let mut at = std::path::absolute(python).unwrap_or_else(|_| python.to_path_buf());
    for _ in 0..40 {
        if let Some(shimmed) = behind_shim(&at) {
            at = shimmed;
            continue;
        }
        if let Some(prefix) = at.parent().and_then(Path::parent) {
            let found = of_prefix(prefix, version_of(&at).as_deref());
            if !found.is_empty() {
                return found;
            }
        }
        match fs::read_link(&at) {
            Ok(target) => {
                at = at.parent().map_or(target.clone(), |folder| folder.join(&target));
            }
            Err(_) => break,
        }
    }
    Vec::new()
}

/// `3.11` of `python3.11`, also when only its link says so.
fn version_of(python: &Path) -> Option<String> {
    let named = |path: &Path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        name.strip_prefix("python").filter(|version| version.contains('.')).map(str::to_owned)
    };
    named(python).or_else(|| named(&fs::canonicalize(python).ok()?))
}

/// pyenv puts shell scripts on PATH (`~/.pyenv/shims/python3`); the chosen version's interpreter is what is meant.
fn behind_shim(python: &Path) -> Option<PathBuf> {
    let shims = python.parent().filter(|parent| parent.ends_with("shims"))?;
    let root = shims.parent()?;
    let chosen = std::iter::successors(std::env::current_dir().ok(), |folder| folder.parent().map(Path::to_path_buf))
        .map(|folder| folder.join(".python-version"))
        .chain([root.join("version")])
        .find_map(|file| fs::read_to_string(file).ok())?;
    let version = chosen.split_whitespace().next()?;
    let exact = root.join("versions").join(version).join("bin/python");
    if exact.exists() {
        return Some(exact);
    }
    // `3.11` means the newest 3.11.x that is installed.
    let mut matching: Vec<PathBuf> = children_of(&root.join("versions"))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{version}."))))
        .collect();
    matching.sort_by_key(|path| path.to_string_lossy().rsplit('.').next().and_then(|n| n.parse::<u32>().ok()));
    matching.pop().map(|path| path.join("bin/python")).filter(|path| path.exists())
}

fn children_of(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    found.into_iter()
}

/// The folders that the path files of a package folder name, as editable installations do: one to a line, beside comments and
/// statements.
fn linked_folders(folder: &Path) -> Vec<PathBuf> {
    let path_files = children_of(folder).filter(|path| path.extension().is_some_and(|extension| extension == "pth"));
    let texts: Vec<String> = path_files.filter_map(|path| fs::read_to_string(path).ok()).collect();
    let lines = texts.iter().flat_map(|text| text.lines()).map(str::trim_end);
    lines
        .filter(|line| {
            !line.is_empty() && !line.starts_with('#') && !line.starts_with("import ") && !line.starts_with("import\t")
        })
        .map(|line| folder.join(line))
        .filter(|path| path.is_dir())
        .collect()
}

fn of_prefix(prefix: &Path, version: Option<&str>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let configuration = fs::read_to_string(prefix.join("pyvenv.cfg")).ok();
    let mut versions: Vec<String> = children_of(&prefix.join("lib"))
        .filter(|path| path.is_dir())
        .filter_map(|path| path.file_name()?.to_string_lossy().strip_prefix("python").map(str::to_owned))
        .filter(|name| name.contains('.'))
        .collect();
    if let Some(wanted) = version {
        versions.retain(|found| found == wanted);
    }
    for name in &versions {
        let library = prefix.join("lib").join(format!("python{name}"));
        found.extend([library.join("site-packages"), library.join("dist-packages")].into_iter().filter(|p| p.is_dir()));
    }
    // Windows keeps packages without a version.
    found.extend([prefix.join("Lib/site-packages")].into_iter().filter(|path| path.is_dir()));
    if configuration.is_none() {
        found.extend(debian_packages(prefix, version));
    }
    if let Some(configuration) = configuration {
        found.extend(system_packages(&configuration));
    }
    let mut unique = Vec::new();
    for path in found {
        if !unique.contains(&path) {
            unique.push(path);
        }
    }
    unique
}

/// Debian's own packages serve every minor version of `/usr/bin/python3`; administrators' stand under `/usr/local`.
fn debian_packages(prefix: &Path, version: Option<&str>) -> Vec<PathBuf> {
    let shared = prefix.join("lib/python3/dist-packages");
    if !shared.is_dir() {
        return Vec::new();
    }
    let local = version.map(|version| prefix.join(format!("local/lib/python{version}/dist-packages")));
    local.into_iter().filter(|path| path.is_dir()).chain([shared]).collect()
}

/// The base interpreter's packages, when the environment's `pyvenv.cfg` lets them in.
fn system_packages(configuration: &str) -> Vec<PathBuf> {
    let value = |key: &str| {
        configuration.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == key).then(|| value.trim().to_owned())
        })
    };
    if value("include-system-site-packages").as_deref() != Some("true") {
        return Vec::new();
    }
    let version = value("version").map(|full| full.split('.').take(2).collect::<Vec<_>>().join("."));
    let Some(home) = value("home").map(PathBuf::from) else {
        return Vec::new();
    };
    home.parent().map_or(Vec::new(), |prefix| of_prefix(prefix, version.as_deref()))
}
