//! The form in which a run is written down.

use std::path::PathBuf;
use std::sync::Arc;

use pytrope_diagnostics::{Applicability, Finding, Fix, Related, Severity, TextChange, find_rule};
use pytrope_source::probes::{AnsweredProbe, ContentHash, ProbeSort};
use pytrope_source::{SourceFile, Span, TextRange};
use serde::{Deserialize, Serialize};

use super::hex;

#[derive(Serialize, Deserialize)]
pub(super) struct StoredRun {
    pub files: Vec<StoredFile>,
    pub probes: Vec<StoredProbe>,
    findings: Vec<StoredFinding>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredFile {
    pub path: String,
    pub hash: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredProbe {
    pub path: PathBuf,
    sort: u8,
    pub answer: String,
}

/// The number of a file, and a range in it.
type StoredSpan = (usize, u32, u32);

#[derive(Serialize, Deserialize)]
struct StoredFinding {
    rule: String,
    severity: Severity,
    message: String,
    raises: Option<String>,
    primary: StoredSpan,
    related: Vec<(StoredSpan, String)>,
    calls: Vec<StoredSpan>,
    help: Option<String>,
    fix: Option<StoredFix>,
}

#[derive(Serialize, Deserialize)]
struct StoredFix {
    title: String,
    is_safe: bool,
    changes: Vec<(StoredSpan, String)>,
}

impl StoredProbe {
    pub fn sort(&self) -> ProbeSort {
        match self.sort {
            0 => ProbeSort::Kind,
            1 => ProbeSort::Content,
            _ => ProbeSort::Listing,
        }
    }
}

impl StoredRun {
    /// A run; none if a finding mentions a file that was not checked.
    pub fn of(
        files: &[(Arc<SourceFile>, ContentHash)],
        probes: &[AnsweredProbe],
        findings: &[Finding],
    ) -> Option<Self> {
        let span = |span: &Span| {
            let file = files.iter().position(|(file, _)| file.path() == span.file.path())?;
            Some((file, span.range.start, span.range.end))
        };
        let finding = |finding: &Finding| {
            let fix = match &finding.fix {
                Some(fix) => Some(StoredFix {
                    title: fix.title.clone(),
                    is_safe: fix.applicability == Applicability::Safe,
                    changes: fix
                        .changes
                        .iter()
                        .map(|change| Some((span(&change.span)?, change.text.clone())))
                        .collect::<Option<_>>()?,
                }),
                None => None,
            };
            let related = finding.related.iter();
            Some(StoredFinding {
                rule: finding.rule.id.to_owned(),
                severity: finding.severity,
                message: finding.message.clone(),
                raises: finding.raises.clone(),
                primary: span(&finding.primary)?,
                related: related
                    .map(|related| Some((span(&related.span)?, related.message.clone())))
                    .collect::<Option<_>>()?,
                calls: finding.calls.iter().map(span).collect::<Option<_>>()?,
                help: finding.help.clone(),
                fix,
            })
        };
        let probe = |(path, sort, answer): &AnsweredProbe| StoredProbe {
            path: path.clone(),
            sort: match sort {
                ProbeSort::Kind => 0,
                ProbeSort::Content => 1,
                ProbeSort::Listing => 2,
            },
            answer: hex(answer),
        };
        Some(Self {
            files: files
                .iter()
                .map(|(file, hash)| StoredFile { path: file.path().to_owned(), hash: hex(hash) })
                .collect(),
            probes: probes.iter().map(probe).collect(),
            findings: findings.iter().map(finding).collect::<Option<_>>()?,
        })
    }

    /// The findings in the files of this run; none if one of them names what is not there.
    pub fn findings(self, files: &[Arc<SourceFile>]) -> Option<Vec<Finding>> {
        let span = |(file, start, end): StoredSpan| {
            let file = files.get(file)?;
            let text = file.text();
            let is_inside =
                start <= end && text.is_char_boundary(start as usize) && text.is_char_boundary(end as usize);
            is_inside.then(|| Span::new(file, TextRange::new(start, end)))
        };
        let finding = |stored: StoredFinding| {
            let mut finding = Finding::new(find_rule(&stored.rule)?, span(stored.primary)?, stored.message);
            finding.severity = stored.severity;
            finding.raises = stored.raises;
            finding.help = stored.help;
            for (place, message) in stored.related {
                finding.related.push(Related { span: span(place)?, message });
            }
            finding.calls = stored.calls.into_iter().map(span).collect::<Option<_>>()?;
            if let Some(fix) = stored.fix {
                let change = |(place, text)| Some(TextChange { span: span(place)?, text });
                let changes = fix.changes.into_iter().map(change).collect::<Option<_>>()?;
                let applicability = if fix.is_safe { Applicability::Safe } else { Applicability::Unsafe };
                finding.fix = Some(Fix { title: fix.title, applicability, changes });
            }
            Some(finding)
        };
        self.findings.into_iter().map(finding).collect()
    }
}
