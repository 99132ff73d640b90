//! Which names modules and classes of PyTorch and NumPy have in some release, and how their classes are constructed in each.
//!
//! Both tables are written by `conformance/library/names.py`, which asks the installed releases and reads the files of those between.
//! What no release has or takes is certain to fail.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::name_tables::NameTable;

static OWNERS: LazyLock<NameTable> = LazyLock::new(|| NameTable::of_lines(include_str!("library_names.txt")));

/// The constructors of a class, the latest release's first.
static CONSTRUCTORS: LazyLock<FxHashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut all: FxHashMap<&'static str, Vec<&'static str>> = FxHashMap::default();
    for line in include_str!("library_signatures.txt").lines() {
        let (class, parameters) = line.split_once(' ').unwrap_or((line, ""));
        all.entry(class).or_default().push(parameters);
    }
    all
});

/// Whether a module or class is listed and lacks a name.
pub(crate) fn lacks_name(owner: &str, name: &str) -> bool {
    OWNERS.lacks_name(owner, name)
}

/// The listed name that a mistyped one is nearest to.
pub(crate) fn nearest_name(owner: &str, name: &str) -> Option<&'static str> {
    pytrope_diagnostics::nearest(name, OWNERS.names_of(owner).filter(|listed| !listed.starts_with('_')))
}

/// The name under which a model class is listed: models divide modules in their own way, so `torch.nn._linear.Linear` is
/// found as `torch.nn.Linear`.
pub(crate) fn listed_class(module: &str, class: &str) -> Option<&'static str> {
    let mut prefix = module;
    loop {
        if let Some(key) = OWNERS.listed_key(&format!("{prefix}.{class}")) {
            return Some(key);
        }
        prefix = prefix.rsplit_once('.')?.0;
    }
}

/// What Python says of a construction that every release refuses; the words are about the latest one.
pub(crate) fn refused_construction(class: &str, positional: usize, keywords: &[&str]) -> Option<String> {
    let name = class.rsplit('.').next().unwrap_or(class);
    let mut said =
        CONSTRUCTORS.get(class)?.iter().map(|line| Constructor::read_line(line).refuse_arguments(positional, keywords));
    let first = said.next()??;
    said.all(|refusal| refusal.is_some()).then(|| format!("{name}.__init__() {first}"))
}

/// One way in which releases declare a constructor, without `self`.
#[derive(Default)]
struct Constructor<'a> {
    /// Those that are given by position, each with whether it is required.
    positional: Vec<(&'a str, bool)>,
    /// How many of them cannot be given by keyword.
    unnamed: usize,
    by_keyword: Vec<(&'a str, bool)>,
    takes_more: bool,
    takes_keywords: bool,
}

impl<'a> Constructor<'a> {
    fn read_line(line: &'a str) -> Self {
        let mut read = Constructor::default();
        let mut after_bar = false;
        for part in line.split_whitespace() {
            match part {
                "/" => read.unnamed = read.positional.len(),
                "..." => read.takes_more = true,
                "|" => after_bar = true,
                "**" => read.takes_keywords = true,
                _ => {
                    let parameter = (part.trim_start_matches('*'), part.starts_with('*'));
                    if after_bar { read.by_keyword.push(parameter) } else { read.positional.push(parameter) }
                }
            }
        }
        read
    }

    /// What Python says where the arguments cannot be bound, in the order in which it looks.
    fn refuse_arguments(&self, given: usize, keywords: &[&str]) -> Option<String> {
        for keyword in keywords {
            let at = self.positional.iter().skip(self.unnamed).position(|(name, _)| name == keyword);
            match at {
                Some(at) if at + self.unnamed < given => {
                    return Some(format!("got multiple values for argument '{keyword}'"));
                }
                Some(_) => {}
                None if self.takes_keywords || self.by_keyword.iter().any(|(name, _)| name == keyword) => {}
                None => return Some(format!("got an unexpected keyword argument '{keyword}'")),
            }
        }
        if given > self.positional.len() && !self.takes_more {
            let (least, most) =
                (self.positional.iter().filter(|(_, required)| *required).count() + 1, self.positional.len() + 1);
            let takes = if least == most { most.to_string() } else { format!("from {least} to {most}") };
            let plural = if most == 1 { "" } else { "s" };
            return Some(format!("takes {takes} positional argument{plural} but {} were given", given + 1));
        }
        let is_missing = |(name, required): &&(&str, bool)| *required && !keywords.contains(name);
        let missing: Vec<&str> = self.positional.iter().skip(given).filter(is_missing).map(|(name, _)| *name).collect();
        let by_keyword: Vec<&str> = self.by_keyword.iter().filter(is_missing).map(|(name, _)| *name).collect();
        lacking_arguments("positional", &missing).or_else(|| lacking_arguments("keyword-only", &by_keyword))
    }
}

/// `missing 2 required positional arguments: 'a' and 'b'`, as Python lists them.
fn lacking_arguments(kind: &str, names: &[&str]) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    let (last, rest) = quoted.split_last()?;
    let listed = match rest {
        [] => last.clone(),
        [one] => format!("{one} and {last}"),
        _ => format!("{}, and {last}", rest.join(", ")),
    };
    let plural = if rest.is_empty() { "" } else { "s" };
    Some(format!("missing {} required {kind} argument{plural}: {listed}", quoted.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_some_release_are_not_lacking() {
        assert!(lacks_name("torch", "catt"));
        assert!(!lacks_name("torch", "cat"));
        assert!(!lacks_name("torch", "gesv"), "removed long ago");
        assert!(!lacks_name("torch", "symeig"), "removed in 2.0");
        assert!(!lacks_name("torch", "npu"), "an extension adds it");
        assert!(lacks_name("numpy", "zeroes"));
        assert!(!lacks_name("numpy", "float"), "removed in 1.24");
        assert!(!lacks_name("numpy", "in1d"));
        assert_eq!(listed_class("torch.nn._linear", "Linear"), Some("torch.nn.Linear"));
        assert_eq!(listed_class("torch._tensor", "Tensor"), Some("torch.Tensor"));
        assert_eq!(listed_class("torch.nn._linear", "NoSuchLayer"), None);
    }

    #[test]
    fn constructions_are_refused_as_python_does() {
        let said = |class: &str, given, keywords: &[&str]| refused_construction(class, given, keywords);
        let missing = "Linear.__init__() missing 1 required positional argument: 'out_features'";
        assert_eq!(said("torch.nn.Linear", 1, &[]).as_deref(), Some(missing));
        let unexpected = "Linear.__init__() got an unexpected keyword argument 'baias'";
        assert_eq!(said("torch.nn.Linear", 2, &["baias"]).as_deref(), Some(unexpected));
        let many = "Linear.__init__() takes from 3 to 6 positional arguments but 8 were given";
        assert_eq!(said("torch.nn.Linear", 7, &[]).as_deref(), Some(many));
        assert_eq!(said("torch.nn.Linear", 2, &["device", "dtype"]), None, "since 1.9");
        assert_eq!(said("torch.nn.LSTM", 2, &["anything"]), None, "declared with any arguments");
        assert!(said("torch.optim.Adam", 1, &["learning_rate"]).is_some());
        assert_eq!(said("torch.optim.Adam", 1, &["lr", "fused", "foreach"]), None);
    }
}
