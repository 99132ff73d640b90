//! Laws of the join on random values and heaps, cycles included.

use pytrope_eval::join::{JoinPlace, Joiner, Widening};
use pytrope_eval::{Addr, BuiltinType, Object, Seq, State, Value};

const OBJECTS: u32 = 6;

/// A small generator with a fixed seed: the same cases in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }

    fn value(&mut self, depth: u32) -> Value {
        match self.next(if depth == 0 { 8 } else { 10 }) {
            0 => Value::None,
            1 => Value::Bool(self.next(2) == 0),
            2 => Value::Int(self.next(3) as i64),
            3 => Value::Float(self.next(2) as f64),
            4 => Value::str(["a", "b"][self.next(2) as usize]),
            5 => Value::Top(BuiltinType::Float),
            6 => Value::Obj(Addr::new(1, 2_000 + self.next(u64::from(OBJECTS)) as u32)),
            7 => Value::UnknownNotNone(pytrope_eval::Reason::Operand),
            8 => Value::tuple((0..self.next(3)).map(|_| self.value(depth - 1)).collect()),
            _ => Value::Unknown(pytrope_eval::Reason::Operand),
        }
    }

    /// Every address holds a list whose items may be any of the lists, itself included.
    fn state(&mut self) -> State {
        let mut state = State::default();
        for number in 0..OBJECTS {
            let items = (0..self.next(4)).map(|_| self.value(1)).collect();
            state.set(Addr::new(1, 2_000 + number), Object::List(Seq::exact(items)));
        }
        state
    }
}

fn nothing_frozen(_: Addr) -> Option<Object> {
    None
}

fn join(a: &State, b: &State) -> State {
    Joiner::new(&nothing_frozen, 0..u64::MAX).join_states(a, b)
}

fn join_values(a: &Value, b: &Value) -> Value {
    Joiner::new(&nothing_frozen, 0..u64::MAX).join_values(JoinPlace(1), a, b)
}

/// Whether every alternative of one value is one of the other's, or covered by it.
fn covers(general: &Value, special: &Value) -> bool {
    if general == special || matches!(general, Value::Unknown(_)) {
        return true;
    }
    match (general, special) {
        (_, Value::Union(parts)) => parts.iter().all(|part| covers(general, part)),
        (Value::Union(parts), _) => parts.iter().any(|part| covers(part, special)),
        (Value::UnknownNotNone(_), _) => special.excludes_none(),
        (Value::Top(kind), _) => special.kind() == Some(*kind),
        (Value::Dim(_), _) => special.kind() == Some(BuiltinType::Int),
        (Value::SymbolicBool(_), _) => special.kind() == Some(BuiltinType::Bool),
        (Value::Tuple(Seq::Exact(x)), Value::Tuple(Seq::Exact(y))) => {
            x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| covers(x, y))
        }
        (Value::Tuple(Seq::Open(open)), Value::Tuple(Seq::Exact(items))) => {
            items.iter().enumerate().all(|(at, item)| covers(open.prefix.get(at).unwrap_or(&open.element), item))
        }
        _ => false,
    }
}

#[test]
fn a_value_joined_with_itself_is_itself() {
    let mut random = Random(1);
    for _ in 0..2_000 {
        let value = random.value(3);
        assert_eq!(join_values(&value, &value), value);
    }
}

#[test]
fn the_join_covers_both_values() {
    let mut random = Random(2);
    for _ in 0..5_000 {
        let (a, b) = (random.value(2), random.value(2));
        let joined = join_values(&a, &b);
        assert!(covers(&joined, &a), "{joined:?} does not cover {a:?}");
        assert!(covers(&joined, &b), "{joined:?} does not cover {b:?}");
    }
}

#[test]
fn the_join_of_three_values_covers_all_in_any_order() {
    let mut random = Random(3);
    for _ in 0..3_000 {
        let (a, b, c) = (random.value(1), random.value(1), random.value(1));
        for joined in [
            join_values(&join_values(&a, &b), &c),
            join_values(&a, &join_values(&b, &c)),
            join_values(&join_values(&c, &a), &b),
        ] {
            assert!([&a, &b, &c].iter().all(|value| covers(&joined, value)), "{joined:?}: {a:?}, {b:?}, {c:?}");
        }
    }
}

#[test]
fn a_heap_joined_with_itself_is_itself() {
    let mut random = Random(4);
    for _ in 0..300 {
        let state = random.state();
        assert!(join(&state, &state.clone()).heap == state.heap);
    }
}

#[test]
fn the_join_of_heaps_covers_both_item_by_item() {
    let mut random = Random(5);
    for _ in 0..500 {
        let (a, b) = (random.state(), random.state());
        let joined = join(&a, &b);
        for number in 0..OBJECTS {
            let addr = Addr::new(1, 2_000 + number);
            for side in [&a, &b] {
                let (Some(Object::List(general)), Some(Object::List(Seq::Exact(items)))) =
                    (joined.get(addr), side.get(addr))
                else {
                    panic!("both sides have the list");
                };
                for (at, item) in items.iter().enumerate() {
                    let covered = match general {
                        Seq::Exact(all) => covers(&all[at], item),
                        Seq::Open(open) => covers(open.prefix.get(at).unwrap_or(&open.element), item),
                    };
                    assert!(covered, "item {at} of list {number}: {general:?} does not cover {item:?}");
                }
            }
        }
    }
}

#[test]
fn joining_again_changes_nothing() {
    let mut random = Random(6);
    for _ in 0..300 {
        let (a, b) = (random.state(), random.state());
        let once = join(&a, &b);
        let twice = join(&once, &once.clone());
        assert!(twice.heap == once.heap);
    }
}

/// The order of states: one is below another if joining it in changes nothing.
fn is_below(a: &State, b: &State) -> bool {
    join(b, a).heap == b.heap
}

#[test]
fn states_are_ordered_by_their_join() {
    let mut random = Random(7);
    for _ in 0..300 {
        let (a, b, c) = (random.state(), random.state(), random.state());
        assert!(is_below(&a, &a), "the order is reflexive");
        let ab = join(&a, &b);
        assert!(is_below(&ab, &ab));
        let abc = join(&ab, &c);
        // a ⊑ a ⊔ b and a ⊔ b ⊑ a ⊔ b ⊔ c: what is below the first is below the second.
        for addr in (0..OBJECTS).map(|number| Addr::new(1, 2_000 + number)) {
            for below in [&a, &b, &c] {
                assert!(covers_object(abc.get(addr), below.get(addr)), "the join of three covers each");
            }
        }
        if is_below(&a, &b) && is_below(&b, &a) {
            assert!(a.heap == b.heap, "the order is antisymmetric");
        }
    }
}

fn covers_object(general: Option<&Object>, special: Option<&Object>) -> bool {
    let (Some(Object::List(general)), Some(Object::List(Seq::Exact(items)))) = (general, special) else { return false };
    items.iter().enumerate().all(|(at, item)| match general {
        Seq::Exact(all) => all.len() == items.len() && covers(&all[at], item),
        Seq::Open(open) => covers(open.prefix.get(at).unwrap_or(&open.element), item),
    })
}

#[test]
fn joins_in_either_order_cover_the_same() {
    let mut random = Random(8);
    for _ in 0..300 {
        let (a, b) = (random.state(), random.state());
        let (ab, ba) = (join(&a, &b), join(&b, &a));
        for addr in (0..OBJECTS).map(|number| Addr::new(1, 2_000 + number)) {
            for side in [&a, &b] {
                assert!(covers_object(ab.get(addr), side.get(addr)) && covers_object(ba.get(addr), side.get(addr)));
            }
        }
    }
}

#[test]
fn widening_covers_and_ends() {
    let mut random = Random(9);
    for _ in 0..200 {
        let mut widening = Widening { first_symbol: symbols_mark(), ..Widening::default() };
        let mut head = random.state();
        let mut steps = 0;
        // New states keep coming, as from the back edge of a loop, until nothing changes for a while.
        let mut calm = 0;
        while calm < 8 {
            steps += 1;
            widening.force_top = steps > 6;
            let back = random.state();
            let mut joiner = Joiner::new(&nothing_frozen, 0..u64::MAX);
            joiner.widening = Some(&mut widening);
            let next = joiner.join_states(&head, &back);
            for addr in (0..OBJECTS).map(|number| Addr::new(1, 2_000 + number)) {
                assert!(covers_object(next.get(addr), back.get(addr)), "widening covers the back edge");
            }
            calm = if next.heap == head.heap { calm + 1 } else { 0 };
            head = next;
            assert!(steps < 200, "widening ends: {head:?}", head = head.get(Addr::new(1, 2_000)));
        }
    }
}

#[test]
fn a_list_that_holds_itself_joins_and_widens() {
    let addr = Addr::new(1, 2_000);
    let mut cyclic = State::default();
    cyclic.set(addr, Object::List(Seq::exact(vec![Value::Obj(addr)])));
    let mut flat = State::default();
    flat.set(addr, Object::List(Seq::exact(vec![Value::Int(1)])));
    let joined = join(&cyclic, &flat);
    assert!(covers_object(joined.get(addr), cyclic.get(addr)) && covers_object(joined.get(addr), flat.get(addr)));
    let mut widening = Widening { first_symbol: symbols_mark(), ..Widening::default() };
    let mut joiner = Joiner::new(&nothing_frozen, 0..u64::MAX);
    joiner.widening = Some(&mut widening);
    let widened = joiner.join_states(&joined, &cyclic);
    assert!(covers_object(widened.get(addr), cyclic.get(addr)));
}

/// Where the symbols of this test begin.
fn symbols_mark() -> u32 {
    0
}
