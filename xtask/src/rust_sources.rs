//! The Rust files of the workspace, parsed: what `graph` and `names` measure.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// One file of a crate.
pub(crate) struct RustFile {
    pub path: PathBuf,
    /// The module it is, without the crate: `interp::heap`; empty for `lib.rs` and `main.rs`.
    pub module: String,
    pub text: String,
    pub syntax: syn::File,
}

/// The folders of the workspace's crates, by name.
pub(crate) fn crate_folders(root: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut folders = Vec::new();
    let crates = root.join("crates");
    for entry in std::fs::read_dir(&crates).with_context(|| format!("cannot read {}", crates.display()))? {
        let path = entry?.path();
        if path.join("Cargo.toml").is_file() {
            folders.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path));
        }
    }
    folders.push(("xtask".to_owned(), root.join("xtask")));
    folders.sort();
    Ok(folders)
}

/// The files below a crate's `src`, in the order of their paths.
pub(crate) fn read_crate(folder: &Path) -> Result<Vec<RustFile>> {
    let source = folder.join("src");
    let mut paths = Vec::new();
    list_rust_files(&source, &mut paths)?;
    paths.sort();
    paths.into_iter().map(|path| read_file(&source, path)).collect()
}

fn list_rust_files(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            list_rust_files(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

fn read_file(source: &Path, path: PathBuf) -> Result<RustFile> {
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let syntax = syn::parse_file(&text).with_context(|| format!("cannot parse {}", path.display()))?;
    let inside = path.strip_prefix(source)?.with_extension("");
    let mut parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if matches!(parts.last().map(String::as_str), Some("lib" | "main" | "mod")) {
        parts.pop();
    }
    Ok(RustFile { module: parts.join("::"), path, text, syntax })
}

/// Whether an item is compiled for tests alone.
pub(crate) fn is_test_only(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test")))
    })
}

#[cfg(test)]
mod tests {
    use crate::process::repository_root;

    #[test]
    fn the_files_that_the_glossary_names_exist() {
        let page =
            std::fs::read_to_string(repository_root().join("docs/internals/concepts.md")).expect("the page is there");
        let named: Vec<&str> =
            page.match_indices("`crates/").filter_map(|(at, _)| page[at + 1..].split('`').next()).collect();
        assert!(named.len() > 20, "the glossary names the files of its concepts");
        for path in named {
            assert!(
                repository_root().join(path).is_file(),
                "docs/internals/concepts.md names {path}, which is not there"
            );
        }
    }
}
