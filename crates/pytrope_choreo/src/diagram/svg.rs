//! Diagrams as SVG, drawn without help.

use super::DiagramEvent;
use crate::role::RoleId;

/// The least and the most that lifelines stand apart.
const COLUMN: usize = 190;
const WIDEST: usize = 380;
/// What a letter takes of a line, roughly.
const LETTER: usize = 7;
const MARGIN: usize = 110;
const ROW: usize = 40;
const HEAD: usize = 50;

pub(super) fn draw_svg(title: &str, roles: &[String], events: &[DiagramEvent]) -> String {
    let step = column_width(events).clamp(COLUMN, WIDEST);
    let mut canvas = Canvas { roles, step, body: String::new(), y: HEAD + 30 };
    canvas.draw_events(events, 0);
    let height = canvas.y + 40;
    let width = canvas.total_width();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n"
    );
    out.push_str(&format!("<title>{}</title>\n", escape_xml(title)));
    out.push_str("<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L10 5 L0 10 z\"/></marker></defs>\n");
    out.push_str(&format!("<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"));
    for (at, role) in roles.iter().enumerate() {
        let x = canvas.role_column(RoleId(at as u8));
        out.push_str(&format!("<line x1=\"{x}\" y1=\"{HEAD}\" x2=\"{x}\" y2=\"{}\" stroke=\"#999\"/>\n", height - 20));
        let left = x - 60;
        out.push_str(&format!(
            "<rect x=\"{left}\" y=\"16\" width=\"120\" height=\"30\" rx=\"4\" fill=\"#eef\" stroke=\"#446\"/>\n"
        ));
        out.push_str(&format!(
            "<text x=\"{x}\" y=\"36\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n",
            escape_xml(role)
        ));
    }
    out.push_str(&canvas.body);
    out.push_str("</svg>\n");
    out
}

/// How far apart lifelines must stand for the longest text between them.
fn column_width(events: &[DiagramEvent]) -> usize {
    let widths = events.iter().map(|event| match event {
        DiagramEvent::Message { from, to, text, .. } => {
            let distance = from.index().abs_diff(to.index()).max(1);
            (text.chars().count() * LETTER + 30).div_ceil(distance)
        }
        DiagramEvent::Alternative(arms) => arms.iter().map(|(_, inner)| column_width(inner)).max().unwrap_or(0),
        DiagramEvent::Loop(_, inner) => column_width(inner),
        DiagramEvent::Note { .. } | DiagramEvent::Exit(_) => 0,
    });
    widths.max().unwrap_or(0)
}

struct Canvas<'a> {
    roles: &'a [String],
    step: usize,
    body: String,
    y: usize,
}

impl Canvas<'_> {
    fn role_column(&self, role: RoleId) -> usize {
        MARGIN + role.index() * self.step
    }

    fn total_width(&self) -> usize {
        MARGIN * 2 + self.step * self.roles.len().saturating_sub(1)
    }

    fn draw_note(&mut self, first: usize, last: usize, text: &str) {
        let (left, width) = (first - 50, last - first + 100);
        let top = self.y;
        self.body.push_str(&format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"26\" fill=\"#ffd\" stroke=\"#996\"/>\n"
        ));
        let (x, y) = (left + width / 2, top + 18);
        self.body.push_str(&format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>\n", escape_xml(text)));
        self.y += ROW;
    }

    fn draw_events(&mut self, events: &[DiagramEvent], depth: usize) {
        for event in events {
            match event {
                DiagramEvent::Message { from, to, text, label } => self.draw_message(*from, *to, text, *label),
                DiagramEvent::Alternative(arms) => {
                    self.draw_frame(if arms.len() == 1 { "opt" } else { "alt" }, arms, depth);
                }
                DiagramEvent::Loop(head, inner) => self.draw_frame("loop", &[(head.clone(), inner.clone())], depth),
                DiagramEvent::Note { roles, text } => {
                    let columns: Vec<usize> = roles.iter().map(|role| self.role_column(role)).collect();
                    if let (Some(&first), Some(&last)) = (columns.first(), columns.last()) {
                        self.draw_note(first, last, text);
                    }
                }
                DiagramEvent::Exit(text) => self.draw_note(MARGIN, self.total_width() - MARGIN, text),
            }
        }
    }

    fn draw_message(&mut self, from: RoleId, to: RoleId, text: &str, label: bool) {
        let (x1, x2) = (self.role_column(from), self.role_column(to));
        let y = self.y + 20;
        let dash = if label { " stroke-dasharray=\"5 4\"" } else { "" };
        self.body.push_str(&format!(
            "<line x1=\"{x1}\" y1=\"{y}\" x2=\"{x2}\" y2=\"{y}\" stroke=\"black\"{dash} marker-end=\"url(#tip)\"/>\n"
        ));
        let style = if label { " font-style=\"italic\"" } else { "" };
        let (x, y) = (usize::midpoint(x1, x2), y - 6);
        self.body.push_str(&format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\"{style}>{}</text>\n",
            escape_xml(text)
        ));
        self.y += ROW;
    }

    /// A box with a tab that names it and a dashed line between its arms.
    fn draw_frame(&mut self, kind: &str, arms: &[(String, Vec<DiagramEvent>)], depth: usize) {
        let inset = 8 + depth.min(8) * 8;
        let right = self.total_width() - inset;
        let top = self.y;
        let mut lines = String::new();
        for (at, (condition, inner)) in arms.iter().enumerate() {
            if at > 0 {
                let y = self.y;
                lines.push_str(&format!("<line x1=\"{inset}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\" stroke=\"#446\" stroke-dasharray=\"3 3\"/>\n"));
            }
            let shown = if condition == "else" { "otherwise" } else { condition };
            let (x, y) = (inset + if at == 0 { 48 } else { 8 }, self.y + 15);
            lines.push_str(&format!("<text x=\"{x}\" y=\"{y}\" fill=\"#446\">[{}]</text>\n", escape_xml(shown)));
            self.y += 26;
            self.draw_events(inner, depth + 1);
        }
        let (width, height) = (right - inset, self.y - top + 4);
        self.body.push_str(&format!(
            "<rect x=\"{inset}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#446\"/>\n"
        ));
        let y = top + 15;
        self.body.push_str(&format!(
            "<rect x=\"{inset}\" y=\"{top}\" width=\"40\" height=\"20\" fill=\"#eef\" stroke=\"#446\"/>\n"
        ));
        self.body.push_str(&format!("<text x=\"{}\" y=\"{y}\" font-weight=\"bold\">{kind}</text>\n", inset + 6));
        self.body.push_str(&lines);
        self.y += 14;
    }
}

fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
