//! Trees and scopes as bytes that are read fast: models are parsed when the binary is built.
//!
//! Everything is a run of words of two bytes; a number that needs more follows a mark. Expressions and statements, of which
//! a program needs few, are read in blocks when first asked for ([`pool`]); the rest is read at once.

mod layouts;
pub(crate) mod pool;

use crate::scopes::ScopedTree;
use crate::tree::{List, Str};

/// A word that says that the number itself takes the next four bytes.
const LONG: u16 = u16::MAX;

pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn word(&mut self, number: u32) {
        match u16::try_from(number) {
            Ok(word) if word != LONG => self.bytes.extend(word.to_le_bytes()),
            _ => {
                self.bytes.extend(LONG.to_le_bytes());
                self.bytes.extend(number.to_le_bytes());
            }
        }
    }

    /// Bytes with their number before them.
    fn piece(&mut self, piece: &[u8]) {
        self.word(piece.len() as u32);
        self.bytes.extend(piece);
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredReader {
    bytes: &'static [u8],
}

impl StoredReader {
    #[inline]
    fn word(&mut self) -> Option<u32> {
        let (word, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        match u16::from_le_bytes(*word) {
            LONG => self.long(),
            short => Some(u32::from(short)),
        }
    }

    #[cold]
    fn long(&mut self) -> Option<u32> {
        let (number, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u32::from_le_bytes(*number))
    }

    fn piece(&mut self) -> Option<&'static [u8]> {
        let len = self.word()?;
        let (piece, rest) = self.bytes.split_at_checked(len as usize)?;
        self.bytes = rest;
        Some(piece)
    }
}

/// What can be written, and read again by the same version.
pub(crate) trait Stored: Sized {
    fn write(&self, out: &mut Writer);
    fn read(from: &mut StoredReader) -> Option<Self>;
}

impl ScopedTree {
    /// The tree and its scopes as bytes, for [`Self::from_bytes`] of the same version.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer { bytes: Vec::new() };
        self.tree.write(&mut out);
        self.scopes.write(&mut out);
        out.bytes
    }

    /// A tree that was written before; `None` for other bytes.
    pub fn from_bytes(bytes: &'static [u8]) -> Option<Self> {
        let mut from = StoredReader { bytes };
        Some(Self { tree: Stored::read(&mut from)?, scopes: Stored::read(&mut from)? })
    }

    /// The same, read to its end: who runs much of it finds nodes faster.
    pub fn from_all_bytes(bytes: &'static [u8]) -> Option<Self> {
        let mut scoped = Self::from_bytes(bytes)?;
        scoped.tree.exprs.read_whole()?;
        scoped.tree.stmts.read_whole()?;
        Some(scoped)
    }
}

impl Stored for u32 {
    fn write(&self, out: &mut Writer) {
        out.word(*self);
    }

    #[inline]
    fn read(from: &mut StoredReader) -> Option<Self> {
        from.word()
    }
}

impl Stored for bool {
    fn write(&self, out: &mut Writer) {
        out.word(u32::from(*self));
    }

    #[inline]
    fn read(from: &mut StoredReader) -> Option<Self> {
        Some(from.word()? != 0)
    }
}

impl Stored for i64 {
    fn write(&self, out: &mut Writer) {
        out.bytes.extend(self.to_le_bytes());
    }

    fn read(from: &mut StoredReader) -> Option<Self> {
        let (number, rest) = from.bytes.split_first_chunk()?;
        from.bytes = rest;
        Some(Self::from_le_bytes(*number))
    }
}

impl Stored for f64 {
    fn write(&self, out: &mut Writer) {
        (self.to_bits() as i64).write(out);
    }

    fn read(from: &mut StoredReader) -> Option<Self> {
        i64::read(from).map(|bits| Self::from_bits(bits as u64))
    }
}

impl<T: Stored> Stored for Option<T> {
    fn write(&self, out: &mut Writer) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    #[inline]
    fn read(from: &mut StoredReader) -> Option<Self> {
        Some(if bool::read(from)? { Some(T::read(from)?) } else { None })
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.word(self.len() as u32);
        for item in self {
            item.write(out);
        }
    }

    fn read(from: &mut StoredReader) -> Option<Self> {
        let len = from.word()? as usize;
        // An item takes a byte at least, so that bytes of another sort do not ask for all memory.
        let mut items = Self::with_capacity(len.min(from.bytes.len()));
        for _ in 0..len {
            items.push(T::read(from)?);
        }
        Some(items)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(from: &mut StoredReader) -> Option<Self> {
        Some((A::read(from)?, B::read(from)?))
    }
}

impl<T> Stored for List<T> {
    fn write(&self, out: &mut Writer) {
        // Where an empty list starts says nothing.
        out.word(self.len);
        if self.len > 0 {
            out.word(self.start);
        }
    }

    #[inline]
    fn read(from: &mut StoredReader) -> Option<Self> {
        let len = from.word()?;
        Some(if len > 0 { Self::new(from.word()?, len) } else { Self::EMPTY })
    }
}

/// Models write into no namespace but their own.
impl Stored for crate::scopes::Injections {
    fn write(&self, _: &mut Writer) {}

    fn read(_: &mut StoredReader) -> Option<Self> {
        Some(Self::default())
    }
}

impl Stored for crate::scopes::NameSet {
    fn write(&self, out: &mut Writer) {
        self.iter().collect::<Vec<Str>>().write(out);
    }

    fn read(from: &mut StoredReader) -> Option<Self> {
        Vec::<Str>::read(from).map(|names| names.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, parse, parse_to_store};

    #[test]
    fn every_construct_survives() {
        let text = include_str!("stored/every_construct.py");
        let file = SourceFile::from_text("every.py", text);
        let parsed = parse(&file);
        assert_eq!(parsed.errors, []);
        for tree in [parsed.tree, parse_to_store(&file)] {
            let written = ScopedTree::of(tree, &file);
            let bytes = Vec::leak(written.to_bytes());
            for read in [ScopedTree::from_bytes(bytes), ScopedTree::from_all_bytes(bytes)] {
                let read = read.expect("what was written");
                assert_eq!(format!("{:?}", read.tree), format!("{:?}", written.tree));
                assert_eq!(format!("{:?}", sorted(&read)), format!("{:?}", sorted(&written)));
            }
        }
    }

    /// What the scopes say, in an order that does not depend on hashing.
    fn sorted(tree: &ScopedTree) -> impl std::fmt::Debug {
        let scopes = &tree.scopes;
        let mut places: Vec<String> = scopes.of_stmt.iter().map(|place| format!("{place:?}")).collect();
        places.extend(scopes.of_expr.iter().map(|place| format!("{place:?}")));
        places.extend(scopes.shared.iter().map(|place| format!("{place:?}")));
        places.sort();
        let sets = [
            &scopes.global_bindings,
            &scopes.rebound_globals,
            &scopes.expected_to_fail,
            &scopes.type_parameters,
            &scopes.private,
            &scopes.volatile,
            &scopes.handed_on,
        ];
        let sets = sets.map(|set| format!("{set:?}"));
        (format!("{:?}{:?}{:?}{:?}", scopes.all, scopes.stores, scopes.classes, scopes.methods), places, sets)
    }

    #[test]
    fn other_bytes_give_nothing() {
        assert!(ScopedTree::from_bytes(b"").is_none());
        assert!(ScopedTree::from_bytes(&[7; 33]).is_none());
        assert!(ScopedTree::from_bytes(&[0xff; 300]).is_none());
    }

    #[test]
    fn long_numbers_are_marked() {
        for number in [0, 65_534, 65_535, 65_536, u32::MAX] {
            let mut out = Writer { bytes: Vec::new() };
            out.word(number);
            assert_eq!(StoredReader { bytes: Vec::leak(out.bytes) }.word(), Some(number));
        }
    }
}
