//! Calls that all ranks make together, as each engine of PyTorch spells them.

use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::target::Target;

/// Give every rank what rank 0 has in a list: `dist.broadcast_object_list(name)`.
pub fn broadcast_list(rw: &mut Rewrite, module: ModuleId, list: &str) -> String {
    let engine = rw.engine_name(module);
    if rw.target == Target::Accelerate {
        rw.add_import(module, "from accelerate.utils import broadcast_object_list");
        return format!("broadcast_object_list({list})");
    }
    format!("{engine}.broadcast_object_list({list})")
}

/// The sampler that gives each rank its own samples, all ranks equally many; `options` are further arguments.
pub fn distributed_sampler(rw: &mut Rewrite, module: ModuleId, dataset: &str, options: &str) -> String {
    rw.add_import(module, "from torch.utils.data.distributed import DistributedSampler");
    // Accelerate starts no process group for one process.
    let ranks = if rw.target == Target::Accelerate {
        format!(", {}, {}", rw.size_text(module), rw.rank_text(module))
    } else {
        String::new()
    };
    format!("DistributedSampler({dataset}{ranks}{options})")
}

/// Wait for all ranks.
pub fn barrier_call(rw: &mut Rewrite, module: ModuleId) -> String {
    let engine = rw.engine_name(module);
    if rw.target == Target::Accelerate {
        if super::accelerate::stays_on_cpu(rw) {
            // `wait_for_everyone` waits on the GPU of the rank's number, which a machine may not have.
            return broadcast_list(rw, module, "[None]");
        }
        format!("{engine}.wait_for_everyone()")
    } else {
        format!("{engine}.barrier()")
    }
}

/// The function that adds a value up over the ranks.
pub fn sum_text(target: Target, name: &str, torch: &str, engine: &str) -> String {
    let body = if target == Target::Accelerate {
        // Accelerate reduces on its own device only.
        format!(
            "total = {torch}.as_tensor(value, dtype={torch}.float32, device={engine}.device)\n    \
             total = {engine}.reduce(total, reduction=\"sum\")"
        )
    } else {
        format!("total = {torch}.as_tensor(value, dtype={torch}.float64).clone()\n    {engine}.all_reduce(total)")
    };
    format!(
        "def {name}(value):\n    {body}\n    \
         return type(value)(total.item()) if isinstance(value, (int, float)) else total"
    )
}
