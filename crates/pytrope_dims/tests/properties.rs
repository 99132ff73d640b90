//! Random expressions, stores and problems against plain evaluation on small numbers.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use pytrope_dims::{
    Answer, Cmp, Constraint, Dim, FactReason, Formula, Interval, Model, Problem, Store, Sym, ThreeValued,
    python_floor_div, python_mod,
};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(0x5eed), failure_persistence: None, ..ProptestConfig::default() }
}

/// An expression as a tree, so that it can be both normalised and evaluated as written.
#[derive(Clone, Debug)]
enum Tree {
    Const(i128),
    Sym(u32),
    Add(Box<Self>, Box<Self>),
    Sub(Box<Self>, Box<Self>),
    Mul(Box<Self>, Box<Self>),
    Div(Box<Self>, i128),
    Mod(Box<Self>, i128),
    /// By an odd number made of a symbol: never zero, of either sign.
    DivBy(Box<Self>, u32),
    Min(Box<Self>, Box<Self>),
    Max(Box<Self>, Box<Self>),
}

impl Tree {
    fn dim(&self) -> Option<Dim> {
        match self {
            Self::Const(value) => Some(Dim::constant(*value)),
            Self::Sym(id) => Some(Dim::symbol(Sym(*id))),
            Self::Add(a, b) => a.dim()?.plus(&b.dim()?),
            Self::Sub(a, b) => a.dim()?.minus(&b.dim()?),
            Self::Mul(a, b) => a.dim()?.times(&b.dim()?),
            Self::Div(a, d) => a.dim()?.floor_div(&Dim::constant(*d)),
            Self::Mod(a, d) => a.dim()?.modulo(&Dim::constant(*d)),
            Self::DivBy(a, id) => {
                let odd = Dim::symbol(Sym(*id)).times_const(2)?.plus_const(1)?;
                a.dim()?.floor_div(&odd)
            }
            Self::Min(a, b) => a.dim()?.lesser(&b.dim()?),
            Self::Max(a, b) => a.dim()?.greater(&b.dim()?),
        }
    }

    fn eval(&self, values: &[i128]) -> i128 {
        match self {
            Self::Const(value) => *value,
            Self::Sym(id) => values[*id as usize],
            Self::Add(a, b) => a.eval(values) + b.eval(values),
            Self::Sub(a, b) => a.eval(values) - b.eval(values),
            Self::Mul(a, b) => a.eval(values) * b.eval(values),
            Self::Div(a, d) => python_floor_div(a.eval(values), *d).unwrap(),
            Self::Mod(a, d) => python_mod(a.eval(values), *d).unwrap(),
            Self::DivBy(a, id) => python_floor_div(a.eval(values), values[*id as usize] * 2 + 1).unwrap(),
            Self::Min(a, b) => a.eval(values).min(b.eval(values)),
            Self::Max(a, b) => a.eval(values).max(b.eval(values)),
        }
    }
}

const SYMBOLS: u32 = 3;

fn divisor() -> impl Strategy<Value = i128> {
    prop_oneof![(1..7i128), (-4..0i128)]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![(-6..7i128).prop_map(Tree::Const), (0..SYMBOLS).prop_map(Tree::Sym)];
    leaf.prop_recursive(4, 16, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            3 => pair.clone().prop_map(|(a, b)| Tree::Add(a.into(), b.into())),
            3 => pair.clone().prop_map(|(a, b)| Tree::Sub(a.into(), b.into())),
            2 => pair.clone().prop_map(|(a, b)| Tree::Mul(a.into(), b.into())),
            3 => (inner.clone(), divisor()).prop_map(|(a, d)| Tree::Div(a.into(), d)),
            2 => (inner.clone(), divisor()).prop_map(|(a, d)| Tree::Mod(a.into(), d)),
            1 => (inner, 0..SYMBOLS).prop_map(|(a, id)| Tree::DivBy(a.into(), id)),
            1 => pair.clone().prop_map(|(a, b)| Tree::Min(a.into(), b.into())),
            1 => pair.prop_map(|(a, b)| Tree::Max(a.into(), b.into())),
        ]
    })
}

fn cmp() -> impl Strategy<Value = Cmp> {
    prop_oneof![Just(Cmp::Eq), Just(Cmp::Ne), Just(Cmp::Lt), Just(Cmp::Le), Just(Cmp::Gt), Just(Cmp::Ge),]
}

/// All assignments with values of -2 to `most`.
fn grid(most: i128) -> impl Iterator<Item = Vec<i128>> {
    let side = most + 3;
    (0..side.pow(SYMBOLS)).map(move |index| (0..SYMBOLS).map(|axis| index / side.pow(axis) % side - 2).collect())
}

fn declared(most: i128) -> Store {
    let mut store = Store::new();
    for id in 0..SYMBOLS {
        store.declare_in(Sym(id), Interval::new(-2, most));
    }
    store
}

fn value_in(values: &[i128]) -> impl Fn(Sym) -> Option<i128> + '_ {
    |sym| values.get(sym.0 as usize).copied()
}

proptest! {
    #![proptest_config(config(2_000))]

    /// Normal forms never change the value, whatever the signs.
    #[test]
    fn normal_forms_keep_values(tree in tree(), values in prop::array::uniform3(-30..40i128)) {
        if let Some(dim) = tree.dim() {
            prop_assert_eq!(dim.eval(&value_in(&values)), Some(tree.eval(&values)), "{}", dim);
        }
    }

    /// Substituting numbers symbolically is evaluation.
    #[test]
    fn substitution_is_evaluation(tree in tree(), values in prop::array::uniform3(-20..20i128)) {
        if let Some(dim) = tree.dim() {
            let fixed = dim.substitute(&|sym| Some(Dim::constant(values[sym.0 as usize])));
            prop_assert_eq!(fixed.and_then(|dim| dim.as_const()), Some(tree.eval(&values)), "{}", dim);
        }
    }

    /// Intervals hold every value.
    #[test]
    fn bounds_hold(tree in tree(), values in prop::array::uniform3(-2..9i128)) {
        if let Some(dim) = tree.dim() {
            let bounds = declared(8).bounds(&dim);
            prop_assert!(bounds.contains(tree.eval(&values)), "{} in {:?}", dim, bounds);
        }
    }

    /// Equal polynomials are one value, however they were computed.
    #[test]
    fn polynomials_are_canonical(a in tree(), b in tree()) {
        // (a + b)² and a² + 2ab + b² are one value.
        let (Some(a), Some(b)) = (a.dim(), b.dim()) else { return Ok(()) };
        let square = a.plus(&b).and_then(|sum| sum.times(&sum));
        let expanded = || a.times(&a)?.plus(&a.times(&b)?.times_const(2)?)?.plus(&b.times(&b)?);
        if let (Some(square), Some(expanded)) = (square, expanded()) {
            prop_assert_eq!(square, expanded);
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    /// A store that has learned constraints says nothing false about the states that satisfy them.
    #[test]
    fn stores_are_sound(
        facts in prop::collection::vec((tree(), cmp(), tree()), 1..5),
        question in (tree(), cmp(), tree()),
    ) {
        let mut store = declared(3);
        let mut kept = Vec::new();
        for (a, cmp, b) in &facts {
            let (Some(x), Some(y)) = (a.dim(), b.dim()) else { continue };
            let Some(constraint) = Constraint::compare(&x, *cmp, &y) else { continue };
            kept.push((a, *cmp, b));
            if !store.assume(&constraint, FactReason(0)).is_feasible() {
                break;
            }
        }
        let states: Vec<Vec<i128>> = grid(3)
            .filter(|values| kept.iter().all(|(a, cmp, b)| cmp.holds(a.eval(values), b.eval(values))))
            .collect();
        if store.is_contradictory() {
            prop_assert!(states.is_empty(), "{:?} satisfies what was refuted", states[0]);
            return Ok(());
        }
        let (a, cmp, b) = &question;
        if let (Some(x), Some(y)) = (a.dim(), b.dim()) {
            let truth = store.compare(&x, *cmp, &y);
            for values in &states {
                let holds = cmp.holds(a.eval(values), b.eval(values));
                prop_assert!(truth != ThreeValued::of(!holds), "{:?} at {:?}", truth, values);
                prop_assert!(store.bounds(&x).contains(a.eval(values)));
                prop_assert_eq!(store.simplify(&x).eval(&value_in(values)), Some(a.eval(values)));
            }
        }
    }

    /// A join and a forgetting store only say what holds on both sides, or without the symbol.
    #[test]
    fn joins_and_forgetting_are_sound(
        left in (tree(), cmp(), tree()),
        right in (tree(), cmp(), tree()),
        both in (tree(), cmp(), tree()),
    ) {
        let mut sides = [declared(3), declared(3)];
        let mut states: [Vec<Vec<i128>>; 2] = [grid(3).collect(), grid(3).collect()];
        for (index, own) in [&left, &right].into_iter().enumerate() {
            for (a, cmp, b) in [&both, own] {
                if let (Some(x), Some(y)) = (a.dim(), b.dim()) {
                    sides[index].assume_compare(&x, *cmp, &y, FactReason(0));
                    states[index].retain(|values| cmp.holds(a.eval(values), b.eval(values)));
                }
            }
        }
        let joined = Store::join(&sides[0], &sides[1]);
        for fact in joined.facts() {
            for values in states.iter().flatten() {
                prop_assert_eq!(fact.eval(&value_in(values)), Some(true), "{} at {:?}", fact, values);
            }
        }
        let mut fewer = sides[0].clone();
        if !fewer.is_contradictory() {
            fewer.forget(&|sym| sym == Sym(2));
            for fact in fewer.facts() {
                prop_assert!(!fact.dim.mentions(Sym(2)));
                for values in &states[0] {
                    prop_assert_eq!(fact.eval(&value_in(values)), Some(true), "{} at {:?}", fact, values);
                }
            }
        }
    }

    /// On a bounded box the procedure agrees with trying every assignment.
    #[test]
    fn problems_are_decided_as_by_trial(
        clauses in prop::collection::vec(prop::collection::vec((tree(), cmp(), tree()), 1..3), 1..5),
    ) {
        let mut problem = Problem::new();
        for id in 0..SYMBOLS {
            problem.declare(Sym(id), Interval::new(-2, 3));
        }
        let mut kept = Vec::new();
        for clause in &clauses {
            let parts: Option<Vec<Formula>> = clause
                .iter()
                .map(|(a, cmp, b)| Some(Constraint::compare(&a.dim()?, *cmp, &b.dim()?)?.into()))
                .collect();
            if let Some(parts) = parts {
                problem.assert(Formula::or(parts), FactReason(kept.len() as u32));
                kept.push(clause);
            }
        }
        let holds = |values: &[i128]| {
            kept.iter().all(|clause| {
                clause.iter().any(|(a, cmp, b)| cmp.holds(a.eval(values), b.eval(values)))
            })
        };
        let possible = grid(3).any(|values| holds(&values));
        match problem.solve() {
            Answer::Sat(model) => {
                let values: Vec<i128> = (0..SYMBOLS).map(|id| model[&Sym(id)]).collect();
                prop_assert!(holds(&values), "{:?}", values);
            }
            Answer::Unsat => {
                prop_assert!(!possible);
                let reasons = problem.explain().expect("an unsatisfiable problem is explained");
                prop_assert!(grid(3).all(|values| reasons.iter().any(|reason| {
                    !kept[reason.0 as usize]
                        .iter()
                        .any(|(a, cmp, b)| cmp.holds(a.eval(&values), b.eval(&values)))
                })), "the reasons contradict each other");
            }
            Answer::Unknown => prop_assert!(false, "a small box is always decided"),
        }
    }
}

#[test]
fn models_are_natural_where_asked() {
    let (batch, height) = (Dim::symbol(Sym(0)), Dim::symbol(Sym(1)));
    let mut problem = Problem::new();
    problem.declare(Sym(0), Interval::at_least(0));
    problem.declare(Sym(1), Interval::at_least(0));
    let halved = height.plus_const(-1).unwrap().floor_div(&Dim::constant(2)).unwrap();
    problem.assert(Constraint::at_least(&halved, 7).unwrap(), FactReason(0));
    problem.assert(Constraint::compare(&batch, Cmp::Ne, &Dim::ZERO).unwrap(), FactReason(1));
    problem.prefer(Sym(0), [1]);
    problem.prefer(Sym(1), [224, 32]);
    assert_eq!(problem.solve(), Answer::Sat(Model::from([(Sym(0), 1), (Sym(1), 224)])));
}

#[test]
fn explanations_are_shrunk() {
    let x = Dim::symbol(Sym(0));
    let mut problem = Problem::new();
    problem.assert(Constraint::at_least(&x, 0).unwrap(), FactReason(1));
    problem.assert(Constraint::at_least(&x, 5).unwrap(), FactReason(2));
    problem.assert(Constraint::compare(&x, Cmp::Le, &Dim::constant(100)).unwrap(), FactReason(3));
    problem.assert(Constraint::compare(&x, Cmp::Lt, &Dim::constant(5)).unwrap(), FactReason(4));
    assert_eq!(problem.solve(), Answer::Unsat);
    assert_eq!(problem.explain(), Some(vec![FactReason(2), FactReason(4)]));
}
