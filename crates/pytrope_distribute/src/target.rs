//! What the ranks talk through, and how each engine spells the questions that every rule asks.

use crate::identify::TrainingPattern;

/// An engine of distributed training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Horovod,
    Ddp,
    Fsdp2,
    Accelerate,
    TfDistribute,
}

impl Target {
    pub const ALL: [Self; 5] = [Self::Ddp, Self::Fsdp2, Self::Accelerate, Self::Horovod, Self::TfDistribute];

    /// The engine for a pattern when none is asked for.
    pub const fn default_for(pattern: TrainingPattern) -> Self {
        match pattern {
            TrainingPattern::Torch => Self::Ddp,
            TrainingPattern::Tape
            | TrainingPattern::Fit
            | TrainingPattern::TrainStep
            | TrainingPattern::Session
            | TrainingPattern::Monitored
            | TrainingPattern::Estimator => Self::Horovod,
        }
    }

    /// Why the engine does not run training of a pattern; `None` where it does.
    pub fn objection_to(self, pattern: TrainingPattern) -> Option<&'static str> {
        match (self, pattern) {
            (Self::Ddp | Self::Fsdp2 | Self::Accelerate, TrainingPattern::Torch)
            | (
                Self::Horovod,
                TrainingPattern::Tape
                | TrainingPattern::Fit
                | TrainingPattern::TrainStep
                | TrainingPattern::Session
                | TrainingPattern::Monitored
                | TrainingPattern::Estimator,
            )
            | (Self::TfDistribute, TrainingPattern::Fit) => None,
            (Self::Horovod | Self::TfDistribute, TrainingPattern::Torch) => Some("the output would be for TensorFlow"),
            (Self::Ddp | Self::Fsdp2 | Self::Accelerate, _) => Some("the engine is PyTorch's"),
            (Self::TfDistribute, TrainingPattern::Tape | TrainingPattern::TrainStep) => Some(
                "under a strategy the step must be written for one replica, with its loss divided by the global batch",
            ),
            (
                Self::TfDistribute,
                TrainingPattern::Session | TrainingPattern::Monitored | TrainingPattern::Estimator,
            ) => Some("MultiWorkerMirroredStrategy runs TensorFlow 2 only"),
        }
    }

    pub const fn is_torch(self) -> bool {
        matches!(self, Self::Ddp | Self::Fsdp2 | Self::Accelerate)
    }

    /// The engine's own name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Horovod => "Horovod",
            Self::Ddp => "DistributedDataParallel",
            Self::Fsdp2 => "fully_shard",
            Self::Accelerate => "Accelerate",
            Self::TfDistribute => "MultiWorkerMirroredStrategy",
        }
    }

    /// The value of `--to`.
    pub const fn option(self) -> &'static str {
        match self {
            Self::Horovod => "horovod",
            Self::Ddp => "ddp",
            Self::Fsdp2 => "fsdp2",
            Self::Accelerate => "accelerate",
            Self::TfDistribute => "tf-distribute",
        }
    }

    /// The name that scripts know the engine by, unless it is taken.
    pub const fn alias(self) -> &'static str {
        match self {
            Self::Horovod => "hvd",
            Self::Ddp | Self::Fsdp2 => "dist",
            Self::Accelerate => "accelerator",
            Self::TfDistribute => "worker",
        }
    }

    pub fn rank_expression(self, engine: &str) -> String {
        match self {
            Self::Horovod => format!("{engine}.rank()"),
            Self::Ddp | Self::Fsdp2 => format!("{engine}.get_rank()"),
            Self::Accelerate => format!("{engine}.process_index"),
            Self::TfDistribute => engine.to_owned(),
        }
    }

    pub fn size_expression(self, engine: &str) -> String {
        match self {
            Self::Horovod => format!("{engine}.size()"),
            Self::Ddp | Self::Fsdp2 => format!("{engine}.get_world_size()"),
            Self::Accelerate => format!("{engine}.num_processes"),
            Self::TfDistribute => "strategy.num_replicas_in_sync".to_owned(),
        }
    }

    /// The condition that holds on rank 0 only.
    pub fn is_rank_zero(self, engine: &str) -> String {
        match self {
            Self::Accelerate => format!("{engine}.is_main_process"),
            Self::Horovod | Self::Ddp | Self::Fsdp2 | Self::TfDistribute => {
                format!("{} == 0", self.rank_expression(engine))
            }
        }
    }
}
