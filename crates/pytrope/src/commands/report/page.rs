//! The HTML of a report: summary, findings, coverage, and every file with its shapes beside the lines.

use std::collections::BTreeMap;
use std::fmt::Write;

use pytrope_diagnostics::{Finding, Place, Severity};
use pytrope_draw::{Markup, STYLE};

use super::shapes::draw_shapes;
use super::{Coverage, ReportedFile};
use crate::commands::check::count_with_noun;
use crate::session::Session;

const MORE_STYLE: &str = "\
.shapes{width:auto;margin:.5rem 0}.shapes td{border:1px solid var(--line);padding:.1rem .6rem;font-family:ui-monospace,monospace;font-size:.87em;text-align:center}\
.shapes .none{border:0}.shapes .differs{border:2px solid var(--bad);background:var(--badbox);color:var(--bad);font-weight:600}\
.finding{border-left:4px solid var(--bad);padding:.2rem 0 .2rem .9rem;margin:1.2rem 0}.finding.warning{border-color:var(--warn)}.finding.note{border-color:var(--accent)}\
body{max-width:90rem}.source{table-layout:fixed}.source td{border:0;padding:0 .6rem;white-space:pre-wrap;overflow-wrap:anywhere;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.82rem;line-height:1.45}\
.source .line{color:var(--soft);text-align:right;user-select:none;width:4rem}.source .code{width:55%}\
.source .beside{color:var(--accent)}.source tr.error td{background:var(--badbox)}.source tr.warning td{background:var(--box)}\
.scroll{overflow-x:auto}.bar{display:inline-block;width:8rem;height:.6rem;background:var(--line);border-radius:3px;overflow:hidden;vertical-align:middle}\
.bar i{display:block;height:100%;background:var(--accent)}.tag{font-size:.82em;padding:.05rem .4rem;border:1px solid var(--line);border-radius:4px}";

pub(super) fn render_page(files: &[ReportedFile], session: &Session) -> String {
    let mut body = String::new();
    let name = session.base.file_name().map_or_else(|| "project".into(), |name| name.to_string_lossy());
    let title = format!("Pytrope: {name}");
    let _ = writeln!(body, "<h1>{}</h1>", Markup(&title));
    write_summary(&mut body, files);
    write_findings(&mut body, files);
    write_coverage(&mut body, files);
    write_diagrams(&mut body, files);
    body.push_str("<h2 id=\"files\">Files</h2>\n");
    for (number, reported) in files.iter().enumerate() {
        write_source(&mut body, number, reported);
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>{STYLE}{MORE_STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        Markup(&title)
    )
}

fn write_summary(body: &mut String, files: &[ReportedFile]) {
    let count = |severity: Severity| {
        files.iter().flat_map(|reported| &reported.findings).filter(|finding| finding.severity == severity).count()
    };
    let mut known = Coverage::default();
    for reported in files {
        known.add(Coverage::of(&reported.bindings));
    }
    let share = known.known_share().map_or_else(
        || "no arrays".to_owned(),
        |share| format!("every size is known of {share} % of the values that are or may be arrays"),
    );
    let _ = writeln!(
        body,
        "<p><span class=\"bad\">{}</span>, <span class=\"warn\">{}</span>, {} in {}; {share}.</p>\n\
         <p class=\"soft\">An error is an operation that raises in every run that reaches it. Silence is not a proof: what is \
         unknown is not reported.</p>\n\
         <nav aria-label=\"Sections\"><a href=\"#findings\">Findings</a> · <a href=\"#coverage\">Coverage</a> · <a href=\"#files\">Files</a></nav>",
        count_with_noun(count(Severity::Error), "error"),
        count_with_noun(count(Severity::Warning), "warning"),
        count_with_noun(count(Severity::Note), "note"),
        count_with_noun(files.len(), "file")
    );
}

fn write_findings(body: &mut String, files: &[ReportedFile]) {
    body.push_str("<h2 id=\"findings\">Findings</h2>\n");
    if files.iter().all(|reported| reported.findings.is_empty()) {
        body.push_str("<p>Nothing found.</p>\n");
    }
    for (number, reported) in files.iter().enumerate() {
        for finding in &reported.findings {
            one_finding(body, number, finding);
        }
    }
}

fn one_finding(body: &mut String, file: usize, finding: &Finding) {
    let place = Place::of(&finding.primary);
    let line = finding.primary.file.lines().line_of(finding.primary.range.start) + 1;
    let _ = writeln!(
        body,
        "<section class=\"finding {}\"><p><span class=\"tag\">{} {}</span> <strong>{}</strong><br>\
         <a class=\"mono\" href=\"#f{file}l{line}\">{}:{}</a></p>",
        finding.severity,
        finding.severity,
        finding.rule.code,
        Markup(&finding.headline()),
        Markup(finding.primary.file.path()),
        shown_line(&place),
    );
    body.push_str(&draw_shapes(&finding.message));
    if !finding.related.is_empty() {
        body.push_str("<ul>");
        for related in &finding.related {
            let place = Place::of(&related.span);
            let text = related.span.text().lines().next().unwrap_or_default();
            let _ = write!(
                body,
                "<li>{}: <code>{}</code> <span class=\"soft mono\">{}:{}</span></li>",
                Markup(&related.message),
                Markup(text),
                Markup(related.span.file.path()),
                shown_line(&place)
            );
        }
        body.push_str("</ul>");
    }
    if let Some(help) = &finding.help {
        let _ = write!(body, "<p>Help: {}</p>", Markup(help));
    }
    body.push_str("</section>\n");
}

/// A line, in a notebook with its cell.
fn shown_line(place: &Place) -> String {
    let cell = place.cell.map_or_else(String::new, |cell| format!("cell {cell}:"));
    format!("{cell}{}", place.line)
}

fn write_coverage(body: &mut String, files: &[ReportedFile]) {
    body.push_str(
        "<h2 id=\"coverage\">Coverage</h2>\n<p class=\"soft\">Of the values that names are bound to: arrays whose every size is \
         known, arrays of which less is known, and values of which nothing is known, such as parameters of functions that no file calls.</p>\n<div class=\"scroll\"><table><thead><tr>\
         <th scope=\"col\">File</th><th scope=\"col\" class=\"number\">Known in full</th><th scope=\"col\" class=\"number\">In part</th>\
         <th scope=\"col\" class=\"number\">Unknown</th><th scope=\"col\">Share</th><th scope=\"col\" class=\"number\">Findings</th></tr></thead><tbody>\n",
    );
    for (number, reported) in files.iter().enumerate() {
        let known = Coverage::of(&reported.bindings);
        let share = known.known_share().map_or_else(String::new, |share| {
            format!("<span class=\"bar\" aria-hidden=\"true\"><i style=\"width:{share}%\"></i></span> {share} %")
        });
        let _ = writeln!(
            body,
            "<tr><td class=\"mono\"><a href=\"#f{number}\">{}</a></td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td>{share}</td><td class=\"number\">{}</td></tr>",
            Markup(reported.file.path()),
            known.full,
            known.partial,
            known.unknown,
            reported.findings.len()
        );
    }
    body.push_str("</tbody></table></div>\n");
}

fn write_diagrams(body: &mut String, files: &[ReportedFile]) {
    if files.iter().all(|reported| reported.diagrams.is_empty()) {
        return;
    }
    body.push_str("<h2 id=\"choreographies\">Choreographies</h2>\n");
    for reported in files {
        for (name, svg) in &reported.diagrams {
            let _ = writeln!(
                body,
                "<details><summary><span class=\"mono\">{}</span> of {}</summary><div class=\"scroll\">{svg}</div></details>",
                Markup(name),
                Markup(reported.file.path())
            );
        }
    }
}

/// A file with what each line binds beside it.
fn write_source(body: &mut String, number: usize, reported: &ReportedFile) {
    let file = &reported.file;
    let line_of = |offset: u32| file.lines().line_of(offset);
    let mut notes: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for binding in &reported.bindings {
        let value = binding.values.join(" | ");
        notes.entry(line_of(binding.span.range.start)).or_default().push(format!("{}: {value}", binding.name));
    }
    let mut hits: BTreeMap<u32, Vec<&Finding>> = BTreeMap::new();
    for finding in &reported.findings {
        hits.entry(line_of(finding.primary.range.start)).or_default().push(finding);
    }
    let open = if hits.is_empty() { "" } else { " open" };
    let _ = writeln!(
        body,
        "<details id=\"f{number}\"{open}><summary class=\"mono\">{}</summary><div class=\"scroll\"><table class=\"source\"><tbody>",
        Markup(file.path())
    );
    for (index, line) in (0_u32..).zip(file.text().lines()) {
        let here = || hits.get(&index).into_iter().flatten();
        let class = here()
            .map(|finding| finding.severity)
            .max()
            .map_or_else(String::new, |worst| format!(" class=\"{worst}\""));
        let mut beside: Vec<String> = Vec::new();
        beside.extend(here().map(|finding| {
            let colour = match finding.severity {
                Severity::Error => "bad",
                Severity::Warning => "warn",
                Severity::Note => "shape",
            };
            format!("<span class=\"{colour}\">{}</span>", Markup(&finding.headline()))
        }));
        beside.extend(notes.get(&index).into_iter().flatten().map(|note| Markup(note).to_string()));
        let _ = writeln!(
            body,
            "<tr id=\"f{number}l{}\"{class}><td class=\"line\">{}</td><td class=\"code\">{}</td><td class=\"beside\">{}</td></tr>",
            index + 1,
            index + 1,
            Markup(line),
            beside.join("; ")
        );
    }
    body.push_str("</tbody></table></div></details>\n");
}
