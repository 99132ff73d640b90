//! The text that the wheel carries: README.md without what cannot be followed there. The project has no public address, so that a link to
//! a file leads nowhere once the text is in an installed package or on an index.

use anyhow::{Context, Result};

use crate::process::repository_root;
use crate::tally::Tally;

const SOURCE: &str = "README.md";
/// Named by `readme` of pyproject.toml.
const TARGET: &str = "packaging/description.md";
/// What leads on where the pages are not at hand.
const CLOSING: &str = "`pytrope --help` lists the commands and `pytrope explain` the rules. The documentation is in the folder `docs` of the source.\n\n";
const LICENCE: &str = "Licensed under";

/// Compares the committed text with README.md, or writes it.
pub(crate) fn check_or_write(update: bool) -> Result<Tally> {
    let readme =
        std::fs::read_to_string(repository_root().join(SOURCE)).with_context(|| format!("cannot read {SOURCE}"))?;
    let expected = without_relative_links(&readme);
    let target = repository_root().join(TARGET);
    if update {
        std::fs::write(&target, &expected).with_context(|| format!("cannot write {TARGET}"))?;
    }
    let is_current = std::fs::read_to_string(&target).is_ok_and(|text| text == expected);
    if !is_current {
        println!("{TARGET} is not what README.md makes it (`cargo xtask docs --update` writes it)");
    }
    Ok(Tally::one(is_current))
}

/// Paragraphs that are nothing but links and pictures go, with the caption of a picture, the section of further pages, and links in brackets;
/// of every other relative link the text stays.
fn without_relative_links(readme: &str) -> String {
    let mut text = String::new();
    let mut is_caption = false;
    let mut is_skipped = false;
    for block in blocks_of(readme) {
        let first = block.lines().next().unwrap_or_default();
        if first.starts_with("## ") {
            is_skipped = first == "## More";
        }
        let is_picture = first.starts_with("![");
        let is_left_out = is_picture || is_caption && first.starts_with('*');
        is_caption = is_picture;
        if first.starts_with(LICENCE) {
            is_skipped = false;
            text.push_str(CLOSING);
        }
        if is_skipped || is_left_out || is_only_links(block) {
            continue;
        }
        text.push_str(&if first.starts_with("```") { block.to_owned() } else { unlink(block) });
        text.push_str("\n\n");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Paragraphs and blocks of code, each whole.
fn blocks_of(text: &str) -> Vec<&str> {
    let (mut blocks, mut start, mut at, mut in_code) = (Vec::new(), 0, 0, false);
    for line in text.split_inclusive('\n') {
        in_code ^= line.starts_with("```");
        at += line.len();
        if !in_code && line.trim().is_empty() {
            blocks.push(text[start..at].trim());
            start = at;
        }
    }
    blocks.push(text[start..].trim());
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// Whether no word stands in a paragraph outside of its relative links and a remark behind one.
fn is_only_links(block: &str) -> bool {
    if block.starts_with("→ ") {
        return true;
    }
    next_link(block).is_some_and(|(start, _, end)| start == 0 && end == block.len())
}

/// The texts of relative links in their place; a link in brackets goes with them.
fn unlink(block: &str) -> String {
    let (mut text, mut rest) = (String::new(), block);
    while let Some((start, label, end)) = next_link(rest) {
        let before = rest[..start].strip_suffix('(').map(str::trim_end);
        if let (Some(before), Some(behind)) = (before, rest[end..].strip_prefix(')')) {
            text.push_str(before);
            rest = behind;
        } else {
            text.push_str(&rest[..start]);
            text.push_str(label);
            rest = &rest[end..];
        }
    }
    text + rest
}

/// The next relative link: where it begins, its text, and where it ends.
fn next_link(text: &str) -> Option<(usize, &str, usize)> {
    let mut from = 0;
    loop {
        let middle = from + text[from..].find("](")?;
        let start = text[..middle].rfind('[')?;
        let end = middle + text[middle..].find(')')?;
        if !text[middle + 2..end].contains("://") {
            return Some((start, &text[start + 1..middle], end + 1));
        }
        from = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_left_leads_to_a_file() {
        let readme = "\
# Name

See [the page](docs/a.md#part) and [a site](https://example.org/x), [both](b.md), once
([how often](c.md)) and again ([a site](https://example.org/y)).

![A picture](c.svg)

*Its caption*

*No caption*

```sh
echo [x](y)

echo
```

→ [One](a.md), [two](b.md): five minutes

[All of it](d.md)

| [`check`](docs/check.md) | finds |

## More

[More](e.md) · and more

Licensed under either.
";
        let expected = format!(
            "\
# Name

See the page and [a site](https://example.org/x), both, once and again ([a site](https://example.org/y)).

*No caption*

```sh
echo [x](y)

echo
```

| `check` | finds |

{CLOSING}Licensed under either.
"
        );
        assert_eq!(without_relative_links(readme), expected);
    }
}
