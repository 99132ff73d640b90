//! `pytrope explain`: the page of a rule.

use anyhow::Result;
use pytrope_diagnostics::{Rule, rules};
use serde_json::{Value, json};

use crate::args::{ExplainArgs, ListFormat};
use crate::config::known_rule;
use crate::exit::Exit;
use crate::session::Session;

pub(super) fn run(args: &ExplainArgs, session: &Session) -> Result<Exit> {
    let pages: Vec<&Rule> = match &args.rule {
        Some(name) => vec![known_rule(name)?],
        None => rules().iter().collect(),
    };
    session.print(|out| match args.output_format {
        ListFormat::Text | ListFormat::Markdown => {
            let texts: Vec<&str> = pages.iter().map(|rule| rule.page.trim_end()).collect();
            writeln!(out, "{}", texts.join("\n\n"))
        }
        ListFormat::Json => {
            let values: Vec<Value> = pages.iter().map(|rule| with_page(rule)).collect();
            match (&args.rule, values.as_slice()) {
                (Some(_), [one]) => writeln!(out, "{one:#}"),
                _ => writeln!(out, "{:#}", Value::Array(values)),
            }
        }
    })?;
    Ok(Exit::Success)
}

fn with_page(rule: &Rule) -> Value {
    let mut value = super::rules::to_json(rule);
    value["page"] = json!(rule.page);
    value
}
