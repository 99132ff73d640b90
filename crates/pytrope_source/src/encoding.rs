//! From bytes to text and back: byte order marks and PEP 263 declarations.

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
    Other(&'static encoding_rs::Encoding),
}

pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) encoding: Encoding,
    pub(crate) errors: Vec<ReadError>,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Decode a file as Python does. What does not decode is shown as U+FFFD and is an error.
pub(crate) fn decode(bytes: &[u8], kind: SourceKind) -> Decoded {
    if u32::try_from(bytes.len()).is_err() {
        return failed("file is larger than 4 GiB".into());
    }
    let bom = bytes.starts_with(BOM);
    let body = if bom { &bytes[BOM.len()..] } else { bytes };
    let declared = if kind == SourceKind::Notebook { None } else { declaration(body) };
    let codec = match declared.map(codec_of) {
        None => Codec::Utf8,
        Some(Ok(codec)) => codec,
        Some(Err(name)) => return failed(format!("unknown encoding: {name}")),
    };
    if bom && codec != Codec::Utf8 {
        return failed("encoding declaration conflicts with the UTF-8 byte order mark".into());
    }
    let (text, errors) = codec.decode(body);
    Decoded { text, encoding: Encoding { bom, codec }, errors }
}

fn failed(message: String) -> Decoded {
    let errors = vec![ReadError { range: TextRange::at(0), message }];
    Decoded { text: String::new(), encoding: Encoding::default(), errors }
}

/// The encoding named by a comment in one of the first two lines (PEP 263).
fn declaration(bytes: &[u8]) -> Option<&str> {
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

fn codec_of(name: &str) -> Result<Codec, &str> {
    let folded = name.to_ascii_lowercase().replace('_', "-");
    match folded.as_str() {
        "utf-8" | "utf8" | "utf-8-sig" | "u8" => Ok(Codec::Utf8),
        "ascii" | "us-ascii" | "646" => Ok(Codec::Ascii),
        "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "l1" => Ok(Codec::Latin1),
        other => by_label(other).map(Codec::Other).ok_or(name),
    }
}

/// The Web's label for Python's name of an encoding.
fn by_label(folded: &str) -> Option<&'static encoding_rs::Encoding> {
    let label = match folded.strip_prefix("cp125") {
        Some(rest) => format!("windows-125{rest}"),
        None => match folded {
            "cp932" | "sjis" | "shift-jis" => "shift_jis".into(),
            "cp949" => "euc-kr".into(),
            "cp936" => "gbk".into(),
            _ => folded.replace("iso8859-", "iso-8859-"),
        },
    };
    encoding_rs::Encoding::for_label(label.as_bytes()).filter(|found| found.is_ascii_compatible())
}

impl Codec {
    fn decode(&self, bytes: &[u8]) -> (String, Vec<ReadError>) {
        match self {
            Self::Utf8 => decode_utf8(bytes, "UTF-8"),
            Self::Ascii if bytes.is_ascii() => decode_utf8(bytes, "ASCII"),
            Self::Ascii => {
                let at = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0);
                let message = format!("byte 0x{:02x} is not ASCII, as the file declares", bytes[at]);
                let text = String::from_utf8_lossy(bytes).into_owned();
                (text, vec![ReadError { range: TextRange::at(at as u32), message }])
            }
            Self::Latin1 => (bytes.iter().map(|&b| char::from(b)).collect(), Vec::new()),
            Self::Other(encoding) => {
                let (text, _, bad) = encoding.decode(bytes);
                let at = text.find('\u{fffd}').unwrap_or(0) as u32;
                let message = format!("bytes that are not {}, as the file declares", encoding.name());
                let error = ReadError { range: TextRange::at(at), message };
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
            (text, vec![ReadError { range, message }])
        }
    }
}

impl Encoding {
    /// The bytes of a text in this encoding.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, String> {
        let mut bytes = if self.bom { BOM.to_vec() } else { Vec::new() };
        match &self.codec {
            Codec::Utf8 => bytes.extend_from_slice(text.as_bytes()),
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
        let decoded = decode(bytes, SourceKind::Module);
        assert_eq!(decoded.errors, []);
        assert_eq!(decoded.encoding.encode(&decoded.text).as_deref(), Ok(bytes));
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
        assert!(round_trip(b"# coding: shift_jis\ns = '\x82\xa0'").contains('あ'));
    }

    #[test]
    fn a_declaration_after_code_is_a_comment() {
        assert_eq!(round_trip(b"x = 1\n# coding: nonsense\n"), "x = 1\n# coding: nonsense\n");
    }

    #[test]
    fn bad_bytes_and_names_are_errors() {
        let bad = decode(b"x = '\xff'\n", SourceKind::Module);
        assert_eq!(bad.errors.len(), 1);
        assert_eq!(bad.errors[0].range.start, 5);
        assert!(bad.errors[0].message.contains("0xff"));
        let unknown = decode(b"# coding: klingon\n", SourceKind::Module);
        assert_eq!(unknown.errors[0].message, "unknown encoding: klingon");
        let clash = decode(b"\xef\xbb\xbf# coding: latin-1\n", SourceKind::Module);
        assert!(clash.errors[0].message.contains("conflicts"));
    }
}
