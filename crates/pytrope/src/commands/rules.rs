//! `pytrope rules`: the list of rules.

use anyhow::Result;
use pytrope_diagnostics::{Rule, rules};
use serde_json::{Value, json};

use crate::args::{ListFormat, RulesArgs};
use crate::exit::ExitStatus;
use crate::session::Session;

pub(super) fn run(args: &RulesArgs, session: &Session) -> Result<ExitStatus> {
    session.print(|out| {
        match args.output_format {
            ListFormat::Text => {
                let width = rules().iter().map(|rule| rule.id.len()).max().unwrap_or(0);
                for Rule { code, id, level, summary, .. } in rules() {
                    writeln!(out, "{code}  {id:width$}  {:7}  {summary}", level.name())?;
                }
            }
            ListFormat::Markdown => write!(out, "{}", rules_page())?,
            ListFormat::Json => {
                let list: Vec<Value> = rules().iter().map(to_json).collect();
                writeln!(out, "{:#}", Value::Array(list))?;
            }
        }
        Ok(())
    })?;
    Ok(ExitStatus::Success)
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

/// The families of rules, by the first digit of their code.
const FAMILIES: [(char, &str); 6] = [
    ('0', "Source"),
    ('1', "Python values"),
    ('2', "Shapes"),
    ('3', "Migrate and prune"),
    ('4', "Distribute"),
    ('5', "Choreographies"),
];

/// The page docs/rules.md: a table of rules per family.
fn rules_page() -> String {
    let mut page = String::from(
        "# Rules\n\n`pytrope explain CODE` prints the page of a rule. Levels can be set in the \
         [configuration](configuration.md) and with `--error`, `--warn` and `--ignore`.\n\
         This page is written by `pytrope rules --output-format markdown`.\n",
    );
    for (digit, family) in FAMILIES {
        let mut of_family = rules().iter().filter(|rule| rule.code.chars().nth(2) == Some(digit)).peekable();
        if of_family.peek().is_none() {
            continue;
        }
        page.push_str(&format!("\n## {family}\n\n| code | rule | level | since | |\n|---|---|---|---|---|\n"));
        for Rule { code, id, level, since, summary, .. } in of_family {
            let link = format!("../crates/pytrope_diagnostics/rules/{code}.md");
            page.push_str(&format!("| [{code}]({link}) | `{id}` | {level} | {since} | {summary} |\n"));
        }
    }
    page
}
