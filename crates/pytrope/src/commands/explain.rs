//! `pytrope explain`: the page of a rule.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use pytrope_diagnostics::{Rule, rules};
use serde_json::{Value, json};

use crate::args::{ExplainArgs, ListFormat};
use crate::config::known_rule;
use crate::exit::ExitStatus;
use crate::session::Session;

pub(super) fn run(args: &ExplainArgs, session: &Session) -> Result<ExitStatus> {
    let pages: Vec<&Rule> = match &args.rule {
        Some(name) => vec![known_rule(name)?],
        None => rules().iter().collect(),
    };
    session.print(|out| match args.output_format {
        ListFormat::Text | ListFormat::Markdown => {
            let texts: Vec<&str> = pages.iter().map(|rule| rule.page.trim_end()).collect();
            let colour = args.output_format == ListFormat::Text && session.colours_stdout();
            writeln!(out, "{}", paint_page(&texts.join("\n\n"), colour))
        }
        ListFormat::Json => {
            let values: Vec<Value> = pages.iter().map(|rule| with_page(rule)).collect();
            match (&args.rule, values.as_slice()) {
                (Some(_), [one]) => writeln!(out, "{one:#}"),
                _ => writeln!(out, "{:#}", Value::Array(values)),
            }
        }
    })?;
    Ok(ExitStatus::Success)
}

/// A page with its headings bold and its code blocks coloured.
fn paint_page(page: &str, colour: bool) -> Cow<'_, str> {
    if !colour {
        return Cow::Borrowed(page);
    }
    let mut in_code = false;
    let lines = page.lines().map(|line| {
        let is_fence = line.starts_with("```");
        in_code ^= is_fence;
        let style = match (in_code || is_fence, line.starts_with('#')) {
            (true, _) => AnsiColor::Cyan.on_default(),
            (false, true) => Style::new().bold(),
            (false, false) => Style::new(),
        };
        format!("{style}{line}{style:#}")
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

fn with_page(rule: &Rule) -> Value {
    let mut value = super::rules::to_json(rule);
    value["page"] = json!(rule.page);
    value
}
