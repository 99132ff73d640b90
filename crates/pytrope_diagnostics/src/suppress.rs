//! `# pytrope: ignore` comments: what they silence, and those that silence nothing (PT002).

use std::sync::Arc;

use pytrope_source::{SourceFile, Span, Suppression, TextRange};

use crate::{Applicability, Finding, Fix, TextChange, find_rule, rule_by_id};

/// Removes the findings of one file that its comments silence, and adds one for each comment that is not needed.
pub fn suppress(findings: Vec<Finding>, file: &Arc<SourceFile>, suppressions: &[Suppression]) -> Vec<Finding> {
    if suppressions.is_empty() {
        return findings;
    }
    let mut used: Vec<Vec<bool>> = suppressions.iter().map(|comment| vec![false; comment.rules.len().max(1)]).collect();
    let mut kept: Vec<Finding> =
        findings.into_iter().filter(|finding| !is_silenced(finding, file, suppressions, &mut used)).collect();
    for (comment, used) in suppressions.iter().zip(&used) {
        kept.extend(unneeded_ignores(comment, used, file));
    }
    kept
}

/// Whether any comment silences a finding; all that do are marked as used.
fn is_silenced(finding: &Finding, file: &SourceFile, comments: &[Suppression], used: &mut [Vec<bool>]) -> bool {
    let lines = file.lines();
    let range = finding.primary.range;
    // A comment may stand behind the last line of an expression as well as behind its first.
    let ends = [lines.line_of(range.start) + 1, lines.line_of(range.end.max(range.start)) + 1];
    let mut silenced = false;
    for (comment, used) in comments.iter().zip(used) {
        if !ends.iter().any(|&line| comment.covers(finding.rule.code, finding.rule.id, line)) {
            continue;
        }
        silenced = true;
        if comment.rules.is_empty() {
            used[0] = true;
        }
        for (name, used) in comment.rules.iter().zip(used) {
            *used |= name == finding.rule.code || name == finding.rule.id;
        }
    }
    silenced
}

fn unneeded_ignores(comment: &Suppression, used: &[bool], file: &Arc<SourceFile>) -> Vec<Finding> {
    let rule = rule_by_id("unused-ignore");
    let span = Span::new(file, comment.range);
    if comment.rules.is_empty() {
        let finding = Finding::new(rule, span, "unused ignore: the comment silences nothing");
        return if used[0] { Vec::new() } else { vec![finding.fix(removal_of(comment, file))] };
    }
    let needless: Vec<&String> =
        comment.rules.iter().zip(used).filter(|&(_, used)| !used).map(|(name, _)| name).collect();
    let all = needless.len() == comment.rules.len();
    needless
        .into_iter()
        .map(|name| {
            let message = match find_rule(name) {
                Some(_) => format!("unused ignore: `{name}` is not reported here"),
                None => format!("there is no rule `{name}`"),
            };
            let finding = Finding::new(rule, span.clone(), message);
            if all { finding.fix(removal_of(comment, file)) } else { finding }
        })
        .collect()
}

/// Deletes the comment with its `#` and the space before it.
fn removal_of(comment: &Suppression, file: &Arc<SourceFile>) -> Fix {
    let before = &file.text()[..comment.range.start as usize];
    let start =
        before.trim_end().strip_suffix('#').map_or(before.len(), |rest| rest.trim_end_matches([' ', '\t']).len());
    let range = TextRange::new(start as u32, comment.range.end);
    Fix {
        title: "remove the comment".to_owned(),
        applicability: Applicability::Safe,
        changes: vec![TextChange { span: Span::new(file, range), text: String::new() }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pytrope_source::{parse, suppressions};

    fn run(text: &str, found: &[(&str, &str)]) -> Vec<String> {
        let file = SourceFile::from_text("t.py", text);
        let findings = found.iter().map(|(id, at)| {
            let start = text.find(at).expect("the marked text is there") as u32;
            Finding::new(rule_by_id(id), Span::new(&file, TextRange::new(start, start + at.len() as u32)), "m")
        });
        let kept = suppress(findings.collect(), &file, &suppressions(&parse(&file)));
        kept.iter().map(|finding| format!("{} {}", finding.rule.id, finding.message)).collect()
    }

    #[test]
    fn a_comment_silences_its_rules_on_its_line() {
        let text = "a @ b  # pytrope: ignore[matmul-mismatch]\nc @ d\n";
        assert_eq!(run(text, &[("matmul-mismatch", "a @ b")]), [""; 0]);
        let kept = run(text, &[("matmul-mismatch", "c @ d")]);
        assert_eq!(kept, ["matmul-mismatch m", "unused-ignore unused ignore: `matmul-mismatch` is not reported here"]);
    }

    #[test]
    fn unknown_rules_and_needless_comments_are_reported() {
        assert_eq!(
            run("x = 1  # pytrope: ignore\n", &[]),
            ["unused-ignore unused ignore: the comment silences nothing"]
        );
        assert_eq!(run("x = 1  # pytrope: ignore[nonsense]\n", &[]), ["unused-ignore there is no rule `nonsense`"]);
    }

    #[test]
    fn a_comment_behind_the_last_line_silences_the_whole_expression() {
        assert_eq!(run("(a @\n b)  # pytrope: ignore\n", &[("matmul-mismatch", "a @\n b")]), [""; 0]);
    }
}
