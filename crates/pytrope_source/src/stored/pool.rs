//! A pool of nodes that is whole in memory, or stored and read block by block.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::OnceLock;

use super::{Stored, StoredReader, Writer};

/// How many nodes are read at once.
const BLOCK: usize = 32;

/// Nodes by number.
#[derive(Clone)]
pub(crate) struct Pool<T> {
    nodes: Vec<T>,
    stored: Option<Box<Blocks<T>>>,
}

#[derive(Clone)]
struct Blocks<T> {
    len: usize,
    /// Where each block starts in the data.
    starts: Vec<u32>,
    data: &'static [u8],
    read: Box<[OnceLock<Box<[T]>>]>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { nodes: Vec::new(), stored: None }
    }
}

impl<T> Pool<T> {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() + self.stored.as_ref().map_or(0, |blocks| blocks.len)
    }

    pub(crate) fn push(&mut self, node: T) {
        self.nodes.push(node);
    }

    /// Empties the pool and keeps its room.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
    }
}

impl<T: Stored> Blocks<T> {
    fn get(&self, at: usize) -> &T {
        let block = self.read[at / BLOCK].get_or_init(|| self.block(at / BLOCK).expect("what was written can be read"));
        &block[at % BLOCK]
    }

    #[cold]
    fn block(&self, number: usize) -> Option<Box<[T]>> {
        let mut from = StoredReader { bytes: self.data.get(self.starts[number] as usize..)? };
        let len = BLOCK.min(self.len - number * BLOCK);
        let mut nodes = Vec::with_capacity(len);
        for _ in 0..len {
            nodes.push(T::read(&mut from)?);
        }
        Some(nodes.into_boxed_slice())
    }
}

impl<T: Stored> Pool<T> {
    /// Reads all that is stored: nodes are found faster in one piece.
    pub(crate) fn read_whole(&mut self) -> Option<()> {
        let Some(blocks) = self.stored.take() else { return Some(()) };
        let mut from = StoredReader { bytes: blocks.data };
        self.nodes.reserve_exact(blocks.len);
        for _ in 0..blocks.len {
            self.nodes.push(T::read(&mut from)?);
        }
        Some(())
    }
}

impl<T: Stored> Index<usize> for Pool<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        match (self.nodes.get(at), &self.stored) {
            (Some(node), _) => node,
            (None, Some(blocks)) => blocks.get(at),
            (None, None) => panic!("there is no node {at}"),
        }
    }
}

impl<T: Stored> IndexMut<usize> for Pool<T> {
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.nodes[at]
    }
}

impl<T: Stored + fmt::Debug> fmt::Debug for Pool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.len()).map(|at| &self[at])).finish()
    }
}

impl<T: Stored> Stored for Pool<T> {
    fn write(&self, out: &mut Writer) {
        let mut data = Writer { bytes: Vec::new() };
        let mut starts = Vec::new();
        for at in 0..self.len() {
            if at % BLOCK == 0 {
                starts.push(data.bytes.len() as u32);
            }
            self[at].write(&mut data);
        }
        out.word(self.len() as u32);
        starts.write(out);
        out.piece(&data.bytes);
    }

    fn read(from: &mut StoredReader) -> Option<Self> {
        let len = from.word()? as usize;
        let starts = Vec::read(from)?;
        let data = from.piece()?;
        let blocks = len.div_ceil(BLOCK);
        (starts.len() == blocks).then_some(())?;
        let read = std::iter::repeat_with(OnceLock::new).take(blocks).collect();
        Some(Self { nodes: Vec::new(), stored: Some(Box::new(Blocks { len, starts, data, read })) })
    }
}
