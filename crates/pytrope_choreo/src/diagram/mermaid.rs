//! Diagrams in the notation of Mermaid.

use super::DiagramEvent;

pub(super) fn draw_mermaid(roles: &[String], events: &[DiagramEvent]) -> String {
    let mut out = String::from("sequenceDiagram\n");
    for role in roles {
        out.push_str(&format!("    participant {role}\n"));
    }
    draw_events(roles, events, 1, &mut out);
    out
}

fn draw_events(roles: &[String], events: &[DiagramEvent], depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth);
    for event in events {
        match event {
            DiagramEvent::Message { from, to, text, label } => {
                let arrow = if *label { "-->>" } else { "->>" };
                let (from, to) = (&roles[from.index()], &roles[to.index()]);
                out.push_str(&format!("{indent}{from}{arrow}{to}: {}\n", escape_mermaid(text)));
            }
            DiagramEvent::Alternative(arms) => {
                for (at, (condition, inner)) in arms.iter().enumerate() {
                    let keyword = match (at, arms.len()) {
                        (0, 1) => "opt",
                        (0, _) => "alt",
                        _ => "else",
                    };
                    let condition = if condition == "else" { "otherwise" } else { condition };
                    out.push_str(&format!("{indent}{keyword} {}\n", escape_mermaid(condition)));
                    draw_events(roles, inner, depth + 1, out);
                }
                out.push_str(&format!("{indent}end\n"));
            }
            DiagramEvent::Loop(head, inner) => {
                out.push_str(&format!("{indent}loop {}\n", escape_mermaid(head)));
                draw_events(roles, inner, depth + 1, out);
                out.push_str(&format!("{indent}end\n"));
            }
            DiagramEvent::Exit(text) => {
                let ends = match roles {
                    [] => continue,
                    [only] => only.clone(),
                    [first, .., last] => format!("{first},{last}"),
                };
                out.push_str(&format!("{indent}Note over {ends}: {text}\n"));
            }
            DiagramEvent::Note { roles: over, text } => {
                let names: Vec<&str> = over.iter().map(|role| roles[role.index()].as_str()).collect();
                let ends = match names.as_slice() {
                    [] => continue,
                    [only] => (*only).to_owned(),
                    [first, .., last] => format!("{first},{last}"),
                };
                out.push_str(&format!("{indent}Note over {ends}: {}\n", escape_mermaid(text)));
            }
        }
    }
}

/// Characters that mean something to Mermaid, as its entities.
fn escape_mermaid(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' => out.push_str("#35;"),
            ';' => out.push_str("#59;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '"' => out.push_str("#quot;"),
            _ => out.push(c),
        }
    }
    out
}
