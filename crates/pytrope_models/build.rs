//! Embeds the model files: a sorted table of dotted names, texts and trees, so that nothing is parsed when they are used.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use pytrope_source::{ScopedTree, SourceFile};

/// Where models are. Python that runs in the folder above imports none of them by accident.
const FOLDERS: [&str; 3] = ["standard_library", "third_party", "support"];

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
    // Cargo runs this in the package's folder. No path is absolute, so that a copied build folder stays fresh.
    let mut models = Vec::new();
    for folder in FOLDERS {
        collect(&Path::new("python").join(folder), "", &mut models);
    }
    models.sort();
    let folder = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let mut table = String::from("&[\n");
    for (module, is_package, path) in models {
        let text = fs::read_to_string(&path).expect("a model is readable");
        fs::write(folder.join(format!("{module}.py")), &text).expect("the output folder is writable");
        let file = SourceFile::from_text(path.to_string_lossy(), text);
        let scoped = ScopedTree::of(pytrope_source::parse_to_store(&file), &file);
        fs::write(folder.join(format!("{module}.tree")), scoped.to_bytes()).expect("the output folder is writable");
        let (text, tree) = (format!("{module}.py"), format!("{module}.tree"));
        writeln!(table, "    ({module:?}, {is_package}, include_str!({text:?}), include_bytes!({tree:?})),")
            .expect("writing to a string");
    }
    table.push_str("]\n");
    fs::write(folder.join("models.rs"), table).expect("the output folder is writable");
}
