//! `pytrope rules`: the list of rules.

use anyhow::Result;
use pytrope_diagnostics::{Rule, rules};
use serde_json::{Value, json};

use crate::args::{ListFormat, RulesArgs};
use crate::exit::Exit;
use crate::session::Session;

pub(super) fn run(args: &RulesArgs, session: &Session) -> Result<Exit> {
    session.print(|out| {
        match args.output_format {
            ListFormat::Text => {
                let width = rules().iter().map(|rule| rule.id.len()).max().unwrap_or(0);
                for Rule {
                    code,
                    id,
                    level,
                    summary,
                    ..
                } in rules()
                {
                    writeln!(out, "{code}  {id:width$}  {:7}  {summary}", level.name())?;
                }
            }
            ListFormat::Json => {
                let list: Vec<Value> = rules().iter().map(to_json).collect();
                writeln!(out, "{:#}", Value::Array(list))?;
            }
        }
        Ok(())
    })?;
    Ok(Exit::Success)
}

pub(super) fn to_json(rule: &Rule) -> Value {
    json!({
        "code": rule.code,
        "rule": rule.id,
        "level": rule.level.name(),
        "since": rule.since,
        "summary": rule.summary,
    })
}
