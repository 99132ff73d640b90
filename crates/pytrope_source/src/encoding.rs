//! From bytes to text and back: byte order marks and PEP 263 declarations.
//!
//! Every name that CPython accepts is accepted. Encodings of one byte come from its own tables; those of several bytes from
//! `encoding_rs`, whose tables differ from CPython's at the margin, so that bytes it refuses are a limit of ours and no error of the
//! file. The few that shift between alphabets are read only where the file is ASCII.

mod names;
mod tables;

use names::NAMES;
use tables::TABLES;

use crate::source_file::{ReadError, SourceKind};
use crate::text::TextRange;

/// How a file's text is stored, so that a rewrite can keep it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoding {
    bom: bool,
    codec: Codec,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Codec {
    #[default]
    Utf8,
    Ascii,
    /// ISO 8859-1 proper, which the Web's tables replace by Windows-1252.
    Latin1,
    /// One byte per character; the entry of [`TABLES`].
    Table(usize),
    Other(&'static encoding_rs::Encoding),
    /// An encoding that is ASCII unless one of these bytes occurs; its name.
    Shifting(&'static str, &'static [u8]),
}

pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) encoding: Encoding,
    pub(crate) errors: Vec<ReadError>,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Decode a file as Python does. What does not decode is shown as U+FFFD and is an error.
pub(crate) fn decode_source(bytes: &[u8], kind: SourceKind) -> Decoded {
    if u32::try_from(bytes.len()).is_err() {
        let errors = vec![ReadError::limit(TextRange::at(0), "the file is larger than 4 GiB".into())];
        return Decoded { text: String::new(), encoding: Encoding::default(), errors };
    }
    let bom = bytes.starts_with(BOM);
    let body = if bom { &bytes[BOM.len()..] } else { bytes };
    let declared = if kind == SourceKind::Notebook { None } else { declared_encoding(body) };
    let codec = match declared.map(codec_of) {
        None => Codec::Utf8,
        Some(Ok(codec)) => codec,
        Some(Err(name)) => return failed_decoding(format!("unknown encoding: {name}")),
    };
    if bom && codec != Codec::Utf8 {
        return failed_decoding("encoding declaration conflicts with the UTF-8 byte order mark".into());
    }
    let (text, errors) = codec.decode_bytes(body);
    Decoded { text, encoding: Encoding { bom, codec }, errors }
}

fn failed_decoding(message: String) -> Decoded {
    let errors = vec![ReadError::new(TextRange::at(0), message)];
    Decoded { text: String::new(), encoding: Encoding::default(), errors }
}

/// The encoding named by a comment in one of the first two lines (PEP 263).
fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    let mut lines = bytes.split(|&b| b == b'\n' || b == b'\r').filter(|line| !line.is_empty());
    for line in lines.by_ref().take(2) {
        let line = line.strip_prefix(b"\x0c").unwrap_or(line);
        let start = line.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\x0c'))?;
        if line[start] != b'#' {
            return None;
        }
        if let Some(name) = coding_in(&line[start..]) {
            return Some(name);
        }
    }
    None
}

/// `coding[:=]\s*([-\w.]+)` in a comment.
fn coding_in(comment: &[u8]) -> Option<&str> {
    let mut rest = comment;
    loop {
        let at = rest.windows(6).position(|w| w == b"coding")?;
        rest = &rest[at + 6..];
        let Some((b':' | b'=', tail)) = rest.split_first() else {
            continue;
        };
        let tail = tail.trim_ascii_start();
        let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
        let len = tail.iter().take_while(|b| word(b)).count();
        if len > 0 {
            return std::str::from_utf8(&tail[..len]).ok();
        }
    }
}

/// Codecs that an installed package registers when Python starts: `future-fstrings` reads UTF-8 and translates f-strings.
const REGISTERED: [&str; 2] = ["fstrings", "future_fstrings"];

/// The codec of a declared name. Editors append the kind of line ends (`utf-8-unix`), which CPython allows for two encodings.
fn codec_of(name: &str) -> Result<Codec, &str> {
    let folded: String = name.chars().take(12).map(|c| if c == '_' { '-' } else { c.to_ascii_lowercase() }).collect();
    let is =
        |encoding: &str| folded.strip_prefix(encoding).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    if is("utf-8") {
        return Ok(Codec::Utf8);
    }
    if is("latin-1") || is("iso-8859-1") || is("iso-latin-1") {
        return Ok(Codec::Latin1);
    }
    let mut folded = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        if c != '_' || !folded.ends_with('_') {
            folded.push(c);
        }
    }
    let folded = folded.trim_matches('_');
    if REGISTERED.contains(&folded) {
        return Ok(Codec::Utf8);
    }
    let known = NAMES.iter().find(|(_, aliases)| aliases.split(' ').any(|alias| alias == folded));
    known.map(|&(codec, _)| codec_by_name(codec)).ok_or(name)
}

/// The codec that CPython calls so.
fn codec_by_name(name: &'static str) -> Codec {
    if let Some(at) = TABLES.iter().position(|(codec, _)| *codec == name) {
        return Codec::Table(at);
    }
    match name {
        "utf-8" | "utf-8-sig" => Codec::Utf8,
        "ascii" => Codec::Ascii,
        "iso8859-1" | "charmap" => Codec::Latin1,
        "big5" | "big5hkscs" | "cp950" => Codec::Other(encoding_rs::BIG5),
        "cp932" | "shift_jis" | "shift_jis_2004" | "shift_jisx0213" => Codec::Other(encoding_rs::SHIFT_JIS),
        "cp949" | "euc_kr" => Codec::Other(encoding_rs::EUC_KR),
        "euc_jp" | "euc_jis_2004" | "euc_jisx0213" => Codec::Other(encoding_rs::EUC_JP),
        "gb18030" => Codec::Other(encoding_rs::GB18030),
        "gb2312" | "gbk" => Codec::Other(encoding_rs::GBK),
        "hz" => Codec::Shifting(name, b"~"),
        "utf-7" => Codec::Shifting(name, b"+"),
        "unicode-escape" | "raw-unicode-escape" => Codec::Shifting(name, b"\\"),
        _ => Codec::Shifting(name, b"\x0e\x0f\x1b"),
    }
}

impl Codec {
    fn decode_bytes(&self, bytes: &[u8]) -> (String, Vec<ReadError>) {
        match self {
            Self::Utf8 => decode_utf8(bytes, "UTF-8"),
            Self::Ascii if bytes.is_ascii() => decode_utf8(bytes, "ASCII"),
            Self::Ascii => {
                let at = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0);
                let message = format!("byte 0x{:02x} is not ASCII, as the file declares", bytes[at]);
                let text = String::from_utf8_lossy(bytes).into_owned();
                (text, vec![ReadError::new(TextRange::at(at as u32), message)])
            }
            Self::Table(table) => decode_bytes(bytes, TABLES[*table]),
            Self::Shifting(name, shifts) => match bytes.iter().position(|b| !b.is_ascii() || shifts.contains(b)) {
                None => decode_utf8(bytes, name),
                Some(at) => {
                    let error = ReadError::limit(TextRange::at(at as u32), format!("text in {name} is not read"));
                    (String::new(), vec![ReadError { range: TextRange::at(0), ..error }])
                }
            },
            Self::Latin1 => (bytes.iter().map(|&b| char::from(b)).collect(), Vec::new()),
            Self::Other(encoding) => {
                let (text, _, bad) = encoding.decode(bytes);
                let at = text.find('\u{fffd}').unwrap_or(0) as u32;
                let message = format!("bytes that are not read as {}, which the file declares", encoding.name());
                let error = ReadError::limit(TextRange::at(at), message);
                (text.into_owned(), if bad { vec![error] } else { Vec::new() })
            }
        }
    }
}

fn decode_utf8(bytes: &[u8], name: &str) -> (String, Vec<ReadError>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), Vec::new()),
        Err(error) => {
            let at = error.valid_up_to();
            let message = format!(
                "byte 0x{:02x} is not {name}; declare the encoding (PEP 263) or save the file as UTF-8",
                bytes[at]
            );
            let text = String::from_utf8_lossy(bytes).into_owned();
            let range = TextRange::new(at as u32, at as u32 + '\u{fffd}'.len_utf8() as u32);
            (text, vec![ReadError::new(range, message)])
        }
    }
}

/// Text in an encoding of one byte per character.
fn decode_bytes(bytes: &[u8], (name, high): (&str, &str)) -> (String, Vec<ReadError>) {
    let high: Vec<char> = high.chars().collect();
    let mut text = String::with_capacity(bytes.len());
    let mut errors = Vec::new();
    for &byte in bytes {
        let c = if byte.is_ascii() { char::from(byte) } else { high[usize::from(byte) - 0x80] };
        if c == '\u{fffd}' && errors.is_empty() {
            let message = format!("byte 0x{byte:02x} is not {name}, as the file declares");
            errors.push(ReadError::new(TextRange::at(text.len() as u32), message));
        }
        text.push(c);
    }
    (text, errors)
}

impl Encoding {
    /// The bytes of a text in this encoding.
    pub fn encode_text(&self, text: &str) -> Result<Vec<u8>, String> {
        let mut bytes = if self.bom { BOM.to_vec() } else { Vec::new() };
        match &self.codec {
            Codec::Utf8 => bytes.extend_from_slice(text.as_bytes()),
            Codec::Table(table) => {
                let (name, high) = TABLES[*table];
                for c in text.chars() {
                    let at = if c.is_ascii() { Some(c as usize) } else { high.chars().position(|other| other == c) };
                    let byte = at.filter(|_| c != '\u{fffd}').map(|at| if c.is_ascii() { at } else { at + 0x80 });
                    match byte.and_then(|byte| u8::try_from(byte).ok()) {
                        Some(byte) => bytes.push(byte),
                        None => return Err(format!("{c:?} cannot be written in {name}")),
                    }
                }
            }
            Codec::Shifting(name, shifts) => {
                if text.bytes().any(|b| !b.is_ascii() || shifts.contains(&b)) {
                    return Err(format!("the new text cannot be written in {name}"));
                }
                bytes.extend_from_slice(text.as_bytes());
            }
            Codec::Ascii | Codec::Latin1 => {
                let limit = if self.codec == Codec::Ascii { 0x7f } else { 0xff };
                for c in text.chars() {
                    match u8::try_from(u32::from(c)) {
                        Ok(byte) if byte <= limit => bytes.push(byte),
                        _ => return Err(format!("{c:?} cannot be written in the file's encoding")),
                    }
                }
            }
            Codec::Other(encoding) => {
                let (encoded, _, bad) = encoding.encode(text);
                if bad {
                    return Err(format!("the new text cannot be written as {}", encoding.name()));
                }
                bytes.extend_from_slice(&encoded);
            }
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(bytes: &[u8]) -> String {
        let decoded = decode_source(bytes, SourceKind::Module);
        assert_eq!(decoded.errors, []);
        assert_eq!(decoded.encoding.encode_text(&decoded.text).as_deref(), Ok(bytes));
        decoded.text
    }

    #[test]
    fn declared_encodings_round_trip() {
        assert_eq!(round_trip(b"# -*- coding: latin-1 -*-\nx = '\xe9'\n"), "# -*- coding: latin-1 -*-\nx = 'é'\n");
        assert_eq!(
            round_trip(b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'\x80'"),
            "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'€'"
        );
        assert_eq!(round_trip(b"\xef\xbb\xbfx = 1"), "x = 1");
        assert!(round_trip(b"# coding: cp850\n'\x82\xe1'\n").contains("'éß'"));
        assert!(round_trip(b"# coding: mac_roman\n'\x8e'\n").contains("'é'"));
        assert!(round_trip(b"# -*- coding: utf-8-unix -*-\n'\xc3\xa9'\n").contains("'é'"));
        assert!(round_trip(b"# coding: ISO-2022-JP\nx = 1\n").contains("x = 1"));
        assert!(round_trip(b"# coding: shift_jis\ns = '\x82\xa0'").contains('あ'));
    }

    #[test]
    fn every_name_of_python_is_known() {
        for (codec, aliases) in NAMES {
            for alias in aliases.split(' ') {
                for name in [alias.to_owned(), alias.replace('_', "-"), alias.to_uppercase()] {
                    let text = format!("# coding: {name}\nx = 1\n");
                    let decoded = decode_source(text.as_bytes(), SourceKind::Module);
                    assert_eq!((decoded.errors, decoded.text), (vec![], text), "{name}, an alias of {codec}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_read_is_a_limit_of_ours() {
        let decoded = decode_source(b"# coding: iso2022_jp\n'\x1b$B$\"\x1b(B'\n", SourceKind::Module);
        assert!(decoded.errors[0].is_limit, "{:?}", decoded.errors);
        let decoded = decode_source(b"# coding: cp857\n'\xd5'\n", SourceKind::Module);
        assert!(decoded.errors.iter().all(|error| !error.is_limit));
    }

    #[test]
    fn a_declaration_after_code_is_a_comment() {
        assert_eq!(round_trip(b"x = 1\n# coding: nonsense\n"), "x = 1\n# coding: nonsense\n");
    }

    #[test]
    fn bad_bytes_and_names_are_errors() {
        let bad = decode_source(b"x = '\xff'\n", SourceKind::Module);
        assert_eq!(bad.errors.len(), 1);
        assert_eq!(bad.errors[0].range.start, 5);
        assert!(bad.errors[0].message.contains("0xff"));
        let unknown = decode_source(b"# coding: klingon\n", SourceKind::Module);
        assert_eq!(unknown.errors[0].message, "unknown encoding: klingon");
        let clash = decode_source(b"\xef\xbb\xbf# coding: latin-1\n", SourceKind::Module);
        assert!(clash.errors[0].message.contains("conflicts"));
    }
}
