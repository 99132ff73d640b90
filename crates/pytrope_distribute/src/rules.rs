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
pub mod gradient_hooks;
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

use crate::identify::TrainingPattern;
use crate::rewrite::{Rewrite, Target};
use crate::rules::prelude::PreludeFacts;

/// Apply every rule of a pattern, in an order in which insertions at one place read well.
pub fn apply_rules(rw: &mut Rewrite, facts: Option<&PreludeFacts>) {
    if let Some(facts) = facts {
        prelude::write_prelude(rw, facts);
    }
    visible_devices::remove_choices(rw);
    same_split::seed_splits(rw);
    same_decision::agree_on_exits(rw);
    match (rw.target, rw.training.pattern) {
        (Target::Ddp | Target::Fsdp2 | Target::Accelerate, _) | (Target::Horovod, TrainingPattern::Torch) => {
            rw.wrapped = ddp::wrap_modules(rw);
            let wrapped = rw.wrapped.clone();
            loaders::distribute_loaders(rw, &wrapped);
            loaders::reduce_proved(rw);
            closures::agree_on_losses(rw);
            shared_folder::share_folders(rw);
            match rw.target {
                Target::Accelerate => accelerate::rewrite_backward(rw),
                Target::Fsdp2 => fsdp2::rewrite_states(rw, &wrapped),
                Target::Ddp | Target::Horovod | Target::TfDistribute => {}
            }
        }
        (Target::TfDistribute, _) => strategy::distribute_models(rw),
        (Target::Horovod, TrainingPattern::Tape) => {
            learning_rate::scale_rates(rw);
            keras_optimizer::distribute_compiled(rw);
            tape::distribute_tapes(rw);
            train_data::divide_data(rw);
            broadcast::broadcast_updated(rw);
        }
        (Target::Horovod, TrainingPattern::Fit) => {
            learning_rate::scale_rates(rw);
            keras_optimizer::distribute_compiled(rw);
            fit::distribute_fits(rw);
        }
        (Target::Horovod, TrainingPattern::TrainStep) => {
            learning_rate::scale_rates(rw);
            keras_optimizer::distribute_compiled(rw);
            tape::distribute_tapes(rw);
            fit::distribute_fits(rw);
        }
        (Target::Horovod, TrainingPattern::Session) => {
            learning_rate::scale_rates(rw);
            session::distribute_sessions(rw);
            train_data::divide_data(rw);
        }
        (Target::Horovod, TrainingPattern::Monitored) => {
            learning_rate::scale_rates(rw);
            session::distribute_optimizers(rw);
            hooks::distribute_monitored(rw);
            train_data::divide_data(rw);
        }
        (Target::Horovod, TrainingPattern::Estimator) => {
            learning_rate::scale_rates(rw);
            estimator::distribute_estimators(rw);
        }
    }
    rank_zero::guard_effects(rw);
    match rw.target {
        Target::Fsdp2 => fsdp2::refuse_guarded_calls(rw, &rw.wrapped.clone()),
        Target::TfDistribute => strategy::write_scopes(rw),
        Target::Horovod | Target::Ddp | Target::Accelerate => {}
    }
    rw.write_arguments();
    rw.write_guards();
    accumulate::accumulate_locally(rw, &rw.wrapped.clone());
    if rw.target.is_torch() && facts.is_some() {
        ddp::end_process_group(rw);
    }
}
