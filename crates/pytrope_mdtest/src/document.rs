//! Markdown read as far as tests need it: headings, fenced blocks and the names before them.

/// A section with at least one block.
#[derive(Debug)]
pub(crate) struct DocumentSection {
    /// Headings from the first level down, joined by ` › `.
    pub name: String,
    /// The 1-based line of its heading, or of its first block.
    pub line: usize,
    pub blocks: Vec<CodeBlock>,
}

/// A fenced code block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CodeBlock {
    pub role: Role,
    pub text: String,
    /// The 1-based line of the first line of its text.
    pub line: usize,
}

/// What a block is for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A file of the case.
    Input { path: String },
    /// A file that the analysis must write.
    Output { path: String },
    /// Findings rendered in a format.
    Snapshot { format: String },
    /// Options of the case.
    Config,
}

/// The path of Python blocks without a name.
pub(crate) const MAIN: &str = "main.py";

/// Reads the sections of a document that have blocks.
pub(crate) fn read_sections(markdown: &str) -> Result<Vec<DocumentSection>, String> {
    let mut sections: Vec<DocumentSection> = Vec::new();
    let mut headings: Vec<String> = Vec::new();
    let mut current = DocumentSection { name: String::new(), line: 1, blocks: Vec::new() };
    let mut title: Option<String> = None;
    let mut lines = markdown.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if let Some(fence) = opening_fence(line) {
            let info = line[fence.len()..].trim();
            let mut text = String::new();
            let mut closed = false;
            for (_, line) in lines.by_ref() {
                if line.trim_end() == fence {
                    closed = true;
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            if !closed {
                return Err(format!("line {}: the block is never closed", index + 1));
            }
            if let Some(role) = block_role(info, title.take()) {
                current.blocks.push(CodeBlock { role, text, line: index + 2 });
            }
        } else if let Some((level, heading)) = read_heading(line) {
            headings.truncate(level - 1);
            // A level that is left out still takes a place, so that deeper headings nest alike.
            headings.resize(level - 1, String::new());
            headings.push(heading.to_owned());
            let name = headings.iter().filter(|heading| !heading.is_empty()).cloned().collect::<Vec<_>>().join(" › ");
            let done = std::mem::replace(&mut current, DocumentSection { name, line: index + 1, blocks: Vec::new() });
            sections.push(done);
            title = None;
        } else if let Some(name) = line.strip_prefix('`').and_then(|rest| rest.trim_end().strip_suffix("`:")) {
            title = Some(name.to_owned());
        } else if !line.trim().is_empty() {
            title = None;
        }
    }
    sections.push(current);
    sections.retain(|section| !section.blocks.is_empty());
    Ok(sections)
}

fn opening_fence(line: &str) -> Option<&str> {
    let length = line.bytes().take_while(|&byte| byte == b'`').count();
    (length >= 3).then(|| &line[..length])
}

fn read_heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|&byte| byte == b'#').count();
    let text = line[level..].strip_prefix(' ')?;
    (1..=6).contains(&level).then_some((level, text.trim()))
}

/// The role of a block, by its info string and the name before it; none if the block is only prose.
fn block_role(info: &str, title: Option<String>) -> Option<Role> {
    let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
    if rest.split(' ').any(|word| word == "ignore") {
        return None;
    }
    let attribute = |key: &str| {
        let after = rest.split_once(&format!("{key}=\""))?.1;
        Some(after.split_once('"')?.0.to_owned())
    };
    if let Some(path) = attribute("output") {
        return Some(Role::Output { path });
    }
    if language == "snapshot" {
        let format = if rest.is_empty() { "full" } else { rest.trim() };
        return Some(Role::Snapshot { format: format.to_owned() });
    }
    match (attribute("title").or(title), language) {
        (Some(path), _) => Some(Role::Input { path }),
        (None, "python" | "py") => Some(Role::Input { path: MAIN.to_owned() }),
        (None, "toml") => Some(Role::Config),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_named_by_their_headings() {
        let text = "# A\n\n```python\nx\n```\n\n## B\n\n### C\n\n```python\ny\n```\n\n## D\n";
        let names: Vec<_> = read_sections(text).unwrap().into_iter().map(|section| section.name).collect();
        assert_eq!(names, ["A", "A › B › C"]);
    }

    #[test]
    fn blocks_are_named_by_the_line_before_or_by_their_title() {
        let text = "`a.py`:\n\n```python\n1\n```\n\n```python title=\"b.py\"\n2\n```\n\n```python\n3\n```\n\n`x`: prose\n\n```sh\nls\n```\n";
        let blocks = &read_sections(text).unwrap()[0].blocks;
        let paths: Vec<_> = blocks.iter().map(|block| (&block.role, block.line)).collect();
        let input = |path: &str| Role::Input { path: path.into() };
        assert_eq!(paths, [(&input("a.py"), 4), (&input("b.py"), 8), (&input(MAIN), 12)]);
    }

    #[test]
    fn longer_fences_hold_shorter_ones() {
        let text = "````python\n```\n````\n";
        assert_eq!(read_sections(text).unwrap()[0].blocks[0].text, "```\n");
    }

    #[test]
    fn an_open_block_is_an_error() {
        assert_eq!(read_sections("```python\nx\n").unwrap_err(), "line 1: the block is never closed");
    }
}
