//! `cargo xtask names`: how the code reads, in figures: names of functions and types, length of files, comments.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use syn::visit::Visit;

use crate::rust_sources::{RustFile, crate_folders, is_test_only, read_crate};

/// A file longer than this should be two.
const LONG_FILE: usize = 800;

/// What is measured of one crate.
#[derive(Default)]
struct Figures {
    /// The number of words of each function's name.
    words: Vec<usize>,
    /// The type names, with repetitions.
    types: Vec<String>,
    long_files: Vec<(String, usize)>,
    files: usize,
    code_lines: usize,
    comment_lines: usize,
}

/// The figures of each crate of a workspace.
fn measure_crates(root: &Path) -> Result<Vec<(String, Figures)>> {
    let mut per_crate = Vec::new();
    for (name, folder) in crate_folders(root)? {
        let mut figures = Figures::default();
        for file in read_crate(&folder)? {
            figures.add_file(root, &file);
        }
        per_crate.push((name, figures));
    }
    Ok(per_crate)
}

/// The type names that several places define, with the crates of those places.
fn repeated_types(per_crate: &[(String, Figures)]) -> BTreeMap<String, Vec<String>> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, figures) in per_crate {
        for ty in &figures.types {
            places.entry(ty.clone()).or_default().push(name.clone());
        }
    }
    places.retain(|_, places| places.len() > 1);
    places
}

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let root = crate::option_value(arguments, "--root").map_or_else(crate::process::repository_root, Into::into);
    let per_crate = measure_crates(&root)?;
    let repeated_types = repeated_types(&per_crate);
    let mut total = Figures::default();
    for (_, figures) in &per_crate {
        total.add(figures);
    }
    println!(
        "| crate | files | functions | one-word names | median words | mean words | types | names defined twice or more | comment share | files over {LONG_FILE} lines |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    for (name, figures) in per_crate.iter().chain([("**total**".to_owned(), total)].iter()) {
        let mut distinct = figures.types.clone();
        distinct.sort();
        distinct.dedup();
        let repeated = distinct.iter().filter(|name| repeated_types.contains_key(*name)).count();
        println!(
            "| {name} | {} | {} | {} | {} | {:.2} | {} | {} | {} | {} |",
            figures.files,
            figures.words.len(),
            percent(figures.words.iter().filter(|words| **words == 1).count(), figures.words.len()),
            median(&figures.words),
            figures.words.iter().sum::<usize>() as f64 / figures.words.len().max(1) as f64,
            distinct.len(),
            format_args!("{repeated} ({})", percent(repeated, distinct.len())),
            percent(figures.comment_lines, figures.comment_lines + figures.code_lines),
            figures.long_files.len(),
        );
    }
    println!("\nType names that are defined more than once:");
    for (name, places) in &repeated_types {
        println!("- `{name}`: {}", places.join(", "));
    }
    for (path, lines) in per_crate.iter().flat_map(|(_, figures)| &figures.long_files) {
        println!("- {path}: {lines} lines");
    }
    Ok(true)
}

/// What the workspace's rules about names and files forbid: a line for each Rust file that should be two, and for each type name that
/// several places define.
pub(crate) fn find_violations() -> Result<Vec<String>> {
    let per_crate = measure_crates(&crate::process::repository_root())?;
    let long_files = per_crate.iter().flat_map(|(_, figures)| &figures.long_files);
    let mut violations: Vec<String> = long_files.map(|(path, lines)| format!("{path}: {lines} lines")).collect();
    violations.extend(
        repeated_types(&per_crate)
            .iter()
            .map(|(name, places)| format!("type `{name}` is defined more than once: {}", places.join(", "))),
    );
    Ok(violations)
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.0} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn median(values: &[usize]) -> usize {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

impl Figures {
    fn add(&mut self, other: &Self) {
        self.words.extend(&other.words);
        self.types.extend(other.types.iter().cloned());
        self.long_files.extend(other.long_files.iter().cloned());
        self.files += other.files;
        self.code_lines += other.code_lines;
        self.comment_lines += other.comment_lines;
    }

    fn add_file(&mut self, root: &Path, file: &RustFile) {
        self.files += 1;
        for line in file.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            *(if line.starts_with("//") { &mut self.comment_lines } else { &mut self.code_lines }) += 1;
        }
        let lines = file.text.lines().count();
        if lines > LONG_FILE {
            self.long_files.push((file.path.strip_prefix(root).unwrap_or(&file.path).display().to_string(), lines));
        }
        self.visit_file(&file.syntax);
    }

    fn add_function(&mut self, name: &syn::Ident) {
        self.words.push(name.to_string().split('_').filter(|word| !word.is_empty()).count());
    }
}

/// Functions of tests and of trait implementations are not counted: the latter's names are the traits'.
impl<'ast> Visit<'ast> for Figures {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test_only(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test_only(&item.attrs) {
            self.add_function(&item.sig.ident);
            syn::visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        for member in &item.items {
            if let (None, syn::ImplItem::Fn(method)) = (&item.trait_, member) {
                self.add_function(&method.sig.ident);
            }
        }
        syn::visit::visit_item_impl(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.add_function(&item.sig.ident);
        syn::visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.types.push(item.ident.to_string());
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.types.push(item.ident.to_string());
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.types.push(item.ident.to_string());
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.types.push(item.ident.to_string());
    }
}
