//! The rewrite rules, one file each; every file opens with its before and after.

pub mod accelerate;
pub mod accumulate;
pub mod broadcast;
pub mod closures;
pub mod collective;
pub mod ddp;
pub mod estimator;
pub mod fit;
pub mod fsdp2;
pub mod hooks;
pub mod keras_optimizer;
pub mod learning_rate;
pub mod loaders;
pub mod prelude;
pub mod rank_zero;
pub mod same_decision;
pub mod same_split;
pub mod session;
pub mod shard_arrays;
pub mod shard_dataset;
pub mod shared_folder;
pub mod strategy;
pub mod tape;
pub mod train_data;
pub mod visible_devices;

use crate::identify::Pattern;
use crate::rewrite::{Rewrite, Target};
use crate::rules::prelude::Facts;

/// Apply every rule of a pattern, in an order in which insertions at one place read well.
pub fn apply(rw: &mut Rewrite, facts: Option<&Facts>) {
    if let Some(facts) = facts {
        prelude::write(rw, facts);
    }
    visible_devices::remove(rw);
    same_split::fix(rw);
    same_decision::agree(rw);
    match (rw.target, rw.training.pattern) {
        (Target::Ddp | Target::Fsdp2 | Target::Accelerate, _) | (Target::Horovod, Pattern::Torch) => {
            rw.wrapped = ddp::distribute(rw);
            let wrapped = rw.wrapped.clone();
            loaders::distribute(rw, &wrapped);
            closures::agree(rw);
            shared_folder::share(rw);
            match rw.target {
                Target::Accelerate => accelerate::backward(rw),
                Target::Fsdp2 => fsdp2::states(rw, &wrapped),
                Target::Ddp | Target::Horovod | Target::TfDistribute => {}
            }
        }
        (Target::TfDistribute, _) => strategy::distribute(rw),
        (Target::Horovod, Pattern::Tape) => {
            learning_rate::scale(rw);
            keras_optimizer::distribute(rw);
            tape::distribute(rw);
            train_data::distribute(rw);
            broadcast::broadcast(rw);
        }
        (Target::Horovod, Pattern::Fit) => {
            learning_rate::scale(rw);
            keras_optimizer::distribute(rw);
            fit::distribute(rw);
        }
        (Target::Horovod, Pattern::TrainStep) => {
            learning_rate::scale(rw);
            keras_optimizer::distribute(rw);
            tape::distribute(rw);
            fit::distribute(rw);
        }
        (Target::Horovod, Pattern::Session) => {
            learning_rate::scale(rw);
            session::distribute(rw);
            train_data::distribute(rw);
        }
        (Target::Horovod, Pattern::Monitored) => {
            learning_rate::scale(rw);
            session::optimizers(rw);
            hooks::monitored(rw);
            train_data::distribute(rw);
        }
        (Target::Horovod, Pattern::Estimator) => {
            learning_rate::scale(rw);
            estimator::distribute(rw);
        }
    }
    rank_zero::guard(rw);
    match rw.target {
        Target::Fsdp2 => fsdp2::refuse_guarded_calls(rw, &rw.wrapped.clone()),
        Target::TfDistribute => strategy::write_scopes(rw),
        Target::Horovod | Target::Ddp | Target::Accelerate => {}
    }
    rw.write_arguments();
    rw.write_guards();
    accumulate::accumulate_locally(rw, &rw.wrapped.clone());
    if rw.target.is_torch() && facts.is_some() {
        ddp::finish(rw);
    }
}
