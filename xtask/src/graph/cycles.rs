//! Strongly connected components (Tarjan): the nodes that reach each other.

use std::collections::{BTreeMap, BTreeSet};

/// The edges of a graph by source.
pub(super) type EdgeMap = BTreeMap<String, BTreeSet<String>>;

/// The components with more than one node, the largest first.
pub(super) fn find_cycles(edges: &EdgeMap) -> Vec<Vec<String>> {
    let mut search = ComponentSearch::over(edges);
    for node in edges.keys() {
        if !search.index.contains_key(node.as_str()) {
            search.visit(node);
        }
    }
    let mut found = search.found;
    found.sort_by_key(|component| std::cmp::Reverse(component.len()));
    found
}

struct ComponentSearch<'a> {
    edges: &'a EdgeMap,
    index: BTreeMap<&'a str, usize>,
    lowest: BTreeMap<&'a str, usize>,
    stack: Vec<&'a str>,
    found: Vec<Vec<String>>,
}

impl<'a> ComponentSearch<'a> {
    fn over(edges: &'a EdgeMap) -> Self {
        Self { edges, index: BTreeMap::new(), lowest: BTreeMap::new(), stack: Vec::new(), found: Vec::new() }
    }

    /// Visits a node and what it reaches; the depth is bounded by the number of modules of a crate.
    fn visit(&mut self, node: &'a str) -> usize {
        let number = self.index.len();
        self.index.insert(node, number);
        self.lowest.insert(node, number);
        self.stack.push(node);
        let edges = self.edges;
        for next in edges.get(node).into_iter().flatten() {
            let reached = match self.index.get(next.as_str()) {
                None => Some(self.visit(next)),
                Some(number) => self.stack.contains(&next.as_str()).then_some(*number),
            };
            if let (Some(reached), Some(lowest)) = (reached, self.lowest.get_mut(node)) {
                *lowest = (*lowest).min(reached);
            }
        }
        let lowest = self.lowest[node];
        if lowest == number
            && let Some(at) = self.stack.iter().position(|member| *member == node)
        {
            let mut component: Vec<String> = self.stack.drain(at..).map(str::to_owned).collect();
            if component.len() > 1 {
                component.sort();
                self.found.push(component);
            }
        }
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_found() {
        let mut edges = EdgeMap::new();
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d"), ("f", "a")] {
            edges.entry(from.to_owned()).or_default().insert(to.to_owned());
        }
        assert_eq!(find_cycles(&edges), [vec!["a", "b", "c"], vec!["d", "e"]]);
    }

    #[test]
    fn a_tree_has_no_cycle() {
        let mut edges = EdgeMap::new();
        for (from, to) in [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")] {
            edges.entry(from.to_owned()).or_default().insert(to.to_owned());
        }
        assert!(find_cycles(&edges).is_empty());
    }
}
