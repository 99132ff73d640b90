//! Failures of the proof in words, with a way forward.

use crate::trace::{ExprPlace, Trace, calls_rank};

/// Why a proof failed, and the place in the output.
pub struct Failure {
    pub rule: &'static str,
    pub at: ExprPlace,
    pub message: String,
    pub related: Option<(ExprPlace, &'static str)>,
    pub help: &'static str,
    /// The wrapper does not see how a module is trained; hooks on its parameters would.
    pub unwatched: bool,
}

#[derive(Clone, Copy)]
pub(super) enum FailureReason {
    /// The run was cut short.
    TooLong,
    /// No backward pass is reached from the start of the script.
    NotReached,
    /// A collective call that some ranks may not come to.
    Divergent {
        condition: ExprPlace,
    },
    Leaves,
    DividedTwice,
    LostOptimizer {
        lost: ExprPlace,
    },
    LostParameters {
        lost: ExprPlace,
    },
    NoModule,
    /// An optimizer's module that no wrapper watches.
    Unwatched,
    /// A trained module is called itself.
    PlainCall,
    SecondBackward,
    LostLoss {
        lost: ExprPlace,
    },
    NoPass,
    SameData,
    /// A loss compares the samples of a batch with each other.
    MixesSamples,
    /// What ranks must have alike would be changed otherwise on each.
    RankChange {
        condition: Option<ExprPlace>,
    },
    /// A loss depends on a whole batch otherwise than by a mean or a sum.
    NeedsWholeBatch,
    /// A loss is a sum over the samples, and is not multiplied by the number of ranks.
    UnscaledSum,
    /// A loss is divided by a number that differs between ranks.
    UnequalDivisors,
    /// A loss is not known to be a mean over the samples.
    NoMean,
    WrappedTwice,
    /// An update by gradients that are not known.
    LostGradients {
        lost: ExprPlace,
    },
    /// Gradients stay on their rank.
    NotReduced,
    ReducedTwice,
    NotBroadcast,
    OptimizerNotBroadcast,
    DividedShuffled,
    UnevenFit,
    EvaluatedPart,
    /// A model of tf.distribute that is not mirrored.
    OutsideScope,
    DifferentData,
    Frozen,
    ChangedAfterWrap,
    /// Rank 0's part of a number is shown, or decides that something is.
    PartShown {
        condition: Option<ExprPlace>,
    },
    ReadsUnwritten,
    NumberedApart,
}

pub(super) fn explain_failure(trace: &Trace, reason: FailureReason, at: ExprPlace) -> Failure {
    let text = |place: ExprPlace| {
        let text = trace.text(place);
        let line = text.lines().next().unwrap_or_default();
        if line.len() > 60 || line.len() < text.len() {
            let cut = line.char_indices().nth(57).map_or(line.len(), |(i, _)| i);
            format!("{}…", &line[..cut])
        } else {
            line.to_owned()
        }
    };
    let failure = |rule, message: String, help| Failure {
        rule,
        at,
        message,
        related: None,
        help,
        unwatched: matches!(
            reason,
            FailureReason::Unwatched
                | FailureReason::PlainCall
                | FailureReason::NoPass
                | FailureReason::SecondBackward
                | FailureReason::Frozen
                | FailureReason::ChangedAfterWrap
        ),
    };
    match reason {
        FailureReason::TooLong => failure(
            "untraceable-model",
            "the script is too large to be followed from its start to the training step".to_owned(),
            "distribute a script that only trains",
        ),
        FailureReason::NotReached => failure(
            "untraceable-model",
            "no training step is reached from the start of this script".to_owned(),
            "name the file that is started, and call the training function there",
        ),
        FailureReason::Divergent { condition } => {
            let message = if calls_rank(trace, condition) {
                format!("`{}` takes part in the training, and only rank 0 would reach it", text(at))
            } else {
                format!("`{}` waits for all ranks, and not all ranks may reach it", text(at))
            };
            Failure {
                related: Some((condition, "this may differ between ranks")),
                ..failure("rank-dependent-exit", message, "compute it on every rank, before the condition")
            }
        }
        FailureReason::Leaves => failure(
            "rank-dependent-exit",
            format!("the loop exits where `{}` holds, which may differ between ranks", text(at)),
            "decide by the epoch or step, or by a value that is reduced over the ranks",
        ),
        FailureReason::DividedTwice => failure(
            "untraceable-data",
            "the samples would be divided among the ranks twice".to_owned(),
            "divide the data in one place: build the dataset from all samples",
        ),
        FailureReason::LostOptimizer { lost } => Failure {
            related: Some((lost, "its value cannot be followed from here")),
            ..failure(
                "untraceable-optimizer",
                format!("the optimizer of `{}` cannot be followed to the call that makes it", text(at)),
                "make the optimizer by `optim.X(model.parameters())` in this project",
            )
        },
        FailureReason::LostParameters { lost } => Failure {
            related: Some((lost, "this is not a parameter of a module that can be named")),
            ..failure(
                "untraceable-optimizer",
                format!("not all parameters of this optimizer can be followed to their modules: `{}`", text(lost)),
                "give the optimizer `module.parameters()`; put single tensors into a module as `nn.Parameter`",
            )
        },
        FailureReason::NoModule => failure(
            "untraceable-model",
            "this optimizer has no parameters of a module that can be named".to_owned(),
            "make the optimizer by `optim.X(model.parameters())`",
        ),
        FailureReason::Unwatched => failure(
            "untraceable-model",
            "this optimizer updates a module that is not the one that is wrapped".to_owned(),
            "give each module its own name, and bind it once",
        ),
        FailureReason::PlainCall => failure(
            "untraceable-model",
            format!("`{}` calls a trained module that is not wrapped here: its gradients stay on this rank", text(at)),
            "call the module by the name that its optimizer is made from",
        ),
        FailureReason::SecondBackward => failure(
            "untraceable-model",
            "a second backward pass goes through one forward pass, and DistributedDataParallel reduces only the first"
                .to_owned(),
            "add the losses and call `backward` once, or `detach` what another loss must not change",
        ),
        FailureReason::LostLoss { lost } => Failure {
            related: Some((lost, "its value cannot be followed from here")),
            ..failure(
                "untraceable-model",
                format!(
                    "the values that `{}` is computed from cannot be followed: `{}` is not known",
                    loss_text(trace, at),
                    text(lost)
                ),
                "compute the loss from a call of the module that the optimizer updates",
            )
        },
        FailureReason::NoPass => failure(
            "untraceable-model",
            format!("`{}` does not come from a call of a module that an optimizer updates", loss_text(trace, at)),
            "compute the loss from a call of the module that the optimizer updates",
        ),
        FailureReason::SameData => failure(
            "untraceable-data",
            format!("`{}` would be given the same samples on every rank", text(at)),
            "read the samples of a step from a `DataLoader`, or cut them from tensors that are bound to names",
        ),
        FailureReason::MixesSamples => failure(
            "untraceable-data",
            format!(
                "`{}` compares the samples of a batch with each other, and each rank would compare its part only",
                text(at)
            ),
            "gather the outputs of all ranks by hand, with `torch.distributed.nn.functional.all_gather`, before they are compared",
        ),
        FailureReason::RankChange { condition } => Failure {
            related: condition.map(|condition| (condition, "this may differ between ranks")),
            ..failure(
                "rank-dependent-exit",
                format!("`{}` would be set otherwise on each rank, and the weights would drift apart", text(at)),
                "decide and compute it from the epoch or step, or from a value that is reduced over the ranks",
            )
        },
        FailureReason::NeedsWholeBatch => failure(
            "untraceable-data",
            format!("`{}` depends on all samples of a batch at once, and each rank has only its part", text(at)),
            "compute it for each sample, or over all training data before the loop; the mean or sum over a batch must come last",
        ),
        FailureReason::UnscaledSum => failure(
            "untraceable-data",
            format!("`{}` is a sum over the samples, and gradients of the ranks are averaged", loss_text(trace, at)),
            "divide the loss by the number of its samples",
        ),
        FailureReason::UnequalDivisors => failure(
            "untraceable-data",
            format!("`{}` divides by a number that each rank would take from its part of the batch", text(at)),
            "divide by the number of samples of the batch, as `mean()` does",
        ),
        FailureReason::NoMean => failure(
            "untraceable-data",
            format!("`{}` is not known to be a mean or a sum over the samples of a batch", loss_text(trace, at)),
            "compute the loss by a function of the library, or by `mean()` over what is computed for each sample",
        ),
        FailureReason::LostGradients { lost } => Failure {
            related: Some((lost, "its value cannot be followed from here")),
            ..failure(
                "untraceable-model",
                format!("the gradients that `{}` applies cannot be followed", text(at)),
                "give the pairs as `zip(gradients, variables)`, with gradients of a tape; compile a model before its `fit`",
            )
        },
        FailureReason::NotReduced => failure(
            "untraceable-optimizer",
            format!("`{}` would apply the gradients of this rank alone", text(at)),
            "take the gradients by `tape.gradient` of a tape that has a name, or make the optimizer in this project",
        ),
        FailureReason::ReducedTwice => failure(
            "untraceable-optimizer",
            format!("the gradients of `{}` would be averaged twice", text(at)),
            "keep one way of training per optimizer",
        ),
        FailureReason::NotBroadcast => failure(
            "untraceable-model",
            format!("not all variables that `{}` changes can be given to all ranks from rank 0", text(at)),
            "train the variables of one model, or give each its own name",
        ),
        FailureReason::OptimizerNotBroadcast => failure(
            "untraceable-optimizer",
            format!("the state of the optimizer of `{}` would differ between ranks", text(at)),
            "give the optimizer a name that is known where the step is called",
        ),
        FailureReason::DividedShuffled => failure(
            "untraceable-data",
            "the samples would be divided after a shuffle that differs between ranks: some twice, some never"
                .to_owned(),
            "shuffle after the data set is made, or give the shuffle a seed",
        ),
        FailureReason::UnevenFit => failure(
            "untraceable-data",
            "ranks would have different numbers of samples here, and some would wait forever".to_owned(),
            "make the data set from arrays or files",
        ),
        FailureReason::EvaluatedPart => failure(
            "untraceable-data",
            "this model would be evaluated on a part of its data".to_owned(),
            "evaluate on data that is not trained on",
        ),
        FailureReason::OutsideScope => failure(
            "untraceable-model",
            "this model is not made and compiled where the strategy can mirror its variables".to_owned(),
            "make and compile the model in statements of their own",
        ),
        FailureReason::DifferentData => failure(
            "untraceable-data",
            "the workers of a strategy must read the same samples, and these may differ between them".to_owned(),
            "give the random generators a seed, or use `--to horovod`",
        ),
        FailureReason::WrappedTwice => failure(
            "untraceable-model",
            "the module would be wrapped a second time".to_owned(),
            "make each optimizer once, where its module is made",
        ),
        FailureReason::Frozen => failure(
            "untraceable-model",
            "no parameter of this module may require a gradient, and DistributedDataParallel refuses such a module"
                .to_owned(),
            "make the optimizer of a frozen module only where it is trained",
        ),
        FailureReason::PartShown { condition: None } => failure(
            "partial-number",
            format!("`{}` would be computed from the samples of rank 0 alone", text(at)),
            "show means of a loss, or sums over samples and their quotients, which are reduced over the ranks; compute other numbers by an evaluation of all samples",
        ),
        FailureReason::PartShown { condition: Some(condition) } => Failure {
            related: Some((condition, "this is decided by a rank's samples")),
            ..failure(
                "partial-number",
                format!("`{}` would depend on the samples of rank 0 alone", text(at)),
                "decide by the epoch or step, by a mean or sum over all samples, or by an evaluation",
            )
        },
        FailureReason::ReadsUnwritten => failure(
            "partial-number",
            format!("`{}` would be run while rank 0 may still be writing the files that it finds", text(at)),
            "read saved files at the top of a statement after they are written, or in a script of its own",
        ),
        FailureReason::NumberedApart => failure(
            "untraceable-data",
            format!("`{}` takes rows of a divided array by numbers that do not follow from its length", text(at)),
            "number the rows by `len` of the array, or read them by a `DataLoader`",
        ),
        FailureReason::ChangedAfterWrap => failure(
            "untraceable-model",
            "`requires_grad` changes after the module is wrapped, when DistributedDataParallel has already chosen the \
             parameters that it reduces"
                .to_owned(),
            "freeze and unfreeze before the optimizer is made; train each phase in a run of its own",
        ),
    }
}

/// What `backward` is called on.
fn loss_text(trace: &Trace, at: ExprPlace) -> String {
    trace.called_method(at).map_or_else(|| trace.text(at), |(receiver, _)| trace.text((at.0, receiver))).to_owned()
}
