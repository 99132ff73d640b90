//! Embeds the model files: a sorted table of dotted names and texts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn collect(folder: &Path, dotted: &str, out: &mut Vec<(String, bool, PathBuf)>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with("__pycache__") && !name.starts_with('.') {
                let inner = if dotted.is_empty() { name } else { format!("{dotted}.{name}") };
                collect(&path, &inner, out);
            }
        } else if let Some(stem) = name.strip_suffix(".py") {
            println!("cargo::rerun-if-changed={}", path.display());
            let (module, is_package) = match (stem, dotted) {
                ("__init__", dotted) => (dotted.to_owned(), true),
                (stem, "") => (stem.to_owned(), false),
                (stem, dotted) => (format!("{dotted}.{stem}"), false),
            };
            out.push((module, is_package, path));
        }
    }
}

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("python");
    let mut models = Vec::new();
    collect(&root, "", &mut models);
    models.sort();
    let mut table = String::from("&[\n");
    for (module, is_package, path) in models {
        writeln!(table, "    ({module:?}, {is_package}, include_str!({:?})),", path.display().to_string())
            .expect("writing to a string");
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("models.rs");
    fs::write(out, table).expect("the output folder is writable");
}
