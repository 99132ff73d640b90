//! Where values stand in a JSON text: enough to replace some and leave every other byte as it is.

/// A JSON value with the byte range it was read from.
#[derive(Debug, Clone)]
pub(crate) struct Json {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) value: JsonValue,
}

#[derive(Debug, Clone)]
pub(crate) enum JsonValue {
    Object(Vec<(String, Json)>),
    Array(Vec<Json>),
    String(String),
    /// A number, `true`, `false` or `null`.
    Other,
}

impl Json {
    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        match &self.value {
            JsonValue::Object(fields) => fields.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.value {
            JsonValue::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&[Json]> {
        match &self.value {
            JsonValue::Array(items) => Some(items),
            _ => None,
        }
    }
}

/// Nesting deeper than this is refused: no notebook needs it, and the reader recurses.
const DEPTH: usize = 200;

/// Read a whole text; the error is an offset and what was expected there.
pub(crate) fn read(text: &str) -> Result<Json, (usize, &'static str)> {
    let mut reader = JsonReader { text, at: 0 };
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.at < text.len() {
        return Err((reader.at, "end of file"));
    }
    Ok(value)
}

struct JsonReader<'a> {
    text: &'a str,
    at: usize,
}

impl JsonReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expect_byte(&mut self, byte: u8, what: &'static str) -> Result<(), (usize, &'static str)> {
        self.skip_space();
        if self.peek() != Some(byte) {
            return Err((self.at, what));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Json, (usize, &'static str)> {
        if depth > DEPTH {
            return Err((self.at, "less nesting"));
        }
        self.skip_space();
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => JsonValue::Object(self.read_object(depth)?),
            Some(b'[') => JsonValue::Array(self.array(depth)?),
            Some(b'"') => JsonValue::String(self.string()?),
            Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.');
                while self.peek().is_some_and(word) {
                    self.at += 1;
                }
                JsonValue::Other
            }
            _ => return Err((self.at, "a JSON value")),
        };
        Ok(Json { start, end: self.at, value })
    }

    fn read_object(&mut self, depth: usize) -> Result<Vec<(String, Json)>, (usize, &'static str)> {
        self.at += 1;
        let mut fields = Vec::new();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(fields);
        }
        loop {
            self.skip_space();
            let key = self.string()?;
            self.expect_byte(b':', "':'")?;
            fields.push((key, self.value(depth + 1)?));
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                _ => return self.expect_byte(b'}', "',' or '}'").map(|()| fields),
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Json>, (usize, &'static str)> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                _ => return self.expect_byte(b']', "',' or ']'").map(|()| items),
            }
        }
    }

    fn string(&mut self) -> Result<String, (usize, &'static str)> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err((start, "a string"));
        }
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err((start, "the end of this string")),
                Some(b'\\') => self.at += 2,
                Some(b'"') => break,
                Some(_) => self.at += 1,
            }
        }
        let inner = self.text.get(start + 1..self.at).ok_or((start, "a string"))?;
        self.at += 1;
        unescape_string(inner).ok_or((start, "a string with proper escapes"))
    }
}

fn unescape_string(inner: &str) -> Option<String> {
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let first = read_hex4(&mut chars)?;
                if (0xd800..0xdc00).contains(&first) {
                    if (chars.next()?, chars.next()?) != ('\\', 'u') {
                        return None;
                    }
                    let second = read_hex4(&mut chars)?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
                    char::from_u32(0x10000 + ((first - 0xd800) << 10) + second)?
                } else {
                    char::from_u32(first)?
                }
            }
            other => other,
        });
    }
    Some(out)
}

fn read_hex4(chars: &mut std::str::Chars) -> Option<u32> {
    (0..4).try_fold(0, |value, _| Some(value * 16 + chars.next()?.to_digit(16)?))
}

/// A JSON string literal, with non-ASCII text as it is.
pub(crate) fn quote_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
