//! The laws of gradual types, and the paper's theorems over random programs of its calculus.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use pytrope_dims::calculus::{
    CalculusExpr, CalculusProgram, Conv2d, Generation, Tensor, gradual_type, run, static_type,
};
use pytrope_dims::gradual::{DimType, TensorType, apply_broadcasting};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(0x5eed), failure_persistence: None, ..ProptestConfig::default() }
}

fn size() -> impl Strategy<Value = u64> {
    prop_oneof![1 => Just(0u64), 3 => Just(1u64), 3 => Just(2u64), 2 => Just(3u64), 1 => Just(4u64), 1 => Just(6u64)]
}

fn dim() -> impl Strategy<Value = DimType> {
    prop_oneof![1 => Just(DimType::Dyn), 3 => size().prop_map(DimType::Size)]
}

fn tensor_type(max_rank: usize) -> impl Strategy<Value = TensorType> {
    prop_oneof![
        1 => Just(TensorType::Dyn),
        6 => prop::collection::vec(dim(), 0..=max_rank).prop_map(TensorType::Dims),
    ]
}

/// Makes some of a type unknown: a type that is less precise.
fn blurred(precise: &TensorType, choices: &[bool], rank_too: bool) -> TensorType {
    match precise {
        TensorType::Dims(dims) if !rank_too => TensorType::Dims(
            dims.iter()
                .enumerate()
                .map(|(index, dim)| if choices[index % choices.len()] { DimType::Dyn } else { *dim })
                .collect(),
        ),
        TensorType::Dyn | TensorType::Dims(_) => TensorType::Dyn,
    }
}

fn pair() -> impl Strategy<Value = (TensorType, TensorType)> {
    (tensor_type(4), prop::collection::vec(any::<bool>(), 4), any::<bool>(), any::<bool>()).prop_map(
        |(precise, choices, rank, same)| {
            let less = blurred(&precise, &choices, rank && same);
            (less, precise)
        },
    )
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn precision_is_a_partial_order(a in tensor_type(3), b in tensor_type(3), c in tensor_type(3)) {
        prop_assert!(a.less_precise(&a));
        prop_assert!(TensorType::Dyn.less_precise(&a));
        if a.less_precise(&b) && b.less_precise(&a) {
            prop_assert_eq!(&a, &b);
        }
        if a.less_precise(&b) && b.less_precise(&c) {
            prop_assert!(a.less_precise(&c));
        }
    }

    /// Consistent types are those with a type above both; ⊔ is the least of them.
    #[test]
    fn joins_are_least_upper_bounds(a in tensor_type(3), b in tensor_type(3), c in tensor_type(3)) {
        prop_assert_eq!(a.consistent(&b), b.consistent(&a));
        prop_assert_eq!(a.consistent(&b), a.join(&b).is_some());
        prop_assert_eq!(a.join(&b), b.join(&a));
        if let Some(join) = a.join(&b) {
            prop_assert!(a.less_precise(&join) && b.less_precise(&join));
            if a.less_precise(&c) && b.less_precise(&c) {
                prop_assert!(join.less_precise(&c));
            }
        } else {
            prop_assert!(!(a.less_precise(&c) && b.less_precise(&c)));
        }
    }

    /// Theorem 11: consistent types have a ⊔*; it is never above ⊔.
    #[test]
    fn consistent_types_have_a_starred_join(a in tensor_type(3), b in tensor_type(3)) {
        prop_assert_eq!(a.consistent(&b), a.join_star(&b).is_some());
        if let (Some(star), Some(join)) = (a.join_star(&b), a.join(&b)) {
            prop_assert!(star.less_precise(&join));
        }
    }

    /// Lemma 10, and that matching is the least type of that rank above a type.
    #[test]
    fn matching_is_monotone((less, more) in pair(), rank in 0usize..5) {
        if let Some(dims) = more.matching(rank) {
            let lower = less.matching(rank).expect("what matches matches with less known");
            prop_assert!(TensorType::Dims(lower).less_precise(&TensorType::Dims(dims)));
        }
    }

    /// Lemma 8 and monotonicity of ~ and ⊔*: knowing less never turns a sum into an error.
    #[test]
    fn broadcasting_is_monotone((less_a, a) in pair(), (less_b, b) in pair()) {
        let (x, y) = apply_broadcasting(&a, &b);
        let (less_x, less_y) = apply_broadcasting(&less_a, &less_b);
        prop_assert!(less_x.consistent(&less_y) || !x.consistent(&y));
        if let (Some(sum), Some(less_sum)) = (x.join_star(&y), less_x.join_star(&less_y)) {
            prop_assert!(less_sum.less_precise(&sum), "{} + {}: {} over {}", a, b, less_sum, sum);
        }
    }
}

#[test]
fn consistency_is_not_transitive() {
    let (two, unknown, three) = (DimType::Size(2), DimType::Dyn, DimType::Size(3));
    assert!(two.consistent(unknown) && unknown.consistent(three) && !two.consistent(three));
}

#[test]
fn the_papers_example_of_broadcasting() {
    let dims =
        |dims: &[Option<u64>]| TensorType::Dims(dims.iter().map(|d| d.map_or(DimType::Dyn, DimType::Size)).collect());
    let (a, b) = apply_broadcasting(&dims(&[None, Some(2), None]), &dims(&[Some(1), Some(2), Some(2)]));
    assert_eq!(a, dims(&[None, Some(2), None]));
    assert_eq!(b, dims(&[None, Some(2), Some(2)]));
    assert_eq!(a.join_star(&b), Some(dims(&[None, Some(2), Some(2)])));
    assert_eq!(dims(&[Some(1), Some(2)]).join_star(&TensorType::Dyn), Some(TensorType::Dyn));
}

/// A reshape target: at most one unknown size.
fn target(unknown_too: bool) -> impl Strategy<Value = Vec<DimType>> {
    (prop::collection::vec(size(), 0..4), any::<bool>(), any::<prop::sample::Index>()).prop_map(
        move |(sizes, unknown, index)| {
            let mut dims: Vec<DimType> = sizes.into_iter().map(DimType::Size).collect();
            if unknown_too && unknown && !dims.is_empty() {
                let index = index.index(dims.len());
                dims[index] = DimType::Dyn;
            }
            dims
        },
    )
}

fn conv() -> impl Strategy<Value = Conv2d> {
    (1..4u64, 1..4u64, 1..4u64, 1..4u64).prop_map(|(c_in, c_out, rows, columns)| Conv2d {
        c_in,
        c_out,
        kernel: (rows, columns),
    })
}

fn expr(unknown_too: bool) -> impl Strategy<Value = CalculusExpr> {
    (0..2usize).prop_map(CalculusExpr::Var).prop_recursive(3, 8, 2, move |inner| {
        prop_oneof![
            2 => (inner.clone(), target(unknown_too)).prop_map(|(e, dims)| CalculusExpr::Reshape(e.into(), dims)),
            2 => (conv(), inner.clone()).prop_map(|(conv, e)| CalculusExpr::Conv2d(conv, e.into())),
            3 => (inner.clone(), inner).prop_map(|(a, b)| CalculusExpr::Add(a.into(), b.into())),
        ]
    })
}

fn static_program() -> impl Strategy<Value = CalculusProgram> {
    let declared = prop_oneof![
        prop::collection::vec(size(), 0..4),
        // Images, so that convolutions often succeed.
        (1..3u64, 1..4u64, 1..6u64, 1..6u64).prop_map(|(b, c, h, w)| vec![b, c, h, w]),
    ]
    .prop_map(|sizes| TensorType::of_sizes(&sizes));
    (prop::collection::vec(declared, 2), expr(false))
        .prop_map(|(declarations, result)| CalculusProgram { declarations, result })
}

fn gradual_program() -> impl Strategy<Value = CalculusProgram> {
    let image = prop::collection::vec(dim(), 4).prop_map(TensorType::Dims);
    (prop::collection::vec(prop_oneof![tensor_type(4), image], 2), expr(true))
        .prop_map(|(declarations, result)| CalculusProgram { declarations, result })
}

proptest! {
    #![proptest_config(config(4_000))]

    /// Theorem 3.1: a well-typed program stays so when its declarations say less; and says less itself.
    #[test]
    fn typing_is_monotone(
        program in gradual_program(),
        choices in prop::collection::vec(any::<bool>(), 4),
        ranks in prop::array::uniform2(any::<bool>()),
    ) {
        let declarations = program
            .declarations
            .iter()
            .zip(ranks)
            .map(|(declared, rank)| blurred(declared, &choices, rank))
            .collect();
        let less = CalculusProgram { declarations, result: program.result.clone() };
        prop_assert!(less.less_precise(&program));
        if let Some(typed) = gradual_type(&program) {
            let lower = gradual_type(&less);
            prop_assert!(lower.as_ref().is_some_and(|lower| lower.less_precise(&typed)),
                "{}\nis {}, but\n{}\nis {:?}", program, typed, less, lower);
        }
    }

    /// Theorem 3.2: on static programs the gradual rules are the static rules.
    #[test]
    fn gradual_typing_extends_static_typing(program in static_program()) {
        prop_assert!(program.is_static());
        let expected = static_type(&program).map(|sizes| TensorType::of_sizes(&sizes));
        prop_assert_eq!(gradual_type(&program), expected, "{}", program);
    }

    /// A static program is well typed exactly if it runs (appendix C ends with E = 0), and then has that shape.
    #[test]
    fn static_programs_run_if_and_only_if_they_are_typed(program in static_program()) {
        let inputs: Vec<Tensor> = program
            .declarations
            .iter()
            .map(|declared| Tensor::counting_tensor(&declared.sizes().expect("static")).expect("small"))
            .collect();
        let ran = run(&program, &inputs).map(|tensor| tensor.shape().to_vec());
        let typed = static_type(&program)
            .map(|sizes| sizes.into_iter().map(|size| size as usize).collect::<Vec<_>>());
        prop_assert_eq!(ran, typed, "{}", program);
    }

    /// A gradual program with a static instance that runs is well typed: Dyn never rejects what could run.
    #[test]
    fn what_can_run_is_typed(program in static_program(), choices in prop::collection::vec(any::<bool>(), 4)) {
        if static_type(&program).is_some() {
            let declarations = program.declarations.iter().map(|d| blurred(d, &choices, false)).collect();
            let less = CalculusProgram { declarations, result: program.result.clone() };
            prop_assert!(gradual_type(&less).is_some(), "{}", less);
        }
    }
}

#[test]
fn the_papers_slips_are_mended() {
    let reshape = |from: TensorType, target: Vec<DimType>| {
        gradual_type(&CalculusProgram {
            declarations: vec![from],
            result: CalculusExpr::Reshape(CalculusExpr::Var(0).into(), target),
        })
    };
    let (unknown, size) = (DimType::Dyn, DimType::Size);
    // t-reshape-g's "or" admits (4) → (Dyn, 8): 4 elements never fill rows of 8.
    assert_eq!(reshape(TensorType::of_sizes(&[4]), vec![unknown, size(8)]), None);
    assert!(reshape(TensorType::of_sizes(&[8]), vec![unknown, size(4)]).is_some());
    // Unknown sizes in the input: their product can be any factor that is missing.
    let twos = TensorType::Dims(vec![unknown, size(2), unknown]);
    assert!(reshape(twos.clone(), vec![size(6)]).is_some());
    assert_eq!(reshape(twos, vec![size(5)]), None);
    // A kernel larger than the image.
    let conv = CalculusProgram {
        declarations: vec![TensorType::of_sizes(&[1, 2, 3, 3])],
        result: CalculusExpr::Conv2d(Conv2d { c_in: 2, c_out: 1, kernel: (4, 1) }, CalculusExpr::Var(0).into()),
    };
    assert_eq!(gradual_type(&conv), None);
}

/// Every type above a declaration, with ranks and sizes up to limits.
fn above(declared: &TensorType, max_rank: usize, max_size: u64) -> Vec<TensorType> {
    let grow = |dims: &[DimType]| {
        let mut all: Vec<Vec<DimType>> = vec![Vec::new()];
        for dim in dims {
            let choices: Vec<DimType> = match dim {
                DimType::Size(_) => vec![*dim],
                DimType::Dyn => std::iter::once(DimType::Dyn).chain((0..=max_size).map(DimType::Size)).collect(),
            };
            all = all
                .iter()
                .flat_map(|start| {
                    choices.iter().map(move |choice| {
                        let mut longer = start.clone();
                        longer.push(*choice);
                        longer
                    })
                })
                .collect();
        }
        all.into_iter().map(TensorType::Dims)
    };
    match declared {
        TensorType::Dims(dims) => grow(dims).collect(),
        TensorType::Dyn => std::iter::once(TensorType::Dyn)
            .chain((0..=max_rank).flat_map(|rank| grow(&vec![DimType::Dyn; rank])))
            .collect(),
    }
}

/// Theorem 4.1 on one program: the solutions of its constraints are its migrations, one for one.
fn solutions_are_migrations(program: &CalculusProgram, max_rank: usize, max_size: u64) -> Result<(), TestCaseError> {
    let generation = Generation::of(program, max_rank, Some(max_size)).expect("small constraints");
    let mut migrations: Vec<Vec<TensorType>> = Vec::new();
    for first in above(&program.declarations[0], max_rank, max_size) {
        for second in above(&program.declarations[1], max_rank, max_size) {
            let migrated =
                CalculusProgram { declarations: vec![first.clone(), second], result: program.result.clone() };
            let typed = gradual_type(&migrated).is_some();
            let admitted = generation.admits(&migrated.declarations);
            prop_assert_eq!(admitted, Some(typed), "{}", migrated);
            if typed {
                migrations.push(migrated.declarations);
            }
        }
    }
    // Where they are few, the solver also lists them by itself.
    if migrations.len() <= 12 {
        let mut solutions = generation
            .solutions(20)
            .ok_or_else(|| TestCaseError::fail(format!("not all solutions are found of\n{program}")))?;
        migrations.sort();
        solutions.sort();
        prop_assert_eq!(&solutions, &migrations, "{}", program);
    }
    Ok(())
}

/// Expressions without convolutions, whose operands may have any rank.
fn flat_expr() -> impl Strategy<Value = CalculusExpr> {
    (0..2usize).prop_map(CalculusExpr::Var).prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            (inner.clone(), target(true)).prop_map(|(e, dims)| CalculusExpr::Reshape(e.into(), dims)),
            (inner.clone(), inner).prop_map(|(a, b)| CalculusExpr::Add(a.into(), b.into())),
        ]
    })
}

/// One declaration is open, the other nearly closed, so that all migrations can be listed.
fn small_program() -> impl Strategy<Value = CalculusProgram> {
    let open = prop_oneof![Just(TensorType::Dyn), prop::collection::vec(dim(), 0..3).prop_map(TensorType::Dims),];
    let closed = (prop::collection::vec(size(), 0..3), any::<bool>()).prop_map(|(sizes, unknown)| {
        let mut dims: Vec<DimType> = sizes.into_iter().map(DimType::Size).collect();
        if let (true, Some(last)) = (unknown, dims.last_mut()) {
            *last = DimType::Dyn;
        }
        TensorType::Dims(dims)
    });
    (open, closed, flat_expr())
        .prop_map(|(open, closed, result)| CalculusProgram { declarations: vec![open, closed], result })
}

fn conv_program() -> impl Strategy<Value = CalculusProgram> {
    let image =
        (dim(), dim(), 2..4u64, dim()).prop_map(|(b, c, h, w)| TensorType::Dims(vec![b, c, DimType::Size(h), w]));
    let other = size().prop_map(|size| TensorType::of_sizes(&[size]));
    (image, other, conv(), any::<bool>()).prop_map(|(image, other, conv, add)| {
        let convolved = CalculusExpr::Conv2d(conv, CalculusExpr::Var(0).into());
        let result = if add { CalculusExpr::Add(convolved.into(), CalculusExpr::Var(1).into()) } else { convolved };
        CalculusProgram { declarations: vec![image, other], result }
    })
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn constraints_capture_the_migrations(program in small_program()) {
        solutions_are_migrations(&program, 2, 3)?;
    }

    #[test]
    fn constraints_capture_the_migrations_of_convolutions(program in conv_program()) {
        solutions_are_migrations(&program, 4, 3)?;
    }
}

#[test]
fn listing_two_has_no_static_migration_and_names_the_channel() {
    // Two convolutions of one input that want 2 and 4 channels.
    let conv = |c_in| Conv2d { c_in, c_out: 2, kernel: (2, 2) };
    let program = |channels| CalculusProgram {
        declarations: vec![
            TensorType::Dims(vec![DimType::Size(1), channels, DimType::Size(8), DimType::Size(8)]),
            TensorType::Dims(vec![]),
        ],
        result: CalculusExpr::Add(
            CalculusExpr::Conv2d(conv(2), CalculusExpr::Var(0).into()).into(),
            CalculusExpr::Conv2d(conv(4), CalculusExpr::Var(0).into()).into(),
        ),
    };
    assert!(gradual_type(&program(DimType::Dyn)).is_some());
    let generation = Generation::of(&program(DimType::Dyn), 4, None).expect("small");
    let solutions = generation.solutions(10).expect("decided");
    assert_eq!(solutions, vec![program(DimType::Dyn).declarations], "only Dyn fits both");
}
