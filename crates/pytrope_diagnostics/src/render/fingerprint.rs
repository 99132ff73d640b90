//! Fingerprints that stay the same when a finding moves to another line.

use std::collections::HashMap;

use super::RenderContext;
use crate::Finding;
use crate::place::{display_path, line_text};

/// One fingerprint per finding, distinct within a run: path, rule and text of the line, then a count of those alike.
pub(super) fn fingerprints(findings: &[Finding], context: &RenderContext) -> Vec<String> {
    let mut seen: HashMap<u64, u32> = HashMap::new();
    findings
        .iter()
        .map(|finding| {
            let path = display_path(finding.primary.file.path(), &context.base);
            let text = line_text(&finding.primary).trim();
            let base = fnv(&[path.as_bytes(), finding.rule.code.as_bytes(), text.as_bytes()]);
            let count = seen.entry(base).or_default();
            *count += 1;
            format!("{:016x}", fnv(&[&base.to_le_bytes(), &count.to_le_bytes()]))
        })
        .collect()
}

/// FNV-1a over parts, each closed by a byte that UTF-8 never contains.
fn fnv(parts: &[&[u8]]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in parts.iter().flat_map(|part| part.iter().chain(&[0xff])) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}
