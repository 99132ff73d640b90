//! `full`: headline, source excerpts with underlines, help.
//!
//! ```text
//! error[PT202]: ValueError: matrix product of (2, 3) and (4, 5): 3 ≠ 4
//!   --> train.py:14:9
//!    |
//!  9 | w = np.ones((4, 5))
//!    |     --------------- (4, 5) created here
//! …
//! 14 |     h = x @ w
//!    |         ^^^^^
//!    = help: make the inner sizes equal
//! ```

use std::fmt::Display;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use pytrope_source::Span;

use super::RenderContext;
use super::concise::{place, span_place};
use super::excerpt::{Excerpt, printable};
use super::hyperlink::{link_place, link_rule};
use crate::place::line_text;
use crate::{Finding, Place, Severity};

/// A span to show, with what is written under it.
struct Mark<'a> {
    span: &'a Span,
    label: &'a str,
    primary: bool,
}

pub(super) fn render(findings: &[Finding], context: &RenderContext, out: &mut dyn Write) -> io::Result<()> {
    for finding in findings {
        render_one(finding, context, out)?;
        writeln!(out)?;
    }
    Ok(())
}

fn render_one(finding: &Finding, context: &RenderContext, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint { colour: context.colour };
    let tone = style_of(finding.severity);
    let title = format!("{}[{}]", finding.severity, link_rule(finding.rule.code, finding.rule, context));
    let headline = finding.headline();
    let headline = paragraphs_of(&headline);
    writeln!(out, "{}: {}", paint.with(tone, title), paint.with(Style::new().bold(), headline.join("\n")))?;

    let mut marks = vec![Mark { span: &finding.primary, label: "", primary: true }];
    marks.extend(finding.related.iter().map(|related| Mark {
        span: &related.span,
        label: &related.message,
        primary: false,
    }));
    let last_line = marks.iter().map(|mark| Place::of(mark.span).line).max().unwrap_or(1);
    let gutter = last_line.to_string().len();
    let quiet = Style::new().fg_color(Some(AnsiColor::BrightBlue.into()));

    let (here, elsewhere): (Vec<_>, Vec<_>) = marks
        .into_iter()
        .partition(|mark| mark.span.file.path() == finding.primary.file.path() && same_cell(mark, finding));
    let arrow = |arrow: &str| paint.with(quiet, format!("{:gutter$}{arrow}", "")).to_string();
    let shown = place(finding, context);
    writeln!(out, "{} {}", arrow("-->"), link_place(&shown, &finding.primary, context))?;
    render_excerpts(here, tone, gutter, &paint, out)?;
    let mut elsewhere = elsewhere.into_iter().peekable();
    while let Some(first) = elsewhere.next() {
        let shown = span_place(first.span, context);
        writeln!(out, "{} {}", arrow(":::"), link_place(&shown, first.span, context))?;
        let mut group = vec![first];
        while let Some(next) = elsewhere.next_if(|next| {
            next.span.file.path() == group[0].span.file.path()
                && Place::of(next.span).cell == Place::of(group[0].span).cell
        }) {
            group.push(next);
        }
        render_excerpts(group, tone, gutter, &paint, out)?;
    }
    if let Some(help) = &finding.help {
        for (index, line) in paragraphs_of(help).iter().enumerate() {
            let word = if index == 0 { "= help:" } else { "       " };
            writeln!(out, "{:gutter$} {} {line}", "", paint.with(Style::new().bold(), word))?;
        }
    }
    Ok(())
}

fn same_cell(mark: &Mark<'_>, finding: &Finding) -> bool {
    Place::of(mark.span).cell == Place::of(&finding.primary).cell
}

/// Prints the marked lines of one file in order, each line once, its marks under it.
fn render_excerpts(
    mut marks: Vec<Mark<'_>>,
    tone: Style,
    gutter: usize,
    paint: &Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let quiet = Style::new().fg_color(Some(AnsiColor::BrightBlue.into()));
    let bar = |number: &dyn Display| paint.with(quiet, format!("{number:>gutter$} |")).to_string();
    marks.sort_by_key(|mark| (Place::of(mark.span).line, mark.primary, mark.span.range.start));
    writeln!(out, "{}", bar(&""))?;
    let mut shown: Option<u32> = None;
    for mark in marks {
        let Place { line, mut end_line, end_column, .. } = Place::of(mark.span);
        // A span that ends with its line's end has nothing on the next line to speak of.
        if end_line == line + 1 && end_column == 1 {
            end_line = line;
        }
        let text = line_text(mark.span);
        let file = &mark.span.file;
        let line_start = file.lines().line_start(file.lines().line_of(mark.span.range.start), file.text());
        let start = (mark.span.range.start - line_start) as usize;
        let length = if end_line == line { mark.span.range.len() as usize } else { text.len() };
        let excerpt = Excerpt::new(text, start.min(text.len()), (start + length).min(text.len()));
        if shown != Some(line) {
            if shown.is_some_and(|shown| line > shown + 1) {
                writeln!(out, "{}", paint.with(quiet, "…"))?;
            }
            writeln!(out, "{}", format!("{} {}", bar(&line), excerpt.text).trim_end())?;
            shown = Some(line);
        }
        let (character, style) = if mark.primary { ("^", tone) } else { ("-", quiet) };
        let mut underline = character.repeat(excerpt.width);
        if end_line > line {
            underline.push_str(&format!("… to line {end_line}"));
        }
        if !mark.label.is_empty() {
            underline.push(' ');
            underline.push_str(&printable(mark.label));
        }
        writeln!(out, "{} {:indent$}{}", bar(&""), "", paint.with(style, underline), indent = excerpt.indent)?;
    }
    Ok(())
}

fn style_of(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => AnsiColor::BrightRed,
        Severity::Warning => AnsiColor::BrightYellow,
        Severity::Note => AnsiColor::BrightCyan,
    };
    Style::new().fg_color(Some(colour.into())).bold()
}

/// The lines of a message, each safe to print.
fn paragraphs_of(text: &str) -> Vec<String> {
    text.lines().map(|line| printable(line).into_owned()).collect()
}

/// Styles text only where colour is wanted.
struct Paint {
    colour: bool,
}

impl Paint {
    fn with<'a>(&self, style: Style, text: impl Display + 'a) -> Box<dyn Display + 'a> {
        if self.colour { Box::new(format!("{style}{text}{style:#}")) } else { Box::new(text) }
    }
}
