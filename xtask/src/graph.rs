//! `cargo xtask graph`: the module graph of a crate, and the edges that go against its declared layers.
//!
//! An edge leads from a module to another that it names (`use`, paths) or one of whose methods it calls. A crate's
//! layers are in its `layers.toml`; an edge may lead down or stay in its layer. EdgeMap through the table's entry points
//! may lead up: recursion between evaluators is inherent and goes through them.

mod cycles;
mod definitions;
mod layers;
mod references;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::json;

use self::cycles::{EdgeMap, find_cycles};
use self::definitions::CrateDefinitions;
use self::layers::LayerTable;
use self::references::{Reference, find_references};
use crate::rust_sources::{RustFile, crate_folders, read_crate};

/// How many places are named for one edge.
const PLACES: usize = 3;

/// The references of a crate by edge, and where they stand in its layers.
struct ModuleGraph {
    name: String,
    layers: Option<LayerTable>,
    modules: BTreeSet<String>,
    edges: BTreeMap<(String, String), Vec<Reference>>,
    /// Modules of no layer, and names in the table that no module has.
    misplaced: Vec<String>,
}

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let root = crate::option_value(arguments, "--root").map_or_else(crate::process::repository_root, Into::into);
    let name = crate::option_value(arguments, "--crate").unwrap_or("pytrope_eval");
    let folders = crate_folders(&root)?;
    let (_, folder) =
        folders.iter().find(|(known, _)| known == name).with_context(|| format!("there is no crate `{name}`"))?;
    let graph = ModuleGraph::read(name, folder)?;
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("--json") {
        println!("{}", serde_json::to_string_pretty(&graph.to_json())?);
    } else if has("--dot") {
        print!("{}", graph.to_dot());
    } else {
        graph.print();
    }
    Ok(graph.upward_edges().is_empty() && graph.layer_cycles().is_empty() && graph.misplaced.is_empty())
}

impl ModuleGraph {
    fn read(name: &str, folder: &std::path::Path) -> Result<Self> {
        Ok(Self::build(name, &read_crate(folder)?, LayerTable::read(folder)?))
    }

    fn build(name: &str, files: &[RustFile], layers: Option<LayerTable>) -> Self {
        let definitions = CrateDefinitions::collect(files);
        let interpreters = layers.as_ref().map_or(&[][..], |layers| &layers.interpreters);
        let mut edges: BTreeMap<(String, String), Vec<Reference>> = BTreeMap::new();
        // What `lib.rs` and `main.rs` name stands above everything.
        for file in files.iter().filter(|file| !file.module.is_empty()) {
            for reference in find_references(file, &definitions, interpreters) {
                edges.entry((reference.from.clone(), reference.to.clone())).or_default().push(reference);
            }
        }
        let modules: BTreeSet<String> =
            definitions.modules.iter().filter(|module| !module.is_empty()).cloned().collect();
        let mut misplaced = Vec::new();
        if let Some(layers) = &layers {
            misplaced.extend(
                modules
                    .iter()
                    .filter(|module| layers.layer_of(module).is_none())
                    .map(|module| format!("module `{module}` is in no layer")),
            );
            let has = |module: &str| modules.contains(module);
            misplaced.extend(
                layers.stale_modules(&has).map(|module| format!("layers.toml names `{module}`, which is no module")),
            );
            for interpreter in &layers.interpreters {
                if definitions.methods_by_module(interpreter).is_empty() {
                    misplaced.push(format!("layers.toml names the interpreter `{interpreter}`, which has no methods"));
                }
            }
        }
        Self { name: name.to_owned(), layers, modules, edges, misplaced }
    }

    fn layer_of(&self, module: &str) -> Option<usize> {
        self.layers.as_ref().and_then(|layers| layers.layer_of(module))
    }

    /// Whether a reference goes through an entry point of the table.
    fn is_entry(&self, reference: &Reference) -> bool {
        self.layers.as_ref().is_some_and(|layers| layers.entry_points.contains(&reference.name))
    }

    /// The references that lead to a higher layer and pass no entry point, by edge.
    fn upward_edges(&self) -> Vec<(&str, &str, Vec<&Reference>)> {
        let mut found = Vec::new();
        for ((from, to), references) in &self.edges {
            if let (Some(low), Some(high)) = (self.layer_of(from), self.layer_of(to))
                && low < high
            {
                let against: Vec<&Reference> =
                    references.iter().filter(|reference| !self.is_entry(reference)).collect();
                if !against.is_empty() {
                    found.push((from.as_str(), to.as_str(), against));
                }
            }
        }
        found
    }

    fn entry_uses(&self) -> BTreeMap<&str, usize> {
        let mut uses = BTreeMap::new();
        for ((from, to), references) in &self.edges {
            if self.layer_of(from) < self.layer_of(to) {
                for reference in references.iter().filter(|reference| self.is_entry(reference)) {
                    *uses.entry(reference.name.as_str()).or_default() += 1;
                }
            }
        }
        uses
    }

    /// The numbers of references between layers that pass no entry point.
    fn layer_matrix(&self) -> BTreeMap<(usize, usize), usize> {
        let mut counts = BTreeMap::new();
        for ((from, to), references) in &self.edges {
            if let (Some(from), Some(to)) = (self.layer_of(from), self.layer_of(to)) {
                let plain = references.iter().filter(|reference| !self.is_entry(reference)).count();
                if from != to && plain > 0 {
                    *counts.entry((from, to)).or_default() += plain;
                }
            }
        }
        counts
    }

    fn layer_cycles(&self) -> Vec<Vec<String>> {
        let Some(layers) = &self.layers else { return Vec::new() };
        let mut edges = EdgeMap::new();
        for (from, to) in self.layer_matrix().into_keys() {
            edges.entry(layers.table[from].name.clone()).or_default().insert(layers.table[to].name.clone());
        }
        find_cycles(&edges)
    }

    /// Cycles of modules, at the level of files or of top modules.
    fn module_cycles(&self, top_only: bool) -> Vec<Vec<String>> {
        let shown = |module: &str| if top_only { top_module(module).to_owned() } else { module.to_owned() };
        let mut edges = EdgeMap::new();
        for (from, to) in self.edges.keys() {
            if shown(from) != shown(to) {
                edges.entry(shown(from)).or_default().insert(shown(to));
            }
        }
        find_cycles(&edges)
    }

    fn print(&self) {
        println!("{}: {} modules, {} edges", self.name, self.modules.len(), self.edges.len());
        for top_only in [true, false] {
            let largest = self.module_cycles(top_only).first().map_or(0, Vec::len);
            let total: BTreeSet<&str> =
                self.modules.iter().map(|module| if top_only { top_module(module) } else { module }).collect();
            println!("largest cycle: {largest} of {} {}", total.len(), if top_only { "top modules" } else { "files" });
        }
        let Some(layers) = &self.layers else {
            for ((from, to), references) in &self.edges {
                println!("  {from} → {to} ({})", references.len());
            }
            return;
        };
        println!("\nlayers, the highest first:");
        for (index, layer) in layers.table.iter().enumerate().rev() {
            println!("  {}. {} — {}", index + 1, layer.name, layer.about);
            let modules: Vec<&str> =
                self.modules.iter().filter(|module| self.layer_of(module) == Some(index)).map(String::as_str).collect();
            println!("     {}", modules.join(", "));
        }
        println!("\nreferences between layers (↑: against them):");
        for ((from, to), count) in self.layer_matrix() {
            let mark = if from < to { "↑" } else { " " };
            println!("  {mark} {:>5}  {} → {}", count, layers.table[from].name, layers.table[to].name);
        }
        println!("\nentry points for recursion, with the calls from below:");
        for (name, count) in self.entry_uses() {
            println!("    {count:>5}  {name}");
        }
        let upward = self.upward_edges();
        println!("\nedges against the layers: {}", upward.len());
        for (from, to, references) in &upward {
            println!("  {from} → {to}: {}", describe_references(references));
        }
        let cycles = self.layer_cycles();
        println!("\ncycles between layers: {}", cycles.len());
        for cycle in &cycles {
            println!("  {}", cycle.join(" ↔ "));
        }
        for problem in &self.misplaced {
            println!("{problem}");
        }
    }

    fn to_json(&self) -> serde_json::Value {
        let name_of = |module: &str| {
            let layers = self.layers.as_ref()?;
            layers.layer_of(module).map(|index| layers.table[index].name.clone())
        };
        let modules: Vec<_> =
            self.modules.iter().map(|module| json!({"module": module, "layer": name_of(module)})).collect();
        let edges: Vec<_> = self
            .edges
            .iter()
            .map(|((from, to), references)| {
                let names: BTreeSet<&str> = references.iter().map(|reference| reference.name.as_str()).collect();
                json!({"from": from, "to": to, "references": references.len(), "names": names})
            })
            .collect();
        let upward: Vec<_> = self.upward_edges().iter().map(|(from, to, _)| json!({"from": from, "to": to})).collect();
        json!({
            "crate": self.name,
            "modules": modules,
            "edges": edges,
            "against_layers": upward,
            "layer_cycles": self.layer_cycles(),
            "misplaced": self.misplaced,
        })
    }

    fn to_dot(&self) -> String {
        let mut text = format!("digraph {} {{\n  rankdir = TB;\n", self.name);
        let layers = self.layers.as_ref().map_or(&[][..], |layers| &layers.table);
        for (index, layer) in layers.iter().enumerate() {
            text += &format!("  subgraph cluster_{index} {{\n    label = {:?};\n", layer.name);
            for module in self.modules.iter().filter(|module| self.layer_of(module) == Some(index)) {
                text += &format!("    {module:?};\n");
            }
            text += "  }\n";
        }
        let upward: BTreeSet<(&str, &str)> = self.upward_edges().iter().map(|(from, to, _)| (*from, *to)).collect();
        for (from, to) in self.edges.keys() {
            let colour = if upward.contains(&(from.as_str(), to.as_str())) { " [color = red]" } else { "" };
            text += &format!("  {from:?} -> {to:?}{colour};\n");
        }
        text + "}\n"
    }
}

fn top_module(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

/// The names behind an edge, each with its number of uses and the first lines.
fn describe_references(references: &[&Reference]) -> String {
    let mut lines: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for reference in references {
        lines.entry(reference.name.as_str()).or_default().push(reference.line);
    }
    let parts: Vec<String> = lines
        .into_iter()
        .map(|(name, lines)| {
            let shown: Vec<String> = lines.iter().take(PLACES).map(ToString::to_string).collect();
            let more = if lines.len() > PLACES { format!(" +{}", lines.len() - PLACES) } else { String::new() };
            format!("{name} ({}{more})", shown.join(", "))
        })
        .collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "interpreters = ['Interp']\nentry-points = ['Interp::call']\n\
        [[layer]]\nname = 'low'\nabout = ''\nmodules = ['interp', 'value']\n\
        [[layer]]\nname = 'high'\nabout = ''\nmodules = ['calls']\n";

    fn graph_of(files: &[(&str, &str)]) -> ModuleGraph {
        let files: Vec<RustFile> = files
            .iter()
            .map(|(module, text)| RustFile {
                path: (*module).into(),
                module: (*module).to_owned(),
                text: (*text).to_owned(),
                syntax: syn::parse_file(text).unwrap(),
            })
            .collect();
        ModuleGraph::build("sample", &files, Some(toml::from_str(TABLE).unwrap()))
    }

    fn upward(graph: &ModuleGraph) -> Vec<String> {
        graph
            .upward_edges()
            .iter()
            .map(|(from, to, names)| format!("{from} → {to}: {}", describe_references(names)))
            .collect()
    }

    #[test]
    fn a_method_call_is_an_edge_to_the_module_that_defines_the_method() {
        let graph = graph_of(&[
            ("interp", "pub struct Interp;\nimpl Interp { fn fork(&mut self) { self.summarize(); self.call(); } }"),
            ("value", "fn show(each: impl Fn(u8)) { run(|it| it.summarize()); }"),
            (
                "calls",
                "use crate::interp::Interp;\nimpl Interp { fn call(&mut self) {}\n fn summarize(&mut self) { self.fork() } }",
            ),
        ]);
        // A call of the entry point may lead up; the downward edge of `calls` is none against the layers.
        assert_eq!(upward(&graph), ["interp → calls: Interp::summarize (2)", "value → calls: Interp::summarize (1)"]);
        assert_eq!(graph.layer_cycles(), [["high", "low"]]);
    }

    #[test]
    fn names_are_followed_through_what_modules_pass_on() {
        let graph = graph_of(&[
            ("", "pub use calls::Summary;"),
            ("interp", "pub struct Interp;\nimpl Interp { fn fork(&self) {} }\nfn keep(x: crate::Summary) {}"),
            ("value", "use super::calls::Summary;"),
            ("calls", "pub use inner::Summary;"),
            ("calls::inner", "pub struct Summary;\n#[cfg(test)] mod tests { use crate::value::Value; }"),
        ]);
        assert_eq!(upward(&graph), ["interp → calls::inner: Summary (3)", "value → calls::inner: Summary (1)"]);
    }

    #[test]
    fn every_module_has_a_layer() {
        let graph =
            graph_of(&[("interp", "pub struct Interp;\nimpl Interp { fn f(&self) {} }"), ("other", ""), ("calls", "")]);
        assert_eq!(graph.misplaced, ["module `other` is in no layer", "layers.toml names `value`, which is no module"]);
    }
}
