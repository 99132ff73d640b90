//! A flow as one HTML page: containers open and close, which needs no script and works with a keyboard.

use std::fmt::Write;

use crate::flow::{Call, ShapeFlow, arrow_label, shown_memory, shown_parameters};
use crate::markup::Markup;

/// The look of every page that Pytrope writes, light and dark.
pub const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1f2328;--soft:#59636e;--paper:#ffffff;--box:#f6f8fa;--line:#d1d9e0;--bad:#cf222e;--badbox:#ffebe9;--accent:#0969da;--warn:#9a6700}\
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--paper:#0d1117;--box:#161b22;--line:#3d444d;--bad:#ff7b72;--badbox:#490202;--accent:#79c0ff;--warn:#d29922}}\
*{box-sizing:border-box}body{margin:0 auto;max-width:70rem;padding:1.5rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}\
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin-top:2rem}code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.87em}\
a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}\
.soft{color:var(--soft)}.shape{color:var(--accent)}.bad{color:var(--bad);font-weight:600}.warn{color:var(--warn);font-weight:600}\
.flow{list-style:none;margin:0;padding:0}.flow .flow{padding-left:1.4rem;border-left:2px solid var(--line);margin:.3rem 0 .3rem .5rem}\
.layer{border:1px solid var(--line);border-radius:6px;background:var(--box);padding:.35rem .7rem;display:flex;flex-wrap:wrap;gap:.2rem 1rem}\
.layer+.layer{margin-top:.3rem}.flow summary>*{margin-right:.75rem}\
.layer.failed{border:2px solid var(--bad);background:var(--badbox)}.arrow{padding:.1rem 1.2rem}.arrow.failed{color:var(--bad);font-weight:600}\
details>summary{cursor:pointer;border:1px solid var(--line);border-radius:6px;background:var(--box);padding:.35rem .7rem}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}td.number,th.number{text-align:right}\
pre{background:var(--box);border:1px solid var(--line);border-radius:6px;padding:.6rem;overflow-x:auto}";

/// A flow as a self-contained page.
pub fn to_html(flow: &ShapeFlow) -> String {
    let mut body = String::new();
    let _ = writeln!(body, "<h1>{}</h1>", Markup(&flow.title));
    let totals = [
        flow.describe_parameters().map(|parameters| format!("Parameters: {parameters}")),
        flow.describe_work().map(|work| format!("Multiply-adds: {work}")),
        flow.describe_conditions().map(|conditions| format!("Only where: {conditions}")),
    ];
    for total in totals.iter().flatten() {
        let _ = writeln!(body, "<p class=\"soft\">{}</p>", Markup(total));
    }
    if let Some(failure) = &flow.failure {
        let place = failure
            .place
            .as_ref()
            .map_or_else(String::new, |place| format!(" <span class=\"mono soft\">{}</span>", Markup(place)));
        let _ = writeln!(body, "<p role=\"alert\"><span class=\"bad\">{}</span>{place}</p>", Markup(&failure.message));
    }
    body.push_str("<ol class=\"flow\" aria-label=\"Shape flow\">\n");
    for (name, shape) in &flow.inputs {
        let _ = writeln!(
            body,
            "<li class=\"layer\"><span class=\"mono\">{}</span> <span class=\"soft\">input</span> <span class=\"mono shape\">{}</span></li>",
            Markup(name),
            Markup(shape)
        );
    }
    if let Some(first) = flow.calls.first() {
        write_arrow(&mut body, &first.inputs.join(", "), first.fails_at_start());
    }
    write_calls(&mut body, &flow.calls);
    if flow.fails_between_layers() {
        write_arrow(&mut body, flow.calls.last().and_then(|call| call.output.as_deref()).unwrap_or("?"), true);
        let message = flow.failure.as_ref().map_or("", |failure| failure.message.as_str());
        let _ = writeln!(body, "<li class=\"layer failed\"><span class=\"bad\">{}</span></li>", Markup(message));
    }
    if let Some(output) = &flow.output {
        write_arrow(&mut body, output, false);
        body.push_str("<li class=\"layer\"><span class=\"mono\">result</span></li>\n");
    }
    body.push_str("</ol>\n");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        Markup(&flow.title)
    )
}

fn write_arrow(body: &mut String, shape: &str, failed: bool) {
    let class = if failed { "arrow failed" } else { "arrow" };
    let _ = writeln!(
        body,
        "<li class=\"{class}\" role=\"note\"><span aria-hidden=\"true\">↓</span> <span class=\"mono {}\">{}</span></li>",
        if failed { "bad" } else { "shape" },
        Markup(shape)
    );
}

fn write_calls(body: &mut String, list: &[Call]) {
    for (index, call) in list.iter().enumerate() {
        if index > 0 {
            write_arrow(body, &arrow_label(&list[index - 1], call), call.fails_at_start());
        }
        if call.calls.is_empty() {
            let class = if call.failed { "layer failed" } else { "layer" };
            let _ = writeln!(body, "<li class=\"{class}\">{}</li>", heading_of(call));
        } else {
            let _ = writeln!(body, "<li><details open><summary>{}</summary>\n<ol class=\"flow\">", heading_of(call));
            write_calls(body, &call.calls);
            if call.fails_between_layers() {
                write_arrow(body, call.calls.last().and_then(|last| last.output.as_deref()).unwrap_or("?"), true);
                body.push_str(
                    "<li class=\"layer failed\"><span class=\"bad\">an operation between layers fails</span></li>\n",
                );
            }
            body.push_str("</ol></details></li>\n");
        }
    }
}

fn heading_of(call: &Call) -> String {
    let parameters = call.parameters;
    let mut text = format!("<strong class=\"mono\">{}</strong>", Markup(&call.name));
    if call.name != call.kind {
        let _ = write!(text, " <span>{}</span>", Markup(&call.kind));
    }
    if call.shows_parameters() {
        let memory = parameters.map_or_else(String::new, |parameters| format!(", {}", shown_memory(parameters)));
        let _ = write!(text, " <span class=\"soft\">{} parameters{memory}</span>", shown_parameters(parameters));
    }
    if let Some(work) = &call.work {
        let _ = write!(text, " <span class=\"soft\">{} multiply-adds</span>", Markup(&work.to_string()));
    }
    match (&call.output, call.failed) {
        (None, true) if call.fails_between_layers() => {
            let last = call.calls.last().map_or("", |last| last.name.as_str());
            let _ =
                write!(text, " <span class=\"bad\">fails after <span class=\"mono\">{}</span></span>", Markup(last));
        }
        (Some(output), _) => {
            let _ = write!(text, " <span class=\"mono shape\">{}</span>", Markup(output));
        }
        (None, true) => {
            let _ = write!(
                text,
                " <span class=\"bad\">fails, given <span class=\"mono\">{}</span></span>",
                Markup(&call.inputs.join(", "))
            );
        }
        (None, false) => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_can_be_closed_and_nothing_is_loaded() {
        let layer = Call {
            path: "stem.0".into(),
            name: "0".into(),
            kind: "ReLU".into(),
            inputs: vec!["(n, 3)".into()],
            output: Some("(n, 3)".into()),
            parameters: Some(0),
            ..Call::default()
        };
        let stem = Call {
            path: "stem".into(),
            name: "stem".into(),
            kind: "Sequential".into(),
            calls: vec![layer],
            parameters: Some(0),
            ..Call::default()
        };
        let page = to_html(&ShapeFlow { title: "A & B".into(), calls: vec![stem], ..ShapeFlow::default() });
        assert!(page.contains("<details open><summary>") && page.contains("A &amp; B"));
        for loading in ["<script", "src=", "http", "@import", "url("] {
            assert!(!page.contains(loading), "{loading}");
        }
    }
}
