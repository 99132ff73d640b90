//! Allocation sites: while a loop is widened, the same place of the program gets the same address in each pass.

use rustc_hash::FxHashMap;

use crate::interp::Interp;
use crate::object::Object;
use crate::value::Addr;

/// Allocation while some loop is widened: the same site gets the same address in each pass.
#[derive(Clone, Default)]
pub(crate) struct AllocSites {
    /// How many loops are being widened.
    pub depth: u32,
    memo: FxHashMap<(u64, u32), Addr>,
    counts: FxHashMap<u64, u32>,
    /// How many pieces of code are open that run once and stand for many runs.
    pub(crate) open_iterations: u32,
    /// What has been made in them.
    pub(super) made: Vec<Addr>,
}

/// How often each place had made something before a pass.
pub(crate) struct SiteCounts(FxHashMap<u64, u32>);

impl Interp<'_> {
    /// Puts a new object on the heap.
    pub fn allocate_object(&mut self, object: Object) -> Addr {
        if self.run.sites.open_iterations == 0 {
            let addr = self.next_address_here();
            self.run.state.set(addr, object);
            return addr;
        }
        let addr = if self.run.sites.depth == 0 { self.next_address_here() } else { self.address_of_site() };
        self.run.sites.made.push(addr);
        self.run.state.set(addr, object);
        addr
    }

    /// An address of which no object is known yet.
    pub(crate) fn reserve_address(&mut self) -> Addr {
        self.next_address_here()
    }

    fn next_address_here(&mut self) -> Addr {
        let addr = Addr::new(self.analysis.module, self.run.addresses.next);
        self.run.addresses.next += 1;
        addr
    }

    /// The address that this place of the program had in earlier passes of the loop, or a new one.
    fn address_of_site(&mut self) -> Addr {
        let (path, node) = match self.run.frames.last() {
            Some(frame) => (frame.path, (u64::from(frame.node.start) << 32) | u64::from(frame.node.end)),
            None => (0, 0),
        };
        let site = path.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ node.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let count = self.run.sites.counts.entry(site).or_default();
        *count += 1;
        let key = (site, *count);
        match self.run.sites.memo.get(&key) {
            Some(addr) if self.run.state.get(*addr).is_none() => *addr,
            _ => {
                let addr = self.next_address_here();
                self.run.sites.memo.insert(key, addr);
                addr
            }
        }
    }

    /// Addresses that are given out without [`Self::allocate_object`].
    pub(crate) fn record_made(&mut self, first: Addr, count: u32) {
        if self.run.sites.open_iterations > 0 {
            self.run.sites.made.extend((0..count).map(|number| Addr(first.0 + u64::from(number))));
        }
    }

    pub(crate) fn enter_widened(&mut self) -> SiteCounts {
        self.run.sites.depth += 1;
        SiteCounts(self.run.sites.counts.clone())
    }

    pub(crate) fn restart_counts(&mut self, counts: &SiteCounts) {
        self.run.sites.counts.clone_from(&counts.0);
    }

    pub(crate) fn leave_widened(&mut self) {
        self.run.sites.depth -= 1;
        if self.run.sites.depth == 0 {
            self.run.sites.memo.clear();
            self.run.sites.counts.clear();
        }
    }
}
