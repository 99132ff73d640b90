//! What a persistent map promises, against a sorted map of the standard library.

use std::collections::BTreeMap;

use pytrope_trie::{Pair, Trie};

fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn behaves_as_a_sorted_map() {
    let mut seed = 42;
    let mut trie = Trie::new();
    let mut map = BTreeMap::new();
    for _ in 0..4000 {
        let key = random(&mut seed) % 600;
        if random(&mut seed).is_multiple_of(3) {
            trie.remove(key);
            map.remove(&key);
        } else {
            let value = random(&mut seed);
            trie.insert(key, value);
            map.insert(key, value);
        }
        assert_eq!(trie.get(key), map.get(&key));
    }
    let pairs: Vec<_> = trie.iter().map(|(k, v)| (k, *v)).collect();
    assert_eq!(pairs, map.into_iter().collect::<Vec<_>>());
}

#[test]
fn the_whole_range_of_keys_is_taken() {
    let keys = [0, 1, 2, 3, 4, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, 1 << 62, 1 << 32, (5 << 32) + 999];
    let mut trie = Trie::new();
    for key in keys {
        trie.insert(key, key);
    }
    assert!(keys.iter().all(|key| trie.get(*key) == Some(key)));
    let other = trie.clone();
    for key in keys {
        trie.remove(key);
        assert_eq!(trie.get(key), None);
    }
    assert!(trie.is_empty());
    assert_eq!(other.len(), keys.len());
    let joined = Trie::join(&trie, &other, &(0..0), &mut |_, _, _| None, &mut |_, value| Some(*value));
    assert!(joined == other);
}

#[test]
fn a_join_has_the_entries_of_both() {
    let mut seed = 99;
    for _ in 0..50 {
        let mut base = Trie::new();
        for _ in 0..100 {
            base.insert(random(&mut seed) % 500, 1u64);
        }
        let (mut a, mut b) = (base.clone(), base);
        for _ in 0..20 {
            a.insert(random(&mut seed) % 500, 2);
            b.insert(random(&mut seed) % 500, 4);
        }
        let joined = Trie::join(&a, &b, &(250..500), &mut |_, x, y| Some(x | y), &mut |_, x| Some(x + 100));
        for key in 0..500 {
            let expected = match (a.get(key), b.get(key)) {
                (Some(x), Some(y)) => Some(x | y),
                (Some(x), None) | (None, Some(x)) => Some(*x),
                (None, None) => None,
            };
            let found = joined.get(key).map(|value| value % 100);
            assert_eq!(found, expected, "{key}");
        }
    }
}

#[test]
fn differences_are_all_seen() {
    let mut seed = 7;
    for _ in 0..50 {
        let mut base = Trie::new();
        for _ in 0..200 {
            base.insert(random(&mut seed) % 1000, 0u64);
        }
        let (mut a, mut b) = (base.clone(), base);
        for i in 0..20 {
            a.insert(random(&mut seed) % 1000, i);
            b.insert(random(&mut seed) % 1000, i + 100);
            b.remove(random(&mut seed) % 1000);
        }
        let mut expected = BTreeMap::new();
        for key in 0..1000 {
            if a.get(key) != b.get(key) {
                expected.insert(key, (a.get(key).copied(), b.get(key).copied()));
            }
        }
        let mut seen = BTreeMap::new();
        a.for_each_difference(&b, &mut |key, pair| {
            let pair = match pair {
                Pair::Left(v) => (Some(*v), None),
                Pair::Right(v) => (None, Some(*v)),
                Pair::Both(v, w) => (Some(*v), Some(*w)),
            };
            if pair.0 != pair.1 {
                seen.insert(key, pair);
            }
        });
        assert_eq!(seen, expected);
    }
}
